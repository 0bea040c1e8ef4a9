import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createDegree } from '../../../../functions/credentials/degrees/domain/degrees.ts';
import { items } from '../../../../functions/credentials/items/domain/item.ts';
import { applyRestamp } from '../../../../functions/credentials/restamps/domain/apply-restamp.ts';
import { chains } from '../../../../functions/credentials/restamps/domain/chain.ts';
import { createRestamp } from '../../../../functions/credentials/restamps/domain/create-restamp.ts';
import { restampWhenDue } from '../../../../functions/credentials/restamps/domain/restamp-when-due.ts';
import { forFile } from '../../../runner/for-file.ts';
import { servePlatform } from '../../../servers/platform-server.ts';
import { sign } from '../../documents/endpoints/signing/calls.ts';
import { ownOrganization } from '../../documents/own-organization.ts';
import { runTasks as runDocumentTasks } from '../../documents/stage/run-tasks.ts';
import {
  aDegree,
  anOrganization,
  answeringAs,
  DAY_MS,
  FILE,
  readRestamp,
  requestFor,
  restampStage,
  runTasks,
  runTasksAt,
  SIGNER,
  stampBy,
  tasksAbout,
} from './stage.ts';

const BEFORE_MS = 30 * DAY_MS; // Restamps:BeforeExpiry

let owner: Awaited<ReturnType<typeof anOrganization>>;
/** The clock of the workers and of the test's authorities. */
let clockMs: number;
const now = () => clockMs;
let startMs: number;
const inDays = (days: number) => startMs + days * DAY_MS;

const stage = await forFile(restampStage());
beforeEach(async () => {
  owner = await anOrganization();
  startMs = Math.floor(Date.now() / 1000) * 1000;
  clockMs = startMs;
});

/** Serves an authority that is certified until that day, and has restamps made by it. */
function useAuthorityUntil(days: number) {
  const authority = stage.authority(inDays(days), now);
  stage.useAuthorities(stage.serve(`until-${days}`, answeringAs(authority)));
  return authority;
}

const fileOf = (id: string) => ({ kind: 'degree', id, name: FILE }) as const;
const openOf = async (id: string) => (await chains.get(fileOf(id)))?.openId ?? '';
const looksAt = async (id: string) => (await tasksAbout(id)).filter(({ task }) => task === 'restampFile');

describe('a signed file with a timestamp', () => {
  // The file is signed at the document platform, whose signatures carry timestamps, and comes back by the usual way.
  test('that was taken is looked at again before its timestamp expires; one without a timestamp is not', async () => {
    const platform = await servePlatform();
    const { key } = await ownOrganization();
    vi.stubEnv('Signer__BaseAddress', platform.url);
    vi.stubEnv('Signer__ApiKey', key);
    const endsAtMs = inDays(100);
    const url = stage.serve('platform', answeringAs(stage.authority(endsAtMs, now)));
    const studies = { studentName: 'Maria', studentSocialName: null, studentCpf: SIGNER, course: 'Direito' };
    const request = { ...studies, version: '1.05', instituteId: owner.instituteId };
    const { id } = await createDegree(owner.caller, request, Date.now());
    await runTasks();
    const { files } = (await items.get({ kind: 'degree', id })) ?? { files: [] };
    for (const { name, document } of files) {
      vi.stubEnv('Signatures__TimestampAuthorities', name === FILE ? url : undefined);
      const answer = await sign(key, { id: document?.id ?? '' }, stage.holder(SIGNER));
      expect(answer.json()).toMatchObject({ success: true });
    }
    await runDocumentTasks();
    vi.stubEnv('Signatures__TimestampAuthorities', undefined);

    await runTasksAt(Date.now() + 120_000);
    expect(await items.get({ kind: 'degree', id })).toMatchObject({ state: 'Concluded' });
    expect(await looksAt(id)).toEqual([{ task: 'restampFile', dueAt: endsAtMs - BEFORE_MS }]);
    for (const name of ['Signer__BaseAddress', 'Signer__ApiKey']) vi.stubEnv(name, undefined);
    platform.stop();
  });

  test('is stamped when the time has come and not before, and again before that token expires', async () => {
    const stamp = stampBy(stage.authority(inDays(100), now));
    const { id } = await aDegree(stage, owner, { stamp });
    const authority = useAuthorityUntil(400);

    clockMs = inDays(70) - 1000;
    expect(await restampWhenDue(fileOf(id), now)).toBe('later');
    expect(await looksAt(id)).toEqual([{ task: 'restampFile', dueAt: inDays(70) }]);
    expect(await chains.get(fileOf(id))).toBeUndefined();

    clockMs = inDays(70);
    expect(await restampWhenDue(fileOf(id), now)).toBe('created');
    const first = await openOf(id);
    expect(await readRestamp(first)).toMatchObject({
      ...{ state: 'Created', createdAtMs: clockMs, organizationId: owner.organizationId },
      data: { archivingExpiringDate: new Date(inDays(100)).toISOString(), earlierRestampIds: [] },
    });
    // Whatever finds the time has come once more finds the open one.
    expect(await restampWhenDue(fileOf(id), now)).toBe('nothing to do');
    expect(await applyRestamp(first, now)).toBe('applied');
    expect(await readRestamp(first)).toMatchObject({
      state: 'Applied',
      data: {
        date: new Date(clockMs).toISOString(),
        archivingExpiringDate: new Date(authority.key.certificate.notAfterMs).toISOString(),
      },
    });
    expect(await looksAt(id)).toEqual([{ task: 'restampFile', dueAt: inDays(370) }]);

    clockMs = inDays(369);
    expect(await restampWhenDue(fileOf(id), now)).toBe('later');
    useAuthorityUntil(800);
    clockMs = inDays(370);
    expect(await restampWhenDue(fileOf(id), now)).toBe('created');
    const second = await openOf(id);
    expect(await applyRestamp(second, now)).toBe('applied');
    expect((await readRestamp(second)).data.earlierRestampIds).toEqual([first]);
    expect(await looksAt(id)).toEqual([{ task: 'restampFile', dueAt: inDays(770) }]);
  });

  test('is looked at by the settings of that time', async () => {
    const { id } = await aDegree(stage, owner, { stamp: stampBy(stage.authority(inDays(100), now)) });
    useAuthorityUntil(400);
    clockMs = inDays(71);
    vi.stubEnv('Restamps__BeforeExpiry', '10.00:00:00');
    expect(await restampWhenDue(fileOf(id), now)).toBe('later');
    expect(await looksAt(id)).toEqual([{ task: 'restampFile', dueAt: inDays(90) }]);
    vi.stubEnv('Restamps__BeforeExpiry', undefined);
    expect(await restampWhenDue(fileOf(id), now)).toBe('created');
    await runTasks();
  });

  test('waits for an authority to be configured', async () => {
    const { id } = await aDegree(stage, owner, { stamp: stampBy(stage.authority(inDays(20), now)) });
    stage.useAuthorities();
    expect(await restampWhenDue(fileOf(id), now)).toBe('later');
    expect(await looksAt(id)).toEqual([{ task: 'restampFile', dueAt: clockMs + DAY_MS }]);
    stage.useAuthorities(stage.timestampUrl);
    expect(await restampWhenDue(fileOf(id), now)).toBe('created');
    await runTasks();
  });

  // Every token of such an authority would be due the moment that it is made.
  test('is not stamped over and over by an authority that is near its own expiry', async () => {
    const { id } = await aDegree(stage, owner, { stamp: stampBy(stage.authority(inDays(20), now)) });
    useAuthorityUntil(20);
    const dueAt: number[] = [];
    for (let count = 0; count < 5; count++) {
      expect(await restampWhenDue(fileOf(id), now)).toBe('created');
      expect(await applyRestamp(await openOf(id), now)).toBe('applied');
      expect(await restampWhenDue(fileOf(id), now)).toBe('later');
      const [look] = await looksAt(id);
      dueAt.push((look?.dueAt ?? 0) - inDays(0));
      clockMs = look?.dueAt ?? 0;
      // Half of the time that is left, then a day: tokens have whole seconds.
      clockMs = Math.ceil(clockMs / 1000) * 1000;
    }
    expect(dueAt.map((ms) => ms / DAY_MS)).toEqual([10, 15, 17.5, 18.75, 19.75]);
  });
});

describe('a signed file without a timestamp', () => {
  test('has nothing that expires: no look is recorded, until a client has it stamped', async () => {
    const { id } = await aDegree(stage, owner);
    useAuthorityUntil(400);
    clockMs = inDays(5000);
    expect(await restampWhenDue(fileOf(id), now)).toBe('nothing to do');
    expect(await looksAt(id)).toEqual([]);

    clockMs = inDays(0);
    const { id: restampId, data } = await createRestamp(owner.caller, requestFor(id), clockMs);
    // Until then its signature can be verified by itself.
    const { notAfterMs } = stage.holder(SIGNER).certificate;
    expect(data.archivingExpiringDate).toBe(new Date(notAfterMs).toISOString());
    expect(await applyRestamp(restampId, now)).toBe('applied');
    expect(await looksAt(id)).toEqual([{ task: 'restampFile', dueAt: inDays(370) }]);
    await runTasks();
  });

  test('or an item that is not there, or not signed, is left alone', async () => {
    const { id } = await aDegree(stage, owner, { isSigned: false });
    expect(await restampWhenDue(fileOf(id), now)).toBe('nothing to do');
    expect(await restampWhenDue(fileOf(randomUUID()), now)).toBe('nothing to do');
    expect(await applyRestamp(randomUUID(), now)).toBe('nothing to do');
  });
});
