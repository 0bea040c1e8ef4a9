import { afterEach, expect, test, vi } from 'vitest';
import type { Stored } from '../../../shared/store/collection.ts';
import {
  claim,
  claiming,
  isHeld,
  type Lease,
  released,
  whileLeased,
  whileRenewed,
  withLease,
} from '../../../shared/store/lease.ts';
import { RaceLost } from '../../../shared/store/refusals.ts';
import { transition } from '../../../shared/store/state-machine.ts';
import { type Job, jobStates, jobs, newJob } from './jobs.ts';

afterEach(() => void vi.useRealTimers());

const START_MS = 1_800_000_000_000;
const at = (ms: number) => ({ leaseMs: 1_000, now: () => START_MS + ms });

async function claimed(id: string, ms: number) {
  const job = await jobs.get(id);
  if (!job) throw new Error(`no job ${id}`);
  const held = await claim(jobs, job, at(ms));
  if (!held) throw new Error(`job ${id} is held`);
  return held;
}

/** Ends the work of a worker that claimed the item. */
const finish = (held: Stored<Job>, result: Partial<Job>, also: Parameters<Lease<Job>['finish']>[1] = {}) =>
  whileRenewed(jobs, held, at(0), (lease) => lease.finish(result, also));

//   worker 1  |--claim (fence 1)------ stalls -------------------------- finish (1) refused
//   worker 2               lease ends  |--claim (fence 2)---- finish (2) --|
test('a stalled worker cannot finish what another has claimed since, before or after the other finishes', async () => {
  const { id } = await jobs.create(newJob());
  const first = await claimed(id, 0);
  const second = await claimed(id, 1_000);
  expect([first.fence, second.fence]).toEqual([1, 2]);

  const also = [jobs.creating(newJob({ id: `${id}-also` }))];
  expect(await finish(first, { note: 'first' }, { also })).toBe('lost');
  expect(await finish(second, { note: 'second' })).toBe('finished');
  expect(await finish(first, { note: 'first' })).toBe('lost');
  expect(await jobs.get(`${id}-also`)).toBeUndefined();
  expect((await jobs.get(id))?.note).toBe('second');
});

test('a held item is not claimed until its lease ends', async () => {
  const { id } = await jobs.create(newJob());
  const held = await claimed(id, 0);
  expect([isHeld(held, START_MS + 999), isHeld(held, START_MS + 1_000)]).toEqual([true, false]);
  expect(await claim(jobs, held, at(999))).toBeUndefined();
  expect((await claim(jobs, held, at(1_000)))?.fence).toBe(2);
});

test('of 20 workers that claim one item at once one has it', async () => {
  const job = await jobs.create(newJob());
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => claim(jobs, job, at(0))));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

/** Lets the time of a lease of a second pass, with its renewals. */
async function pass(ms: number, renewed: () => Promise<boolean>) {
  vi.advanceTimersByTime(ms);
  await expect.poll(renewed).toBe(true);
}

test('a lease is renewed while the work goes on, and not after it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { id } = await jobs.create(newJob());
  let ms = 0;
  const time = { leaseMs: 1_000, now: () => START_MS + ms };
  const leaseEnd = async () => ((await jobs.get(id))?.leaseEndsAtMs ?? 0) - START_MS;
  const job = await jobs.get(id);
  if (!job) throw new Error(`no job ${id}`);
  await whileLeased(jobs, job, time, async () => {
    expect(await leaseEnd()).toBe(1_000);
    ms = 900;
    await pass(400, async () => (await leaseEnd()) === 1_900);
    // A note of somebody else does not end the renewals.
    const read = await jobs.get(id);
    if (read) await jobs.change(read, { note: 'please hurry' });
    ms = 1_800;
    await pass(400, async () => (await leaseEnd()) === 2_800);
  });
  expect(vi.getTimerCount()).toBe(0);
  expect(await leaseEnd()).toBe(2_800);
});

test('the work of a lease that is not finished leaves it to its end, as one that throws does', async () => {
  const job = await jobs.create(newJob());
  const failing = whileLeased(jobs, job, at(0), async () => {
    throw new Error('The work failed.');
  });
  await expect(failing).rejects.toThrow('The work failed.');
  const left = await jobs.get(job.id);
  if (!left) throw new Error('no job');
  const work = vi.fn(async () => 'done');
  expect(await whileLeased(jobs, left, at(999), work)).toBe('held');
  expect(work).not.toHaveBeenCalled();
  expect(await whileLeased(jobs, left, at(1_000), work)).toBe('done');
});

test('of 20 workers that create one item at once one holds it, with what the claim writes', async () => {
  const job = newJob();
  const work = async ({ finish: end }: Lease<Job>) => end({ wakeAtMs: 7 });
  const claims = Array.from({ length: 20 }, () =>
    whileLeased(jobs, job, { ...at(0), patch: { note: 'mine' } }, work),
  );
  const outcomes = await Promise.all(claims);
  expect(outcomes.filter((outcome) => outcome !== 'held')).toEqual(['finished']);
  expect(await jobs.get(job.id)).toMatchObject({ note: 'mine', wakeAtMs: 7, fence: 1 });
});

test('a refusal of another write of the last commit is no lost lease', async () => {
  const [job, other] = [await jobs.create(newJob()), await jobs.create(newJob())];
  const also = [jobs.changing({ ...other, version: 'another' }, { note: 'never' })];
  const finishing = whileLeased(jobs, job, at(0), (lease) => lease.finish({ note: 'never' }, { also }));
  await expect(finishing).rejects.toThrow(RaceLost);
  expect(await jobs.get(job.id)).not.toHaveProperty('note');
});

//   worker 1  |--item (fence 1)--- stalls ------------------ renewal: refused
//   worker 2     |--deletes it, and creates it for another work (fence 1)--|
test('an item that was deleted and created again is of its new holder, though the fence is the same', async () => {
  const held = await jobs.create(newJob({ fence: 1, note: 'first' }));
  await jobs.delete(held);
  const { id } = await jobs.create({ ...newJob({ fence: 1, note: 'second' }), id: held.id });
  const end = await whileRenewed(jobs, held, { ...at(0), when: { note: 'first' } }, ({ finish: end }) =>
    end({}),
  );
  expect([end, (await jobs.get(id))?.note]).toEqual(['lost', 'second']);
});

test('a worker that is late but has no successor still finishes', async () => {
  const { id } = await jobs.create(newJob());
  const held = await claimed(id, 0);
  expect(await finish(held, { note: 'late' })).toBe('finished');
  expect(await jobs.get(id)).not.toHaveProperty('leaseEndsAtMs');
});

test('a note by someone else meanwhile does not cost the worker its work', async () => {
  const { id } = await jobs.create(newJob());
  const held = await claimed(id, 0);
  await jobs.change(held, { note: 'please hurry' });
  await finish(held, { wakeAtMs: 7 });
  expect(await jobs.get(id)).toMatchObject({ note: 'please hurry', wakeAtMs: 7, fence: 1 });
});

test('the fence goes on growing after an item was given back', async () => {
  const { id } = await jobs.create(newJob());
  await finish(await claimed(id, 0), {});
  const again = await claimed(id, 1);
  expect(again.fence).toBe(2);
});

// worker    |--pickedUp (fence 1)----------------- signed: refused
// operator            |--canceled--|
test('what was canceled under the worker stays canceled', async () => {
  const job = await jobs.create(newJob());
  const held = await transition(jobs, jobStates, job, 'pickedUp', claiming(job, at(0)));
  await transition(jobs, jobStates, held, 'canceled');
  const signed = transition(jobs, jobStates, held, 'signed', released, withLease(held));
  await expect(signed).rejects.toThrow(RaceLost);
  expect((await jobs.get(job.id))?.state).toBe('Canceled');
});

test('work ends with a step of the machine under its lease', async () => {
  const job = await jobs.create(newJob());
  const held = await transition(jobs, jobStates, job, 'pickedUp', claiming(job, at(0)));
  await jobs.change(held, { note: 'seen' });
  await transition(jobs, jobStates, held, 'signed', released, withLease(held));
  expect(await jobs.get(job.id)).toMatchObject({ state: 'Done', note: 'seen', fence: 1 });
});
