import { afterEach, describe, expect, test } from 'vitest';
import { createCancellationList } from '../../../../functions/credentials/cancellation-lists/domain/create-cancellation-list.ts';
import { handler as handOverList } from '../../../../functions/credentials/cancellation-lists/endpoints/hand-over-cancellation-list.ts';
import { handOver } from '../../../../functions/credentials/flows/domain/hand-over.ts';
import { lookAtDocuments } from '../../../../functions/credentials/flows/domain/take-signed.ts';
import { killedAt } from '../../../faults/crash.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ANA, BRUNO, flowStage } from '../flows/stage.ts';
import { stored } from '../items/own-items.ts';
import { keyOf, ownTenant } from '../items/own-tenant.ts';

const stage = await forFile(flowStage());
const own = await ownTenant();
const headers = await keyOf(own);
afterEach(() => {
  stage.up();
});

const kind = 'cancellationList';
const listOf = (id: string) => stored({ kind, id });
const fileOf = async (id: string) => {
  const [file] = (await listOf(id)).files;
  if (!file) throw new Error('A list has a file.');
  return file;
};
const look = (id: string) => lookAtDocuments({ kind, id }, 'event', Date.now, {});
const platformHeaders = () => ({
  'x-api-key': process.env.Signer__ApiKey ?? '',
  'content-type': 'application/json',
});

const ask = async (itemId: string, id = own.institute.id, by = headers) => {
  const request = { headers: by, method: 'POST', params: { id, itemId } };
  const { status, json } = await call(handOverList, request);
  return [status, json()];
};

/** A list whose document waits for its signers. */
async function aList(): Promise<string> {
  const { caller, institute } = own;
  const { id } = await createCancellationList(caller, institute.id, { version: '1.05' }, Date.now());
  await stage.run();
  return id;
}

/** One whose first signer has refused, and that says so. */
async function aRefusedList(): Promise<string> {
  const id = await aList();
  const { document } = await fileOf(id);
  const refused = await fetch(`${stage.platform.url}/api/documents/${document?.id}/refusal`, {
    method: 'POST',
    headers: platformHeaders(),
    body: JSON.stringify({ reason: 'A name is wrong.', identifier: ANA }),
  });
  expect(refused.ok).toBe(true);
  await look(id);
  expect((await fileOf(id)).problem).toContain('Refused');
  return id;
}

/** The documents of a list at the platform, newest first. */
async function documentsThere(id: string): Promise<{ id: string; status: string }[]> {
  const url = `${stage.platform.url}/api/documents?q=${id}&limit=50`;
  const answer = await fetch(url, { headers: platformHeaders() });
  return ((await answer.json()) as { items: { id: string; status: string }[] }).items;
}
const statusesThere = async (id: string) => (await documentsThere(id)).map(({ status }) => status);

describe('a list of annulled degrees whose document was refused', () => {
  test('is handed over again as a new document, and signed with its number and its file', async () => {
    const id = await aRefusedList();
    const before = await listOf(id);
    expect(await ask(id)).toMatchObject([
      202,
      { id, status: 'Created', files: [{ signerDocumentId: null, problem: null }] },
    ]);
    await stage.run();
    const { document } = await fileOf(id);
    expect(await documentsThere(id)).toMatchObject([
      { id: document?.id, status: 'Pending' },
      { id: before.files[0]?.document?.id, status: 'Refused' },
    ]);
    for (const cpf of [ANA, BRUNO]) await stage.sign(document?.id ?? '', cpf);
    await look(id);
    const { sha256, name } = before.files[0] ?? {};
    expect(await listOf(id)).toMatchObject({
      ...{ state: 'Signed', data: before.data },
      files: [{ name, sha256, signed: { length: expect.any(Number) }, problem: null }],
    });
    expect(await ask(id)).toMatchObject([422, { code: 'InvalidStatus', details: { status: 'Signed' } }]);
  });

  test('is handed over once, however often it is asked for', async () => {
    const id = await aRefusedList();
    expect(await ask(id)).toMatchObject([202, {}]);
    const pending = [422, { code: 'SignersPending', details: { status: 'Created' } }];
    expect(await ask(id)).toMatchObject(pending);
    await stage.run();
    expect(await ask(id)).toMatchObject(pending);
    expect(await statusesThere(id)).toEqual(['Pending', 'Refused']);
  });

  // A worker is killed after it has created the second document. Both have the tag of the file:
  //
  //   worker 1  |--uploads--claims--creates the second document--| killed
  //   worker 2                                                      |--finds both by their tag: takes the second--|
  test('has the new document, and no third one, wherever its worker is killed', async () => {
    for (let write = 1, isKilled = true; isKilled; write++) {
      const id = await aRefusedList();
      await ask(id);
      isKilled = await killedAt(write, 'after', () => handOver({ kind, id }, 0, Date.now));
      await handOver({ kind, id }, 0, () => Date.now() + 100_000);
      const [newest, ...older] = await documentsThere(id);
      expect((await fileOf(id)).document?.id).toBe(newest?.id);
      expect([newest?.status, older.map(({ status }) => status)]).toEqual(['Pending', ['Refused']]);
    }
  });

  // The id of a lost document is found by its tag. The refused one has the same tag, and is not what was lost.
  test('does not get the refused document back where the upload of the new one has expired', async () => {
    const id = await aRefusedList();
    await ask(id);
    const creates = (named: string) => named === 'POST /api/documents';
    stage.platform.interfere = (named) => (creates(named) ? 'hang-up' : undefined);
    await handOver({ kind, id }, 0, Date.now);
    let isFirst = true;
    stage.platform.interfere = (named) => {
      if (!creates(named) || !isFirst) return undefined;
      isFirst = false;
      return { status: 422, body: '{"code":"UploadNotFound","message":"It has expired."}' };
    };
    await handOver({ kind, id }, 0, Date.now);
    const [newest, ...older] = await documentsThere(id);
    expect((await fileOf(id)).document?.id).toBe(newest?.id);
    expect([newest?.status, older.map(({ status }) => status)]).toEqual(['Pending', ['Refused']]);
    await stage.run();
  });

  test('keeps nothing of a look that began before', async () => {
    const id = await aRefusedList();
    const [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    stage.platform.interfere = async (named) => {
      if (!/^GET \/api\/documents\/[^/]+$/.test(named)) return undefined;
      reached.resolve();
      await release.promise;
      return { status: 200, body: JSON.stringify({ id: 'd', status: 'Canceled', flowActions: [] }) };
    };
    const slow = look(id);
    await reached.promise;
    await ask(id);
    await handOver({ kind, id }, 0, Date.now);
    release.resolve();
    await slow;
    expect(await fileOf(id)).toMatchObject({ document: { id: expect.any(String) }, problem: null });
    await stage.run();
  });
});

test('a list whose document waits for its signers is not handed over again', async () => {
  const id = await aList();
  expect(await ask(id)).toMatchObject([422, { code: 'SignersPending', details: { status: 'Created' } }]);
  expect(await statusesThere(id)).toEqual(['Pending']);
});

test('a list of another institute is not handed over', async () => {
  const id = await aRefusedList();
  const other = await ownTenant();
  const answer = await ask(id, other.institute.id, await keyOf(other));
  expect(answer).toMatchObject([404, { code: 'ItemNotFound' }]);
  expect((await fileOf(id)).problem).toContain('Refused');
});
