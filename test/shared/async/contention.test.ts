import { expect, test } from 'vitest';
import { fairProcessor, PRECEDENCE_MS } from '../../../shared/async/contention.ts';

const MAX = 50;
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
  pass(5_001);
  expect(slotsFor(flood, MAX)).toBe(MAX);
});

test('calls that wait for something do not count', () => {
  const { begin, slotsFor, pass } = atClock();
  const ends = Array.from({ length: 10 }, () => begin(flood));
  pass(1_001);
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
