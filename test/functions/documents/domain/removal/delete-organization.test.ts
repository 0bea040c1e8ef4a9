import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { documentKey } from '../../../../../functions/documents/domain/document/action-link.ts';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { documentList } from '../../../../../functions/documents/domain/document/document-lists.ts';
import { webhooks } from '../../../../../functions/documents/domain/document/webhook-engine.ts';
import { createFolder } from '../../../../../functions/documents/domain/places/create-folder.ts';
import { organizations } from '../../../../../functions/documents/domain/places/organization.ts';
import { emptyOrganization } from '../../../../../functions/documents/domain/removal/delete-organization.ts';
import { handler as getDocument } from '../../../../../functions/documents/endpoints/documents/get-document.ts';
import { handler as list } from '../../../../../functions/documents/endpoints/documents/list-documents.ts';
import { handler as getContent } from '../../../../../functions/documents/endpoints/downloads/get-content.ts';
import { handler as getTicket } from '../../../../../functions/documents/endpoints/downloads/get-content-ticket.ts';
import { handler as download } from '../../../../../functions/documents/endpoints/downloads/get-download.ts';
import { handler as remove } from '../../../../../functions/documents/endpoints/organizations/delete-organization.ts';
import { createApplication, issueKey } from '../../../../../shared/access/administration.ts';
import { removeAllWebhooks } from '../../../../../shared/webhooks/registrations/registrations.ts';
import { killedAt } from '../../../../faults/crash.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import { ownStores } from '../../../own-stores.ts';
import {
  asApplication,
  byKey,
  certificateOf,
  details,
  partsOf,
  signatureBy,
  started,
} from '../../endpoints/signing/calls.ts';
import { pendingDocument, signer } from '../../endpoints/signing/pending-document.ts';
import { signingStage } from '../../endpoints/signing/stage.ts';
import { callerFor, manyLike } from '../../sample-documents.ts';
import { registerSilentWebhook } from '../../stage/recorded-events.ts';

// Several runs of the task, each for a part.
const DOCUMENTS = 500;
const CPF = '52998224725';
// After the last check for late documents.
const LATER_MS = 17 * 60_000;

await forFile(ownStores());
const stage = await forFile(signingStage());

const left = async (organizationId: string): Promise<number> =>
  (await documentList({ organizationId }).slice({ offset: 0, limit: 1 })).total;

/** An organization with many documents at its root and two folders deep, and every way to reach one of them. */
async function fullOrganization() {
  const { orgId, key } = stage;
  const nowMs = Date.now();
  const outer = await createFolder(callerFor(orgId), { name: 'Outer', parentId: null }, nowMs);
  const inner = await createFolder(callerFor(orgId), { name: 'Inner', parentId: outer.id }, nowMs);
  const bytes = await plainPdf('table');
  const document = await pendingDocument({ organizationId: orgId, bytes, flow: [signer(CPF)] });
  const others = await manyLike(document.id, DOCUMENTS - 1, (n) => ({ folderId: n % 2 ? inner.id : null }));
  const headers = { 'X-API-Key': key };
  const params = { id: document.id };
  const holder = stage.holder(CPF);
  const start = await started(key, document, holder);
  const completion = { token: start.token, signature: await signatureBy(holder, start) };
  const link = (await call(getTicket, { params, headers })).json() as { location: string };
  const answer = await asApplication(key)('action-url', document, { identifier: CPF });
  const { ticket } = partsOf((answer.json() as { url: string }).url);
  const certificate = certificateOf(holder);

  /** The statuses of all operations that read or sign. The document is the oldest, and removed last. */
  const attempts = async (): Promise<number[]> => {
    const ask = asApplication(key);
    const answers = await Promise.all([
      call(list, { headers }),
      call(getDocument, { params, headers }),
      ...others.slice(0, 2).map((id) => call(getDocument, { params: { id }, headers })),
      call(getContent, { params, headers }),
      call(download, { params: { ticket: link.location.slice(link.location.lastIndexOf('/') + 1) } }),
      details(documentKey(document), { ticket }),
      ask('start', document, { certificate }),
      byKey('start', documentKey(document), { ticket, certificate }),
    ]);
    return answers.map(({ status }) => status);
  };
  const complete = () => asApplication(key)('complete', document, completion);
  const completeByKey = () => byKey('complete', documentKey(document), completion);
  return { orgId, document, attempts, complete, completeByKey };
}

// The call is killed at its write, then the task at its first write, its second, and so on. Each time another process
// continues.
//
//   call  |--organization: Deleting-- killed
//   task                               |--write 1-- killed  |--write 1--write 2-- killed  |-- ... --|
//
// After the first write nothing of the organization can be read or signed, whatever is still in the table.
test('of an organization that is deleted nothing is readable or signable, wherever its deletion is killed', {
  timeout: 120_000,
}, async () => {
  const { orgId, document, attempts, complete, completeByKey } = await fullOrganization();
  await registerSilentWebhook(orgId);
  const name = `admin-${randomUUID()}`;
  await createApplication('documents', { name, permissions: ['admin'], registered: {} });
  const admin = { 'X-API-Key': (await issueKey('documents', name)).text };
  const post = () => call(remove, { method: 'DELETE', params: { orgId }, headers: admin });
  const GONE = [404, 404, 404, 404, 404, 422, 422, 404, 422];

  await killedAt(1, 'before', post);
  expect(await attempts()).toEqual(GONE.map(() => 200));
  await killedAt(1, 'after', post);
  expect(await attempts()).toEqual(GONE);
  expect([(await complete()).status, (await completeByKey()).status]).toEqual([404, 422]);

  let kills = 0;
  /** Runs the task repeatedly, killed one write later each time, until it ends. */
  const stepThrough = async (atMs: () => number): Promise<void> => {
    for (let write = 1; ; write++) {
      const isKilled = await killedAt(write, write % 2 ? 'before' : 'after', () =>
        emptyOrganization(orgId, atMs()),
      );
      expect([write, await attempts()]).toEqual([write, GONE]);
      if (isKilled) kills++;
      else if ((await left(orgId)) === 0) return;
    }
  };
  await stepThrough(() => Date.now());
  await removeAllWebhooks(webhooks, orgId); // nobody delivers here, and it waits for that
  await stepThrough(() => Date.now() + LATER_MS);
  expect(kills).toBeGreaterThan(12);
  expect(await documentItems.get(document.id)).toBeUndefined();
  expect(await organizations.get(orgId)).toMatchObject({ state: 'Deleted' });
});
