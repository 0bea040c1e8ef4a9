import { afterEach, describe, expect, test, vi } from 'vitest';
import { clearJobs } from '../../../../functions/batch/jobs/domain/clear-jobs.ts';
import { type InputHeld, whileInputHeld } from '../../../../functions/batch/storage/domain/input-lease.ts';
import { files } from '../../../../shared/files/files.ts';
import { bucketName } from '../../../../shared/settings/names.ts';
import { forFile } from '../../../runner/for-file.ts';
import { OPERATOR } from '../jobs/jobs-in-state.ts';
import { arrivalStage, onceAt, watchingS3 } from './arrival-stage.ts';

const stage = await forFile(arrivalStage());
afterEach(() => {
  vi.useRealTimers();
});

const HOUR_MS = 3_600_000;
const keyOf = (name: string) => `input/inbox/${name}`;
const leaseOf = (name: string) => `${keyOf(name)}.lease`;
const leaseUntil = (untilMs: number, holder = 'scanner 7') =>
  JSON.stringify({ holder, until: new Date(untilMs).toISOString() });
const OWN = `sinete ${bucketName('batch')}`;

describe('while a job is staged', () => {
  test('a file that another process holds is not signed: job.input-held, and both files stay', async () => {
    const lease = leaseUntil(Date.now() + HOUR_MS);
    await stage.put(leaseOf('held.bin'), lease);
    await stage.drop('held.bin', 'content');
    await stage.run();
    const [job] = await stage.jobsOf('held.bin');
    expect(job).toMatchObject({ state: 'Failed', errorCode: 'job.input-held', staged: null });
    expect(job?.errorMessage).toContain('scanner 7');
    expect(await stage.textOf(keyOf('held.bin'))).toBe('content');
    expect(await stage.textOf(leaseOf('held.bin'))).toBe(lease);
    expect(await stage.keysOf('output/held')).toEqual([]);
    expect(await stage.keysOf(`processing/${job?.id}`)).toEqual([]);
  });

  test.each([
    ['has ended', () => leaseUntil(Date.now() - 1)],
    ['a killed worker of this service left', () => leaseUntil(Date.now() + HOUR_MS, OWN)],
  ])('a lease that %s is replaced, and the file is signed', async (what, lease) => {
    const name = `${what.slice(0, 3)}.bin`;
    await stage.put(leaseOf(name), lease());
    await stage.drop(name, 'content');
    await stage.run();
    expect(await stage.jobsOf(name)).toMatchObject([{ state: 'Completed', errorCode: null }]);
    expect(await stage.keysOf(keyOf(name))).toEqual([]);
  });

  test.each([
    ['no JSON', 'held'],
    ['no time', '{"holder":"scanner 7","until":"later"}'],
    ['no holder', '{"until":"2020-01-01T00:00:00Z"}'],
    ['more than a lease', JSON.stringify({ holder: 'x'.repeat(5_000), until: '2020-01-01T00:00:00Z' })],
  ])('a lease with %s stands until it is removed', async (what, lease) => {
    const name = `${what.replaceAll(' ', '-')}.bin`;
    await stage.put(leaseOf(name), lease);
    await stage.drop(name, 'content');
    await stage.run();
    const [job] = await stage.jobsOf(name);
    expect(job).toMatchObject({ state: 'Failed', errorCode: 'job.input-held' });
    expect(job?.errorMessage).toContain(`${name}.lease`);
    expect(await stage.textOf(leaseOf(name))).toBe(lease);
  });

  //   other    |--puts its lease--|
  //   service  |--no lease------------|--puts its own, only if there is none: refused--|--held--|
  test('a lease that another process puts at the same moment is not replaced', async () => {
    const lease = leaseUntil(Date.now() + HOUR_MS);
    await stage.drop('race.bin', 'content');
    const other = onceAt('PutObject', /race\.bin\.lease$/, () => stage.put(leaseOf('race.bin'), lease));
    await watchingS3({ before: other }, () => stage.run());
    expect(await stage.jobsOf('race.bin')).toMatchObject([{ errorCode: 'job.input-held' }]);
    expect(await stage.textOf(leaseOf('race.bin'))).toBe(lease);
  });
});

describe('while an input is deleted', () => {
  /** Signs a file that another process takes hold of when the output is written. */
  const heldAtDeletion = async (name: string, lease: string) => {
    await stage.drop(name, 'content');
    const other = onceAt('PutObject', /^output\//, () => stage.put(leaseOf(name), lease));
    await watchingS3({ after: other }, () => stage.run());
    const [job] = await stage.jobsOf(name);
    return job?.id ?? '';
  };

  test('a file that another process holds stays until that time, and is deleted then', async () => {
    const untilMs = Date.now() + HOUR_MS / 2;
    const lease = leaseUntil(untilMs);
    const id = await heldAtDeletion('later.bin', lease);
    expect(await stage.job(id)).toMatchObject({ state: 'Completed', errorCode: null });
    await stage.sweep(60_000);
    expect(await stage.textOf(keyOf('later.bin'))).toBe('content');
    expect(await stage.textOf(leaseOf('later.bin'))).toBe(lease);
    vi.useFakeTimers({ toFake: ['Date'], now: untilMs + 1_000 });
    await stage.sweep();
    expect(await stage.keysOf(keyOf('later.bin'))).toEqual([]);
    expect(await stage.job(id)).toMatchObject({ state: 'Completed', errorCode: null });
  });

  test('one with a lease that cannot be read stays until the lease is removed, and is looked at every hour', async () => {
    const id = await heldAtDeletion('unread.bin', 'mine');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR_MS + 1_000 });
    await stage.sweep();
    expect(await stage.textOf(keyOf('unread.bin'))).toBe('content');
    await stage.remove(leaseOf('unread.bin'));
    vi.setSystemTime(Date.now() + HOUR_MS + 1_000);
    await stage.sweep();
    expect(await stage.keysOf(keyOf('unread.bin'))).toEqual([]);
    expect(await stage.job(id)).toMatchObject({ state: 'Completed', errorCode: null });
  });

  test('the job of such a file is not cleared before: its input is to be deleted by it', async () => {
    const untilMs = Date.now() + HOUR_MS / 2;
    const id = await heldAtDeletion('cleared.bin', leaseUntil(untilMs));
    const clear = () => clearJobs(OPERATOR, { deadlineAtMs: Date.now() + HOUR_MS }, Date.now);
    await clear();
    expect(await stage.job(id)).toMatchObject({ state: 'Completed' });
    vi.useFakeTimers({ toFake: ['Date'], now: untilMs + 1_000 });
    await clear();
    expect(await stage.keysOf(keyOf('cleared.bin'))).toEqual([]);
    await expect(stage.job(id)).rejects.toThrow('There is no job');
  });

  test('a refused file that another process holds is moved when that time is over', async () => {
    await stage.upload('wanted.bin', 'first');
    await stage.run();
    const untilMs = Date.now() + HOUR_MS / 2;
    await stage.put(leaseOf('wanted.bin'), leaseUntil(untilMs));
    await stage.drop('wanted.bin', 'second');
    const [refused] = (await stage.jobsOf('wanted.bin')).filter(({ state }) => state === 'Failed');
    expect(refused).toMatchObject({ errorCode: 'file.already-processed' });
    expect(await stage.textOf(keyOf('wanted.bin'))).toBe('second');
    vi.useFakeTimers({ toFake: ['Date'], now: untilMs + 1_000 });
    await stage.sweep();
    expect(await stage.keysOf(keyOf('wanted.bin'))).toEqual([]);
    expect(await stage.textOf(`error/${refused?.id}/wanted.bin`)).toBe('second');
  });
});

test('the lease of the service exists while it stages and while it deletes, and at no other time', async () => {
  await stage.drop('brief.bin', 'content');
  const steps: string[] = [];
  await watchingS3(
    {
      after: ({ command, key }) =>
        void (/^(Put|Copy|Delete)/.test(command) && steps.push(`${command} ${key}`)),
    },
    () => stage.run(),
  );
  const [job] = await stage.jobsOf('brief.bin');
  expect(steps).toEqual([
    `PutObject ${leaseOf('brief.bin')}`,
    `CopyObject processing/${job?.id}/brief.bin`,
    `DeleteObject ${leaseOf('brief.bin')}`,
    'PutObject output/brief.bin.p7m',
    `PutObject ${leaseOf('brief.bin')}`,
    `DeleteObject ${keyOf('brief.bin')}`,
    // The lease and the staged copy, in one call.
    'DeleteObjects ',
  ]);
  expect(await stage.keysOf(leaseOf('brief.bin'))).toEqual([]);
  expect(await stage.keysOf(`processing/${job?.id}/`)).toEqual([]);
});

test('an upload needs no lease: nobody else knows its key', async () => {
  await stage.upload('alone.bin', 'content');
  const leases: string[] = [];
  await watchingS3({ before: ({ key }) => void (key.endsWith('.lease') && leases.push(key)) }, () =>
    stage.run(),
  );
  expect(leases).toEqual([]);
});

describe('long work', () => {
  const KEY = 'input/inbox/long.bin';
  const lease = async () => JSON.parse((await stage.textOf(`${KEY}.lease`)) ?? '{}');

  test('renews the lease, and removes it at its end', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    await whileInputHeld(
      files('batch'),
      KEY,
      async () => {
        const first = await lease();
        expect(first.holder).toBe(OWN);
        await vi.advanceTimersByTimeAsync(40_000);
        await expect.poll(async () => (await lease()).until).not.toBe(first.until);
      },
      Date.now,
    );
    expect(await stage.keysOf(KEY)).toEqual([]);
  });

  test('that outlasts its lease leaves the one that another process has put', async () => {
    let nowMs = Date.now();
    const others = leaseUntil(nowMs + HOUR_MS);
    await whileInputHeld(
      files('batch'),
      KEY,
      async () => {
        nowMs += 121_000;
        await stage.put(`${KEY}.lease`, others);
      },
      () => nowMs,
    );
    expect(await stage.textOf(`${KEY}.lease`)).toBe(others);
    const held = whileInputHeld(
      files('batch'),
      KEY,
      async () => undefined,
      () => nowMs,
    );
    await expect(held).rejects.toMatchObject({ name: 'InputHeld' } satisfies Partial<InputHeld>);
  });
});
