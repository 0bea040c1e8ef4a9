import { globSync, readFileSync } from 'node:fs';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { handlerOf, sampleEventPath } from '../../infra/invoke.ts';
import { LOCAL_SETTINGS } from '../../infra/local/seed/local-settings.ts';
import { seedSandbox } from '../../infra/local/seed/seed.ts';
import { lambdaContext } from '../http-event.ts';
import { declaredFunctions } from './functions.ts';

const names = declaredFunctions().map(({ name }) => name);
const workers = declaredFunctions()
  .filter(({ events }) => events.every(({ http }) => !http))
  .map(({ name }) => name);

// What the sample asks for is not there, and the answer says so.
const REFUSALS: Readonly<Record<string, number>> = {
  'hub/get-custom-state': 422,
  'hub/get-certificate': 422,
  'hub/get-certificate-v2': 422,
  'hub/sign-hash': 422,
  'hub/receive-callback': 400,
  'hub/get-asset': 404, // as that of documents
  'pki/prepare-authentication': 422, // no root is named here, so no security context is known
  'pki/start-authentication': 422,
  'pki/complete-authentication': 422,
  'pki/submit-signed-bytes': 422,
  'pki/finalize-authentication': 422,
  'pki/authenticate': 422,
  'pki/create-signature-session': 422,
  'pki/get-signature-session': 422,
  'pki/add-signature-session-document': 422,
  'pki/get-signature-session-content': 422,
  'pki/start-session-signature': 422,
  'pki/complete-session-signature': 422,
  'pki/cancel-signature-session': 422,
  'pki/await-signature-session': 422,
  'pki/start-liveness': 422, // no biometric provider is set here
  'pki/start-enrollment': 422,
  'pki/complete-liveness': 422,
  'pki/complete-enrollment': 422,
  'pki/get-bio-session': 422,
  'pki/get-bio-page': 404,
  'pki/begin-bio-capture': 422,
  'pki/submit-bio-capture': 422,
  'pki/abort-bio-session': 422,
  'pki/give-bio-location': 422,
  'pki/return-bio-session': 422,
  'pki/get-asset': 404, // as that of documents
  'documents/create-documents': 422,
  'documents/get-document': 404,
  'documents/cancel-document': 404,
  'documents/create-version': 404,
  'documents/update-webhook': 404,
  'documents/create-action-url': 404,
  'documents/start-signature': 404,
  'documents/complete-signature': 404,
  'documents/approve-document': 404,
  'documents/refuse-document': 404,
  'documents/start-signature-by-key': 422,
  'documents/complete-signature-by-key': 422,
  'documents/approve-document-by-key': 422,
  'documents/refuse-document-by-key': 422,
  'documents/get-action-details': 422,
  'documents/get-action-content': 422,
  'documents/get-action-page': 404,
  'documents/get-asset': 404, // what the build makes is beside its bundle, not beside its source
  'documents/get-content': 404,
  'documents/get-content-b64': 404,
  'documents/get-content-ticket': 404,
  'documents/get-attachment-content': 404,
  'documents/get-download': 422,
  'documents/delete-document': 404,
  'documents/move-document': 404,
  'documents/get-folder-details': 404,
  'documents/delete-folder': 404,
  'documents/delete-organization': 404,
  'documents/delete-webhook': 404,
  'documents/list-webhook-deliveries': 404,
  'documents/get-webhook-delivery': 404,
  'documents/replay-webhook-delivery': 404,
  'documents/replay-failed-webhook-deliveries': 404,
  'documents/send-webhook-test': 404,
  'documents/verify-file': 503, // no root is named here
  'session/create-session': 404,
  'session/deactivate-session': 401,
  'session/get-certificate-info': 401,
  'session/sign-document': 401,
  'session/sign-batch': 401,
  'session/get-document': 502, // it asks the platform over HTTP, and none runs here
  'sandbox/get-asset': 404, // as that of documents
  'sandbox/decide-at-provider': 302,
  'sandbox/issue-provider-token': 400,
  'sandbox/list-provider-certificates': 401,
  'sandbox/sign-at-provider': 401,
  // An agent signs for the moment it asks at, which a sample kept in a file is past.
  'session/enrol-agent': 401,
  'session/poll-agent': 401,
  'session/complete-agent-task': 401,
  'session/update-agent-certificates': 401,
};
const statusOf = (name: string): number =>
  REFUSALS[name] ?? (name.endsWith('/refuse-unknown-route') ? 404 : 200);

const invoke = async (name: string) => {
  const handler = await handlerOf(name);
  return handler(JSON.parse(readFileSync(sampleEventPath(name), 'utf8')), lambdaContext());
};

beforeAll(async () => {
  for (const [variable, value] of Object.entries(LOCAL_SETTINGS)) vi.stubEnv(variable, value);
  await seedSandbox();
});

describe('sample events', () => {
  test('there is one for every function, and none for anything else', () => {
    expect(globSync('events/**/*.json').toSorted()).toEqual(names.map(sampleEventPath).toSorted());
  });

  // The contract is checked on the way out: Http:CheckAnswers is on in tests, and a difference is a 500.
  test.each(names.filter((name) => !workers.includes(name)))(
    '%s answers its sample by its contract',
    async (name) => {
      const answer = (await invoke(name)) as APIGatewayProxyResult;
      expect(answer.statusCode).toBe(statusOf(name));
      expect(answer.headers?.['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test('a queue function reports no failed item', async () => {
    expect(await invoke('documents/collect-upload')).toEqual({ batchItemFailures: [] });
  });

  test('a schedule function ends', async () => {
    await expect(invoke('documents/send-due')).resolves.toBeUndefined();
  });
});
