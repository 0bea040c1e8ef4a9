import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { BACKGROUND, fairProcessor, type ServiceCall } from '../../../shared/async/contention.ts';
import { fairSemaphore } from '../../../shared/async/fair-semaphore.ts';

const MAX = 50;
const PRECEDENCE_MS = 50;
const YOUNG_MS = 1_000;
const flood = { service: 'documents', application: 'flood' };
const other = { service: 'session', application: 'other' };

function atClock() {
  let nowMs = 0;
  const contention = fairProcessor(() => nowMs);
  return {
    ...contention,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('an application alone in a process may use all of it', () => {
  const { begin, slotsFor } = atClock();
  for (let n = 0; n < 20; n++) begin(flood);
  expect(slotsFor(flood, MAX)).toBe(MAX);
});

test('with another one there it computes one call at a time, until the other has been gone for a while', () => {
  const { begin, slotsFor, pass } = atClock();
  begin(flood);
  begin(other)();
  expect(slotsFor(flood, MAX)).toBe(1);
  pass(5_000);
  expect(slotsFor(flood, MAX)).toBe(MAX);
});

test('calls that wait for something do not count', () => {
  const { begin, slotsFor, pass } = atClock();
  const ends = Array.from({ length: 10 }, () => begin(flood));
  pass(1_000);
  begin(other);
  expect(slotsFor(flood, MAX)).toBe(11);
  expect(slotsFor(flood, 5)).toBe(5);
  for (const end of ends) end();
  pass(PRECEDENCE_MS);
  expect(slotsFor(flood, MAX)).toBe(1);
});

test('a call may wait for another of the same application at another service', () => {
  const { begin, slotsFor } = atClock();
  begin(other);
  begin(flood);
  expect(slotsFor({ ...flood, service: 'session' }, MAX)).toBe(1);
  const { begin: alone, slotsFor: slotsAlone } = atClock();
  alone(flood);
  alone({ ...flood, service: 'session' });
  expect(slotsAlone(flood, MAX)).toBe(MAX);
});

test('a call of who used less goes before the next one of who used more, for a moment', () => {
  const { begin, slotsFor, pass } = atClock();
  const first = begin(flood);
  pass(100);
  first();
  begin(other);
  expect(slotsFor(flood, MAX)).toBe(0);
  expect(slotsFor(other, MAX)).toBe(1);
  pass(PRECEDENCE_MS);
  expect(slotsFor(flood, MAX)).toBe(1);
});

test('what an application used is forgotten with time, so that nobody waits for ever', () => {
  const { begin, slotsFor, pass } = atClock();
  const once = begin(flood);
  pass(100);
  once();
  for (let n = 0; n < 20; n++) {
    const call = begin(other);
    pass(100);
    call();
  }
  begin(other);
  expect(slotsFor(flood, MAX)).toBe(1);
});

test('a call that continues another one of its application lets nobody go first', () => {
  const { begin, slotsFor, pass } = atClock();
  const first = begin(flood);
  pass(100);
  first();
  begin(other);
  expect(slotsFor(flood, MAX)).toBe(0);
  expect(slotsFor({ ...flood, isContinued: true }, MAX)).toBe(1);
});

test('work that no caller waits for has a turn, and takes none of a caller', () => {
  const { begin, slotsFor } = atClock();
  const work = { service: 'documents', application: BACKGROUND };
  begin(work);
  expect(slotsFor(flood, MAX)).toBe(MAX);
  begin(flood);
  expect(slotsFor(work, MAX)).toBe(1);
});

/** Calls as the middleware makes them: each waits for a slot, and says that it runs. */
function atSemaphore() {
  const [contention, semaphore] = [fairProcessor(), fairSemaphore()];
  return async (call: ServiceCall, maxWaitMs: number) => {
    const slot = await semaphore.acquire(
      JSON.stringify(call),
      {
        slots: Number.POSITIVE_INFINITY,
        get slotsPerKey() {
          return contention.slotsFor(call, MAX);
        },
        get nextChangeMs() {
          return contention.nextChangeMs(call);
        },
        maxWaiting: Number.POSITIVE_INFINITY,
      },
      { maxWaitMs },
    );
    const end = slot && contention.begin(call);
    const leave = () => {
      end?.();
      slot?.release();
    };
    return end && { end: leave };
  };
}

// A host calls itself: the other call waits for this one, so none ends and none begins while this one waits.
//
//   other   |--runs until the waiting call has run----------------------|
//   flood   |--used more: waits PRECEDENCE_MS--|--runs--|
//
// Timers count in whole milliseconds, from the beginning of their turn: only real ones fire before their time.
test('no call sleeps when it may run, in 10,000 rounds', async () => {
  let runs = 0;
  const round = async () => {
    const call = atSemaphore();
    const earlier = await call(flood, 0);
    await turn();
    earlier?.end();
    await call(other, 0);
    if (!(await call(flood, 20_000))) throw new Error('It slept until its patience was over.');
    runs += 1;
  };
  const rounds = async () => {
    for (let n = 0; n < 10; n++) await round();
  };
  await Promise.all(Array.from({ length: 1_000 }, rounds));
  expect(runs).toBe(10_000);
});

afterEach(() => void vi.useRealTimers());

test('a call begins when the one before it is known to wait for something, though none ends', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  const call = atSemaphore();
  (await call(other, 0))?.end();
  await call(flood, 0);
  const second = call(flood, 60_000);
  await vi.advanceTimersByTimeAsync(YOUNG_MS - 1);
  expect(await Promise.race([second, 'waits'])).toBe('waits');
  await vi.advanceTimersByTimeAsync(2);
  expect(await Promise.race([second, 'waits'])).not.toBe('waits');
});
