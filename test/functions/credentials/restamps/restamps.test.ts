import { createHash, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { KINDS } from '../../../../functions/credentials/items/domain/kinds.ts';
import { RESTAMPED_TYPES } from '../../../../functions/credentials/items/vocabulary.ts';
import { chains, documentTypeOf, kindOf } from '../../../../functions/credentials/restamps/domain/chain.ts';
import { handler as change } from '../../../../functions/credentials/restamps/endpoints/change-restamp.ts';
import { handler as create } from '../../../../functions/credentials/restamps/endpoints/create-restamp.ts';
import { handler as get } from '../../../../functions/credentials/restamps/endpoints/get-restamp.ts';
import { handler as getToken } from '../../../../functions/credentials/restamps/endpoints/get-restamp-token.ts';
import { handler as list } from '../../../../functions/credentials/restamps/endpoints/list-restamps.ts';
import { signerOf } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { checkToken } from '../../../../shared/signing/timestamp/check-token.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { folder, hasOpenssl, openssl } from '../../../shared/signing/cms/openssl.ts';
import { aDegree, anOrganization, FILE, requestFor, restampStage, runTasks } from './stage.ts';

type Shown = { readonly id: string; readonly status: string; readonly earlierRestampIds: readonly string[] };

let owner: Awaited<ReturnType<typeof anOrganization>>;
const stage = await forFile(restampStage());
beforeEach(async () => {
  owner = await anOrganization();
  stage.useAuthorities(stage.timestampUrl);
});

const post = (json: unknown, headers = owner.headers) => call(create, { headers, json });
const shown = async (id: string) =>
  (await call(get, { headers: owner.headers, params: { id } })).json() as Shown & Record<string, unknown>;
const tokenOf = (id: string, headers = owner.headers) => call(getToken, { headers, params: { id } });

/** A restamp from its request to its token. */
async function restamp(documentId: string): Promise<Shown> {
  const answer = await post(requestFor(documentId));
  expect([answer.status, answer.json()]).toMatchObject([201, { status: 'Created', date: null }]);
  await runTasks();
  return shown((answer.json() as Shown).id);
}

test('every kind that is signed has a document type, which is the family of its events', () => {
  const signed = Object.entries(KINDS).filter(([, { signedEvent }]) => signedEvent !== null);
  expect(signed.map(([, { family }]) => family)).toEqual(RESTAMPED_TYPES);
  for (const type of RESTAMPED_TYPES) expect([type, KINDS[kindOf(type)].family]).toEqual([type, type]);
  expect(RESTAMPED_TYPES.map((type) => documentTypeOf(kindOf(type)))).toEqual(RESTAMPED_TYPES);
});

describe('a restamp of a signed file', () => {
  test('is applied with a token of the sandbox over the file, and tells when and until when', async () => {
    const { id, signed } = await aDegree(stage, owner);
    const done = await restamp(id);
    const { bytes, headers, status } = await tokenOf(done.id);
    expect([status, headers['content-type']]).toEqual([200, 'application/vnd.etsi.timestamp-token']);
    expect(headers['content-disposition']).toContain(`${FILE}-${done.id}.tst`);
    expect(bytes.includes(createHash('sha256').update(signed).digest())).toBe(true);
    expect(done).toMatchObject({
      ...{ status: 'Applied', documentType: 'Degree', documentId: id, identifier: FILE },
      ...{ subscriptionId: owner.organizationId, instituteId: owner.instituteId },
      ...{ errorReason: null, retryDate: null, earlierRestampIds: [], attempts: 1, files: [] },
      tokenSha256: createHash('sha256').update(bytes).digest('hex'),
    });
    const { info } = checkToken(bytes, () => undefined, []);
    const { notAfterMs } = signerOf(stage.sandbox.authority, 'tsa').certificate;
    expect(done).toMatchObject({
      date: new Date(info.timeMs).toISOString(),
      archivingExpiringDate: new Date(notAfterMs).toISOString(),
    });
  });

  // The third of a chain is over the file and the two tokens before it, as anybody puts them together.
  test.runIf(hasOpenssl)('is one of a chain of three that openssl verifies, and no other order', async () => {
    const { id, signed } = await aDegree(stage, owner);
    const all = [await restamp(id), await restamp(id), await restamp(id)];
    const ids = all.map((each) => each.id);
    expect(all.map(({ earlierRestampIds }) => earlierRestampIds)).toEqual([
      [],
      ids.slice(0, 1),
      ids.slice(0, 2),
    ]);
    const tokens = await Promise.all(ids.map(async (each) => (await tokenOf(each)).bytes));
    expect(new Set(tokens.map((token) => token.toString('hex'))).size).toBe(3);

    const at = folder();
    const verifies = (n: number, parts: readonly (Buffer | undefined)[]) => {
      const data = at.file('stamped', Buffer.concat(parts.map((part) => part ?? Buffer.alloc(0))));
      const token = at.file('token.tst', tokens[n] ?? '');
      const trust = ['-CAfile', stage.sandbox.pki('root.crt')];
      const untrusted = ['-untrusted', stage.sandbox.pki('intermediate.crt')];
      return [[], untrusted].map(
        (more) => openssl('ts', '-verify', '-data', data, '-in', token, '-token_in', ...trust, ...more).ok,
      );
    };
    expect(verifies(0, [signed])).toEqual([true, true]);
    expect(verifies(1, [signed, tokens[0]])).toEqual([true, true]);
    expect(verifies(2, [signed, tokens[0], tokens[1]])).toEqual([true, true]);
    expect(verifies(2, [signed, tokens[1], tokens[0]])).toEqual([false, false]);
    expect(verifies(2, [signed, tokens[0]])).toEqual([false, false]);
    expect(verifies(1, [signed])).toEqual([false, false]);
    at.remove();
  });

  test('is refused for a file that is not signed, not there, or of an item that is not there', async () => {
    const { id } = await aDegree(stage, owner, { isSigned: false });
    const refused = async (json: unknown) => {
      const answer = await post(json);
      return [answer.status, (answer.json() as { code: string }).code];
    };
    expect(await refused(requestFor(id))).toEqual([422, 'FileNotSigned']);
    expect(await refused({ ...requestFor(id), identifier: 'other' })).toEqual([404, 'FileNotFound']);
    expect(await refused({ ...requestFor(id), documentType: 'Curriculum' })).toEqual([404, 'ItemNotFound']);
    expect(await refused(requestFor(randomUUID()))).toEqual([404, 'ItemNotFound']);
    expect(await refused({ ...requestFor(id), documentType: 'Restamp' })).toEqual([422, 'InvalidFields']);
  });

  test('is refused without a timestamp authority, and while another one is open, which is named', async () => {
    const { id } = await aDegree(stage, owner);
    stage.useAuthorities();
    expect((await post(requestFor(id))).json()).toMatchObject({ code: 'TimestampAuthorityRequired' });
    stage.useAuthorities(stage.timestampUrl);
    const { id: restampId } = (await post(requestFor(id))).json() as Shown;
    const second = await post(requestFor(id));
    expect([second.status, second.json()]).toMatchObject([
      422,
      { code: 'RestampPending', details: { restampId } },
    ]);
    const missing = await tokenOf(restampId);
    expect([missing.status, missing.json()]).toMatchObject([
      404,
      { code: 'TokenNotFound', details: { status: 'Created' } },
    ]);
    await runTasks();
    expect((await tokenOf(restampId)).status).toBe(200);
  });

  test('is refused to clients at a hundred of one file', async () => {
    const { id } = await aDegree(stage, owner);
    const token = { attempt: 1, sha256: '', timeMs: 0, endsAtMs: 0 };
    const applied = Array.from({ length: 100 }, () => ({ ...token, restampId: randomUUID() }));
    await chains.create({ kind: 'degree', id, name: FILE, applied, openId: null });
    const answer = await post(requestFor(id));
    expect([answer.status, answer.json()]).toMatchObject([
      422,
      { code: 'TooManyRestamps', details: { limit: '100' } },
    ]);
  });

  test('is not there for another organization: neither its token nor the file', async () => {
    const { id } = await aDegree(stage, owner);
    const done = await restamp(id);
    const { headers } = await anOrganization();
    expect((await tokenOf(done.id, headers)).status).toBe(404);
    expect((await post(requestFor(id), headers)).status).toBe(404);
  });

  test('is listed by its status, and found by the item and the course of its file', async () => {
    const [one, two] = [await aDegree(stage, owner), await aDegree(stage, owner)];
    const applied = await restamp(one.id);
    await post(requestFor(two.id));
    const ids = async (query: Record<string, string>) => {
      const { items } = (await call(list, { headers: owner.headers, query })).json() as { items: Shown[] };
      return items.map(({ id }) => id);
    };
    expect(await ids({})).toHaveLength(2);
    expect(await ids({ status: 'Applied' })).toEqual([applied.id]);
    expect(await ids({ text: one.id })).toEqual([applied.id]);
    expect(await ids({ course: 'Direito' })).toHaveLength(2);
    expect(await ids({ course: 'Medicina' })).toEqual([]);
    await runTasks();
  });
});

test('a client that tries a restamp again has a failed one applied at once, and an applied one refused with its status', async () => {
  const { id } = await aDegree(stage, owner);
  stage.useAuthorities(stage.down);
  const failed = await restamp(id);
  expect(failed).toMatchObject({ status: 'ApplyingError', attempts: 1, date: null });
  expect((failed as unknown as { errorReason: string }).errorReason).toContain('127.0.0.1');
  stage.useAuthorities(stage.timestampUrl);
  const again = () =>
    call(change, { headers: owner.headers, params: { id: failed.id, event: 'updated' }, json: {} });
  expect((await again()).json()).toMatchObject({ status: 'Updated', errorReason: null, attempts: 2 });
  await runTasks();
  expect(await shown(failed.id)).toMatchObject({ status: 'Applied', errorReason: null, attempts: 2 });
  const refused = await again();
  expect([refused.status, refused.json()]).toMatchObject([
    422,
    { code: 'InvalidStatus', details: { status: 'Applied' } },
  ]);
});
