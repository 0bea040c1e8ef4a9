import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { documentList } from '../../../functions/documents/domain/document/document-lists.ts';
import { handler as create } from '../../../functions/documents/endpoints/documents/create-documents.ts';
import { handler as createStarted } from '../../../functions/documents/endpoints/documents/create-started-document.ts';
import { handler as createFolder } from '../../../functions/documents/endpoints/folders/create-folder.ts';
import { handler as createOrganization } from '../../../functions/documents/endpoints/organizations/create-organization.ts';
import { createApplication, issueKey } from '../../../shared/access/administration.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { killedAt } from '../../faults/crash.ts';
import { call } from '../../requests/http-event.ts';
import { forFile } from '../../runner/for-file.ts';
import { plainPdf } from '../../shared/signing/pades/documents.ts';
import { everyItem } from '../../stores/whole-table.ts';
import { certificateOf } from './endpoints/signing/calls.ts';
import { signingStage } from './endpoints/signing/stage.ts';
import { ownOrganization } from './own-organization.ts';
import { anUpload, SIGNER } from './sample-documents.ts';

const stage = await forFile(signingStage());

type Post = { readonly handler?: Endpoint; readonly key: string; readonly repeat?: string };
const post = ({ handler = create, key, repeat }: Post, json: object) =>
  call(handler, { headers: { 'X-API-Key': key, ...(repeat && { 'Idempotency-Key': repeat }) }, json });

async function someRequest(orgId: string) {
  return { files: [{ id: await anUpload(orgId) }], flowActions: [SIGNER] };
}

const countOf = async (organizationId: string): Promise<number | undefined> =>
  (await documentList({ organizationId }).slice({ offset: 0, limit: 1 })).total;

test('a creation that is sent again is answered as the first time, and creates nothing', async () => {
  const { orgId, key } = await ownOrganization();
  const repeat = randomUUID();
  const request = await someRequest(orgId);
  const first = await post({ key, repeat }, request);
  expect(first.status).toBe(200);
  expect(first.headers['idempotency-replayed']).toBeUndefined();
  const again = await post({ key, repeat }, request);
  expect([again.status, again.json()]).toEqual([200, first.json()]);
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(await countOf(orgId)).toBe(1);
});

test('of twenty at once one creates, and all are answered alike', async () => {
  const { orgId, key } = await ownOrganization();
  const repeat = randomUUID();
  const request = await someRequest(orgId);
  const answers = await Promise.all(Array.from({ length: 20 }, () => post({ key, repeat }, request)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await countOf(orgId)).toBe(1);
});

test.each(['before', 'after'] as const)(
  'killed just %s its write, it is sent again: one document',
  async (moment) => {
    const { orgId, key } = await ownOrganization();
    const request = await someRequest(orgId);
    const repeat = randomUUID();
    expect(await killedAt(1, moment, () => post({ key, repeat }, request))).toBe(true);
    const again = await post({ key, repeat }, request);
    expect(again.status).toBe(200);
    expect(await countOf(orgId)).toBe(1);
    expect((await post({ key, repeat }, request)).text).toBe(again.text);
  },
);

test('a key is for one request of one application and operation', async () => {
  const { orgId, key } = await ownOrganization();
  const repeat = randomUUID();
  expect((await post({ key, repeat }, await someRequest(orgId))).status).toBe(200);
  const other = await post({ key, repeat }, await someRequest(orgId));
  expect([other.status, other.json()]).toMatchObject([
    400,
    { details: { header: 'Idempotency-Key', reason: 'was sent with another request before' } },
  ]);
  const stranger = await ownOrganization();
  const theirs = await post({ key: stranger.key, repeat }, await someRequest(stranger.orgId));
  expect(theirs.status).toBe(200);
  expect((await post({ handler: createFolder, key, repeat }, { name: 'Contratos' })).status).toBe(200);
});

test('a request that was refused may be mended and sent again with its key', async () => {
  const { orgId, key } = await ownOrganization();
  const repeat = randomUUID();
  const request = await someRequest(orgId);
  expect((await post({ key, repeat }, { ...request, folderId: randomUUID() })).status).toBe(404);
  expect((await post({ key, repeat }, request)).status).toBe(200);
});

test.each(['', 'a b', 'ç', 'x'.repeat(256)])('the key %j is refused', async (repeat) => {
  const { orgId, key } = await ownOrganization();
  const headers = { 'X-API-Key': key, 'Idempotency-Key': repeat };
  const answer = await call(create, { headers, json: await someRequest(orgId) });
  expect([answer.status, answer.json()]).toMatchObject([400, { details: { header: 'Idempotency-Key' } }]);
});

test('folders, organizations and started documents are created once too', async () => {
  const { key } = await ownOrganization();
  const name = randomUUID();
  await createApplication('documents', { name, permissions: ['admin'], registered: {} });
  const admin = (await issueKey('documents', name)).text;
  const file = {
    bytes: Buffer.from(await plainPdf('table')).toString('base64'),
    displayName: 'a.pdf',
    contentType: 'application/pdf',
  };
  const requests: [Endpoint, string, object][] = [
    [createFolder, key, { name: 'Contratos' }],
    [
      createOrganization,
      admin,
      { name: 'Nova', identifier: '11222333000181', owner: { id: 'o', name: 'O' } },
    ],
    [
      createStarted,
      key,
      { file, flowActions: [SIGNER], signature: { certificate: certificateOf(stage.holder('52998224725')) } },
    ],
  ];
  for (const [handler, of, request] of requests) {
    const repeat = randomUUID();
    const first = await post({ handler, key: of, repeat }, request);
    expect([handler.declaration.route, first.status]).toEqual([handler.declaration.route, 200]);
    const again = await post({ handler, key: of, repeat }, request);
    expect([again.json(), again.headers['idempotency-replayed']]).toEqual([first.json(), 'true']);
  }
});

test('what completes a signature is in no table, also where its answer is kept', async () => {
  const { key } = await ownOrganization();
  const file = { bytes: (await plainPdf('table')).toString('base64'), displayName: 'a.pdf' };
  const signature = { certificate: certificateOf(stage.holder('52998224725')) };
  const request = { file, flowActions: [SIGNER], signature };
  const answer = await post({ handler: createStarted, key, repeat: randomUUID() }, request);
  const { token } = (answer.json() as { signature: { token: string } }).signature;
  expect(token).toMatch(/./);
  expect(JSON.stringify(await everyItem('documents'))).not.toContain(token);
});
