import { describe, expect, test } from 'vitest';
import { circuit } from '../../../../../functions/hub/domain/providers/circuit.ts';

const LIMITS = { failures: 3, openForMs: 1_000 };

function withClock() {
  let nowMs = 0;
  const breaker = circuit(() => LIMITS);
  const one = { enter: () => breaker.enter(() => nowMs) };
  const call = (outcome: 'answered' | 'failed' | 'not-asked'): boolean => {
    const leave = one.enter();
    leave?.(outcome);
    return leave !== undefined;
  };
  const open = () => {
    for (let at = 0; at < LIMITS.failures; at++) call('failed');
  };
  return { one, call, open, pass: (ms: number) => (nowMs += ms) };
}

describe('a circuit', () => {
  test('opens after so many failures in a row, and refuses at once', () => {
    const { call } = withClock();
    expect([call('failed'), call('failed'), call('failed'), call('answered')]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test('forgets failures at the first answer', () => {
    const { call } = withClock();
    for (let round = 0; round < 5; round++)
      expect([call('failed'), call('failed'), call('answered')]).toEqual([true, true, true]);
  });

  test('lets one call try after a while, and closes when that is answered', () => {
    const { one, open, call, pass } = withClock();
    open();
    pass(999);
    expect(call('answered')).toBe(false);
    pass(1);
    const leave = one.enter();
    expect(leave).toBeDefined();
    expect(one.enter()).toBeUndefined();
    leave?.('answered');
    expect([call('failed'), call('failed'), call('answered')]).toEqual([true, true, true]);
  });

  test('opens for as long again when the trial fails', () => {
    const { open, call, pass } = withClock();
    open();
    pass(1_000);
    expect(call('failed')).toBe(true);
    expect(call('answered')).toBe(false);
    pass(999);
    expect(call('answered')).toBe(false);
    pass(1);
    expect(call('answered')).toBe(true);
  });

  test('lets another call try when the trial never asked', () => {
    const { open, call, pass } = withClock();
    open();
    pass(1_000);
    expect([call('not-asked'), call('answered'), call('answered')]).toEqual([true, true, true]);
  });
});
