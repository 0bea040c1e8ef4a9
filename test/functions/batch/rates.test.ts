import { expect, test } from 'vitest';
import { batch } from '../../../functions/batch/service.ts';
import { operationsOf } from '../../../infra/contracts/operations.ts';

test('the rate-limit policies have the limits of the specification', () => {
  const limits = Object.entries(batch.rates ?? {}).map(([policy, limit]) => [policy, limit()]);
  expect(Object.fromEntries(limits)).toMatchObject({
    Upload: { limit: 30, windowSeconds: 60 },
    Actions: { limit: 60, windowSeconds: 60 },
    Export: { limit: 10, windowSeconds: 60 },
    Approval: { limit: 10, windowSeconds: 60 },
    Login: { limit: 60, windowSeconds: 60 },
    SignerNotification: { limit: 600, windowSeconds: 60 },
  });
});

test('each route has the policy that the specification gives it', async () => {
  const { operations } = await operationsOf('batch');
  const limited = operations.flatMap(({ declaration: { route, rate } }) => (rate ? [[route, rate]] : []));
  expect(Object.fromEntries(limited)).toEqual({
    'POST /api/files': 'Upload',
    'POST /api/files/presigned': 'Upload',
    'POST /api/cleanup': 'Actions',
    'POST /api/backup': 'Actions',
    'POST /api/backup/cancel': 'Actions',
    'POST /api/jobs/{id}/retry': 'Actions',
    'POST /api/jobs/{id}/cancel': 'Actions',
    'DELETE /api/jobs': 'Actions',
    'POST /api/jobs/bulk': 'Actions',
    'POST /api/jobs/bulk/{id}/stop': 'Actions',
    'POST /api/pipeline/pause': 'Actions',
    'POST /api/rescan': 'Actions',
    'POST /api/pipeline/resume': 'Actions',
    'GET /api/pipeline/state': 'Actions',
    'GET /api/jobs/export': 'Export',
    'GET /approvals/export/{list}': 'Export',
    'POST /api/approvals/{id}': 'Approval',
    'POST /api/signer/notifications': 'SignerNotification',
    'POST /api/auth/login': 'Login',
    'POST /api/auth/logout': 'Login',
    'POST /dashboard/{path+}': 'Actions',
    'GET /api/auth/idp-login': 'Login',
    'GET /api/auth/idp-callback': 'Login',
    'GET /approvals/cloud/return': 'Approval',
    'POST /profiles/{name}/cloud-authorization': 'Actions',
    'GET /cloud-certificates/return': 'Actions',
  });
});

test('every operation on jobs, profiles, events and the pipeline refuses an unknown parameter', async () => {
  const { operations } = await operationsOf('batch');
  const about = /^\w+ \/api\/(files|jobs|profiles|events|pipeline)/;
  const open = operations.filter(({ declaration: { route, query } }) => about.test(route) && !query);
  expect(open.map(({ declaration: { route } }) => route)).toEqual([]);
});
