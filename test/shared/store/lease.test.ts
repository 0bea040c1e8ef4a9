import { expect, test } from 'vitest';
import { claim, claiming, extend, finish, isHeld, released, withLease } from '../../../shared/store/lease.ts';
import { RaceLost } from '../../../shared/store/refusals.ts';
import { transition } from '../../../shared/store/state-machine.ts';
import { jobStates, jobs, newJob } from './jobs.ts';

const START_MS = 1_800_000_000_000;
const at = (ms: number) => ({ leaseMs: 1_000, now: () => START_MS + ms });

async function claimed(id: string, ms: number) {
  const job = await jobs.get(id);
  if (!job) throw new Error(`no job ${id}`);
  const held = await claim(jobs, job, at(ms));
  if (!held) throw new Error(`job ${id} is held`);
  return held;
}

//   worker 1  |--claim (fence 1)------ stalls -------------------------- finish (1) refused
//   worker 2               lease ends  |--claim (fence 2)---- finish (2) --|
test('a stalled worker cannot finish what another has claimed since, before or after the other finishes', async () => {
  const { id } = await jobs.create(newJob());
  const first = await claimed(id, 0);
  const second = await claimed(id, 1_000);
  expect([first.fence, second.fence]).toEqual([1, 2]);

  await expect(finish(jobs, first, { note: 'first' })).rejects.toThrow(RaceLost);
  await expect(extend(jobs, first, at(1_100))).rejects.toThrow(RaceLost);
  await finish(jobs, second, { note: 'second' });
  await expect(finish(jobs, first, { note: 'first' })).rejects.toThrow(RaceLost);
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

test('a lease that is extended lasts from then on', async () => {
  const { id } = await jobs.create(newJob());
  const held = await extend(jobs, await claimed(id, 0), at(900));
  expect(await claim(jobs, held, at(1_800))).toBeUndefined();
  expect(await claim(jobs, held, at(1_900))).toBeDefined();
});

test('a worker that is late but has no successor still finishes', async () => {
  const { id } = await jobs.create(newJob());
  const held = await claimed(id, 0);
  expect((await finish(jobs, held, { note: 'late' })).leaseEndsAtMs).toBeUndefined();
});

test('a note by someone else meanwhile does not cost the worker its work', async () => {
  const { id } = await jobs.create(newJob());
  const held = await claimed(id, 0);
  await jobs.change(held, { note: 'please hurry' });
  await finish(jobs, held, { wakeAtMs: 7 });
  expect(await jobs.get(id)).toMatchObject({ note: 'please hurry', wakeAtMs: 7, fence: 1 });
});

test('the fence goes on growing after an item was given back', async () => {
  const { id } = await jobs.create(newJob());
  await finish(jobs, await claimed(id, 0), {});
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
