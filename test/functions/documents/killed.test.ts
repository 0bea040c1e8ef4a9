import { describe, expect, test, vi } from 'vitest';
import { type Document, documentItems } from '../../../functions/documents/domain/document/document.ts';
import { documentList } from '../../../functions/documents/domain/document/document-lists.ts';
import { handler as create } from '../../../functions/documents/endpoints/documents/create-documents.ts';
import { handler as createStarted } from '../../../functions/documents/endpoints/documents/create-started-document.ts';
import type { Stored } from '../../../shared/store/collection.ts';
import { killedAt } from '../../faults/crash.ts';
import { call } from '../../requests/http-event.ts';
import { forFile } from '../../runner/for-file.ts';
import { plainPdf } from '../../shared/signing/pades/documents.ts';
import { ownStores } from '../own-stores.ts';
import { certificateOf, sign } from './endpoints/signing/calls.ts';
import { pendingDocument, signer } from './endpoints/signing/pending-document.ts';
import { signingStage } from './endpoints/signing/stage.ts';
import { ownOrganization } from './own-organization.ts';
import { anUpload, SIGNER } from './sample-documents.ts';
import { recordedEventsOf, registerSilentWebhook } from './stage/recorded-events.ts';
import { runTasksAt } from './stage/run-tasks.ts';

// A process is killed at each of its writes in turn. Then another one starts, finds what was recorded, and
// goes on:
//
//   process 1  |--write 1--write 2-- killed
//   process 2                          |--sweep--tasks--|--what the caller tries again--|
//
// Wherever it is killed, there is one document, one signature, and each event once.

/** Runs a case for every write, until a run is not killed any more. Answers the number of writes. */
async function atEveryWrite(run: (write: number) => Promise<boolean>): Promise<number> {
  for (let write = 1; ; write++) if (!(await run(write))) return write - 1;
}

const MANY = 40;

// Later than every recorded message is due, except those that wait a day.
const restarted = () => runTasksAt(Date.now() + 600_000);

await forFile(ownStores());
const stage = await forFile(signingStage());
vi.stubEnv('DocumentConcludedWebhookDelayInSeconds', '0');

const typesTold = async (owner: string) => (await recordedEventsOf(owner)).map(({ type }) => type);

// A process that is killed before a write leaves what one leaves that is killed after the write before it.
describe('killed after a write', () => {
  test('of creating documents: all are there and told of once, or the uploads are still to be used', async () => {
    const writes = await atEveryWrite(async (write) => {
      const { orgId, key } = await ownOrganization();
      await registerSilentWebhook(orgId);
      const files = [{ id: await anUpload(orgId, 'a.bin') }, { id: await anUpload(orgId, 'b.bin') }];
      const post = () =>
        call(create, { headers: { 'X-API-Key': key }, json: { files, flowActions: [SIGNER] } });
      const isKilled = await killedAt(write, 'after', post);
      await restarted();
      const all = documentList({ organizationId: orgId });
      if ((await all.slice({ offset: 0, limit: 9 })).total === 0) expect((await post()).status).toBe(200);
      const { ids, total } = await all.slice({ offset: 0, limit: 9 });
      expect([write, total, await typesTold(orgId)]).toEqual([write, 2, ['DocumentsCreated']]);
      const made = await documentItems.getMany(ids);
      expect(made.map(({ original }) => original.name).toSorted()).toEqual(['a.bin', 'b.bin']);
      return isKilled;
    });
    expect(writes).toBeGreaterThan(0);
  });

  test('of creating a started document: it is there with its token and told of once, or not at all', async () => {
    const file = { bytes: (await plainPdf('table')).toString('base64'), name: 'a.pdf' };
    const signature = { certificate: certificateOf(stage.holder('52998224725')) };
    const writes = await atEveryWrite(async (write) => {
      const { orgId, key } = await ownOrganization();
      await registerSilentWebhook(orgId);
      const json = { file, signature, flowActions: [SIGNER] };
      const isKilled = await killedAt(write, 'after', () =>
        call(createStarted, { headers: { 'X-API-Key': key }, json }),
      );
      await restarted();
      const { ids, total } = await documentList({ organizationId: orgId }).slice({ offset: 0, limit: 9 });
      const isMade = total > 0;
      expect([write, total, await typesTold(orgId)]).toEqual(
        isMade ? [write, 1, ['DocumentsCreated']] : [write, 0, []],
      );
      if (!isKilled) expect(isMade).toBe(true);
      const [id = ''] = ids;
      if (isMade)
        expect((await sign(key, { id }, stage.holder('52998224725'))).json()).toMatchObject({
          success: true,
        });
      return isKilled;
    });
    expect(writes).toBeGreaterThan(2);
  });

  // More documents than a transaction holds: announcement, documents one by one, event, and the task's record.
  test('of creating many documents: all are there once and told of once, or the uploads are still to be used', async () => {
    for (const write of [1, 2, 3, MANY, MANY + 1, MANY + 2, MANY + 3]) {
      const { orgId, key } = await ownOrganization();
      await registerSilentWebhook(orgId);
      const files = await Promise.all(
        Array.from({ length: MANY }, async () => ({ id: await anUpload(orgId) })),
      );
      const post = () =>
        call(create, { headers: { 'X-API-Key': key }, json: { files, flowActions: [SIGNER] } });
      expect([write, await killedAt(write, 'after', post)]).toEqual([write, true]);
      await restarted();
      const all = documentList({ organizationId: orgId });
      if ((await all.slice({ offset: 0, limit: 1 })).total === 0) expect((await post()).status).toBe(200);
      const { total } = await all.slice({ offset: 0, limit: 1 });
      expect([write, total, await typesTold(orgId)]).toEqual([write, MANY, ['DocumentsCreated']]);
    }
  });

  test('of signing: the document is signed once, and until then it can be signed', async () => {
    const writes = await atEveryWrite(async (write) => {
      const { orgId, key } = await ownOrganization();
      await registerSilentWebhook(orgId);
      const flow = [signer('52998224725')];
      const document = await pendingDocument({ organizationId: orgId, bytes: await plainPdf('table'), flow });
      const again = () => sign(key, document, stage.holder('52998224725'));
      const isKilled = await killedAt(write, 'after', again);
      await restarted();
      const read = async () => (await documentItems.get(document.id)) as Stored<Document>;
      if ((await read()).state === 'Pending') expect((await again()).json()).toMatchObject({ success: true });
      await restarted();
      const { state, signed, flow: after } = await read();
      expect([write, state, signed?.revision, after[0]?.completions.length]).toEqual([
        write,
        'Concluded',
        1,
        1,
      ]);
      expect(await typesTold(orgId)).toEqual(['DocumentSigned', 'DocumentConcluded']);
      return isKilled;
    });
    expect(writes).toBeGreaterThan(3);
  });
});
