import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { signedKey } from '../../../../functions/credentials/items/domain/item.ts';
import { applyRestamp } from '../../../../functions/credentials/restamps/domain/apply-restamp.ts';
import { chains } from '../../../../functions/credentials/restamps/domain/chain.ts';
import { createRestamp } from '../../../../functions/credentials/restamps/domain/create-restamp.ts';
import { openToken } from '../../../../functions/credentials/restamps/domain/open-token.ts';
import { restampWhenDue } from '../../../../functions/credentials/restamps/domain/restamp-when-due.ts';
import { signerOf } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { answerTimestamp } from '../../../../functions/sandbox/authority/domain/issuing/timestamp.ts';
import { integer } from '../../../../shared/der/write.ts';
import { files } from '../../../../shared/files/files.ts';
import { localKey } from '../../../../shared/signing/key.ts';
import { checkToken } from '../../../../shared/signing/timestamp/check-token.ts';
import { readRequest, writeRequest } from '../../../../shared/signing/timestamp/request.ts';
import { killedAt } from '../../../faults/crash.ts';
import { forFile } from '../../../runner/for-file.ts';
import { folder, hasOpenssl, openssl } from '../../../shared/signing/cms/openssl.ts';
import { recordedTypes, registerSilentWebhook } from '../items/own-tenant.ts';
import {
  aDegree,
  anOrganization,
  answeringAs,
  DAY_MS,
  FILE,
  readRestamp,
  requestFor,
  restampStage,
  runTasksAt,
  stampBy,
  tasksAbout,
} from './stage.ts';

let owner: Awaited<ReturnType<typeof anOrganization>>;
const stage = await forFile(restampStage());
vi.stubEnv('Webhooks__RestampEvents', 'true');
beforeEach(async () => {
  owner = await anOrganization();
  await registerSilentWebhook(owner.organizationId);
  stage.asked.splice(0);
});

const authority = () => stage.authority(Date.now() + 400 * DAY_MS, Date.now);
const good = () => stage.serve('good', answeringAs(authority()));
const fileOf = (id: string) => ({ kind: 'degree', id, name: FILE }) as const;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function aRestamp(): Promise<{ id: string; documentId: string; signed: Buffer }> {
  stage.useAuthorities(stage.down);
  const { id: documentId, signed, degree } = await aDegree(stage, owner);
  expect(degree.state).toBe('Concluded');
  const { id } = await createRestamp(owner.caller, requestFor(documentId), Date.now());
  return { id, documentId, signed };
}

/** The tokens of a restamp that are in the bucket. */
async function storedTokens(documentId: string): Promise<string[]> {
  const { files: found } = await files('credentials').list(`degree/${documentId}/`);
  return found.map(({ key }) => key).filter((key) => key.endsWith('.tst'));
}

/** That there is one token: in the item, in the chain, in the bucket, over the file. */
async function expectApplied(id: string, documentId: string, signed: Buffer): Promise<void> {
  const restamp = await readRestamp(id);
  expect(restamp.state).toBe('Applied');
  const { bytes } = await openToken(restamp);
  expect(sha256(bytes)).toBe(restamp.data.tokenSha256);
  expect(checkToken(bytes, () => createHash('sha256').update(signed).digest(), []).intact).toBe(true);
  expect(await chains.get(fileOf(documentId))).toMatchObject({
    openId: null,
    applied: [{ restampId: id, sha256: restamp.data.tokenSha256 }],
  });
  expect((await tasksAbout(documentId)).map(({ task }) => task)).toEqual(['restampFile']);
}

const typesTold = async () => (await recordedTypes(owner.organizationId)).toSorted();

describe('workers that meet', () => {
  // Both obtain a token, and one of the two is the restamp's.
  test('two at once apply a restamp once, with one token', async () => {
    const { id, documentId, signed } = await aRestamp();
    stage.useAuthorities(good());
    await Promise.all([applyRestamp(id, Date.now), applyRestamp(id, Date.now)]);
    expect(stage.asked).toEqual(['good', 'good']);
    await expectApplied(id, documentId, signed);
    expect(await storedTokens(documentId)).toHaveLength(1);
    expect(await typesTold()).toEqual(['RestampApplied', 'RestampCreated']);
    expect(await applyRestamp(id, Date.now)).toBe('nothing to do');
  });

  test('two sweeps at once create one restamp of a file', async () => {
    stage.useAuthorities(good());
    const stamp = stampBy(stage.authority(Date.now() + 10 * DAY_MS, Date.now));
    const { id } = await aDegree(stage, owner, { stamp });
    const due = () => restampWhenDue(fileOf(id), Date.now);
    expect((await Promise.all([due(), due(), due()])).toSorted()).toEqual([
      ...['created', 'nothing to do', 'nothing to do'],
    ]);
    expect(await typesTold()).toEqual(['RestampCreated']);
  });

  // Killed after each of its writes: the token in the bucket, the commit, the record of the task. Another worker goes on.
  test('killed after any write, a worker leaves what the next one completes with the same token', async () => {
    const later = () => Date.now() + 600_000;
    const kept: number[] = [];
    let write = 1;
    for (; ; write++) {
      await runTasksAt(later());
      owner = await anOrganization();
      await registerSilentWebhook(owner.organizationId);
      const { id, documentId, signed } = await aRestamp();
      stage.useAuthorities(good());
      stage.asked.splice(0);
      const isKilled = await killedAt(write, 'after', () => applyRestamp(id, Date.now));
      const [first] = await storedTokens(documentId);
      await runTasksAt(later());
      await expectApplied(id, documentId, signed);
      // A token that was stored is not asked for again.
      expect([write, await storedTokens(documentId)]).toEqual([write, [first ?? expect.any(String)]]);
      if (first && isKilled) kept.push(stage.asked.length);
      expect([write, await typesTold()]).toEqual([write, ['RestampApplied', 'RestampCreated']]);
      if (!isKilled) break;
    }
    expect(kept.length).toBeGreaterThan(1);
    expect(new Set(kept)).toEqual(new Set([1]));
  });

  test('killed after any write of its creation, a client can create it still, and there is one', async () => {
    let write = 1;
    for (; ; write++) {
      owner = await anOrganization();
      stage.useAuthorities(good());
      const { id: documentId, signed } = await aDegree(stage, owner);
      const post = () => createRestamp(owner.caller, requestFor(documentId), Date.now());
      const isKilled = await killedAt(write, 'after', post);
      await runTasksAt(Date.now() + 600_000);
      const chain = await chains.get(fileOf(documentId));
      await expectApplied(chain?.applied[0]?.restampId ?? '', documentId, signed);
      if (!isKilled) break;
    }
    expect(write).toBeGreaterThan(1);
  });
});

// As the page on restamps says: the newer token tells the time at which the older one is verified.
//
//   authority 1  |---- token 1 ---------------------- expires
//   authority 2                       |-- token 2 ----------------------- now
test.runIf(hasOpenssl)('a token of an expired authority verifies at the time of the next one', async () => {
  const hours = (count: number) => Math.floor(Date.now() / 1000) * 1000 + count * 3_600_000;
  const { id: documentId, signed } = await aDegree(stage, owner);
  const tokens: Buffer[] = [];
  for (const [atMs, endsAtMs] of [
    [hours(-20), hours(-1)],
    [hours(-2), hours(1000)],
  ] as const) {
    stage.useAuthorities(stage.serve(`at-${atMs}`, answeringAs(stage.authority(endsAtMs, () => atMs))));
    const { id } = await createRestamp(owner.caller, requestFor(documentId), atMs);
    expect(await applyRestamp(id, () => atMs)).toBe('applied');
    tokens.push((await openToken(await readRestamp(id))).bytes);
  }
  const at = folder();
  const verifies = (n: number, data: Buffer, ...more: string[]) => {
    const of = ['-data', at.file('stamped', data), '-in', at.file('token', tokens[n] ?? '')];
    return openssl('ts', '-verify', ...of, '-token_in', '-CAfile', stage.sandbox.pki('root.crt'), ...more).ok;
  };
  expect(verifies(1, Buffer.concat([signed, tokens[0] ?? signed]))).toBe(true);
  expect(verifies(0, signed)).toBe(false);
  expect(verifies(0, signed, '-attime', String(hours(-2) / 1000))).toBe(true);
  at.remove();
});

describe('an authority that fails', () => {
  const asked = readRequest;
  const stampOf = (input: Parameters<typeof writeRequest>[0]) =>
    answerTimestamp(writeRequest(input), authority()).then((bytes) => ({ status: 200, bytes }));

  test('is passed over for the next one of the list', async () => {
    const { id, documentId, signed } = await aRestamp();
    const refusing = stage.serve('refusing', async () => ({ status: 503, bytes: Buffer.alloc(0) }));
    stage.useAuthorities(stage.down, refusing, good());
    expect(await applyRestamp(id, Date.now)).toBe('applied');
    expect(stage.asked).toEqual(['down', 'refusing', 'good']);
    await expectApplied(id, documentId, signed);
  });

  test.each([
    ['does not answer', undefined, /did not answer/],
    ['is out of order', async () => ({ status: 503, bytes: Buffer.alloc(0) }), /status 503/],
    ['answers no timestamp', async () => ({ status: 200, bytes: Buffer.from('<html>') }), /cannot be read/],
    [
      'stamps other bytes',
      (request: Buffer) =>
        stampOf({ digest: 'sha256', hash: Buffer.alloc(32, 7), nonce: asked(request).nonce ?? integer(1) }),
      /over something else/,
    ],
    [
      'answers another request',
      (request: Buffer) =>
        stampOf({ digest: 'sha256', hash: asked(request).imprint.hash, nonce: integer(7) }),
      /nonce differs/,
    ],
    [
      'is trusted by nobody',
      async (request: Buffer) => ({
        status: 200,
        bytes: await answerTimestamp(request, stage.authority(Date.now() + DAY_MS, Date.now, 'untrusted')),
      }),
      /does not verify.*UNTRUSTED/,
    ],
    [
      'is no timestamp authority',
      async (request: Buffer) => {
        const { privateKey, certificate } = signerOf(stage.sandbox.authority, '52998224725');
        const key = localKey(privateKey, certificate, []);
        return { status: 200, bytes: await answerTimestamp(request, { ...authority(), key }) };
      },
      /not one for timestamps/,
    ],
  ])(
    'and that %s leaves the restamp with the reason, and nothing in the bucket',
    async (_, answer, reason) => {
      const { id, documentId } = await aRestamp();
      stage.useAuthorities(answer ? stage.serve('bad', answer) : stage.down);
      expect(await applyRestamp(id, Date.now)).toBe('failed');
      const { state, data } = await readRestamp(id);
      expect(state).toBe('ApplyingError');
      expect(data).toMatchObject({
        date: null,
        tokenSha256: null,
        errorReason: expect.stringMatching(reason),
      });
      expect(data.errorReason).toContain('127.0.0.1');
      expect(await storedTokens(documentId)).toEqual([]);
      expect(await typesTold()).toEqual(['RestampApplyingError', 'RestampCreated']);
    },
  );

  test('is asked again later and later: the restamp is updated, and applied when one answers', async () => {
    const { id, documentId, signed } = await aRestamp();
    let clockMs = Date.now();
    const now = () => clockMs;
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      expect(await applyRestamp(id, now)).toBe('failed');
      const { state, data } = await readRestamp(id);
      expect([state, data.attempts]).toEqual(['ApplyingError', attempt]);
      const retryAtMs = Date.parse(data.retryDate ?? '');
      expect(await tasksAbout(id)).toEqual([{ task: 'restamp', dueAt: retryAtMs }]);
      waits.push((retryAtMs - clockMs) / 60_000);
      // A repeated message comes before that time, and does nothing.
      expect(await applyRestamp(id, now)).toBe('nothing to do');
      clockMs = retryAtMs;
      expect(await applyRestamp(id, now)).toBe('tried again');
      expect(await readRestamp(id)).toMatchObject({ state: 'Updated', data: { errorReason: null } });
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 480, 960, 1440, 1440, 1440]);
    stage.useAuthorities(stage.serve('late', answeringAs(stage.authority(clockMs + 400 * DAY_MS, now))));
    expect(await applyRestamp(id, now)).toBe('applied');
    await expectApplied(id, documentId, signed);
  });

  test('is not asked for ever: after ten attempts, when the proof has expired, a client must ask', async () => {
    const { id } = await aRestamp();
    const { archivingExpiringDate } = (await readRestamp(id)).data;
    let clockMs = Date.parse(archivingExpiringDate);
    for (let attempt = 1; attempt <= 10; attempt++) {
      expect(await applyRestamp(id, () => clockMs)).toBe('failed');
      clockMs += DAY_MS;
      expect(await applyRestamp(id, () => clockMs)).toBe(attempt < 10 ? 'tried again' : 'nothing to do');
    }
    expect(await readRestamp(id)).toMatchObject({ state: 'ApplyingError', data: { retryDate: null } });
  });

  test('and has no root here costs nothing: without trust anchors nobody is asked', async () => {
    const { id } = await aRestamp();
    stage.useAuthorities(good());
    vi.stubEnv('Certificates__TrustAnchors', '');
    expect(await applyRestamp(id, Date.now)).toBe('failed');
    vi.stubEnv('Certificates__TrustAnchors', stage.sandbox.pki('root.crt'));
    expect((await readRestamp(id)).data.errorReason).toContain('No trust anchor is configured');
    expect(stage.asked).toEqual([]);
  });
});

describe('a file in the bucket that is not the one that was stored', () => {
  const put = (key: string, text: string) =>
    files('credentials').put(key, Buffer.from(text), { contentType: 'text/xml' });

  test('is not stamped, and the reason says which it is', async () => {
    const { id, documentId, signed } = await aRestamp();
    stage.useAuthorities(good());
    const sha256 = createHash('sha256').update(signed).digest('hex');
    const key = signedKey({ kind: 'degree', id: documentId }, FILE, { sha256 });
    await put(key, '<Forged/>');
    expect(await applyRestamp(id, Date.now)).toBe('failed');
    expect((await readRestamp(id)).data.errorReason).toBe(
      `The file ${key} in the bucket is not the one that was stored.`,
    );
    await files('credentials').remove(key);
    expect(await applyRestamp(id, () => Date.now() + DAY_MS)).toBe('tried again');
    expect(await applyRestamp(id, () => Date.now() + DAY_MS)).toBe('failed');
    expect((await readRestamp(id)).data.errorReason).toContain('is gone from the bucket');
    expect(stage.asked).toEqual([]);
  });

  test('and is an earlier token, is not stamped either', async () => {
    stage.useAuthorities(good());
    const { id: documentId } = await aDegree(stage, owner);
    const first = await createRestamp(owner.caller, requestFor(documentId), Date.now());
    await applyRestamp(first.id, Date.now);
    const [key = ''] = await storedTokens(documentId);
    const second = await createRestamp(owner.caller, requestFor(documentId), Date.now());
    await put(key, 'forged');
    expect(await applyRestamp(second.id, Date.now)).toBe('failed');
    expect((await readRestamp(second.id)).data.errorReason).toContain(key);
  });

  test('and is a token that somebody put there, is not taken: the next attempt has its own', async () => {
    const { id, documentId, signed } = await aRestamp();
    stage.useAuthorities(good());
    await put(`degree/${documentId}/${FILE}.restamp-${id}-1.tst`, 'forged');
    expect(await applyRestamp(id, Date.now)).toBe('failed');
    const tomorrow = () => Date.now() + DAY_MS;
    expect(await applyRestamp(id, tomorrow)).toBe('tried again');
    expect(await applyRestamp(id, Date.now)).toBe('applied');
    await expectApplied(id, documentId, signed);
  });
});
