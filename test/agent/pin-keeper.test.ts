import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { KeyStore, PresentResult } from '../../agent/keys/key-store.ts';
import { DEFAULT_TIMES, pinKeeper } from '../../agent/pin-keeper.ts';

const HOUR_MS = 3_600_000;
const ACCEPTED: PresentResult = { kind: 'accepted', certificates: [] };

/** A token that takes one PIN, and remembers what it was shown. */
function token(right = '4321') {
  const presented: string[] = [];
  let locks = 0;
  const store = {
    present: async (pin: string): Promise<PresentResult> => {
      presented.push(pin);
      return pin === right ? ACCEPTED : { kind: 'rejected' };
    },
    lock: () => {
      locks += 1;
    },
  } as unknown as KeyStore;
  return { store, presented, locks: () => locks };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the PIN in use', () => {
  test('is the one that the token took, and none before that', async () => {
    const { store } = token();
    const keeper = pinKeeper(store, DEFAULT_TIMES);
    expect(keeper.inUse()).toBeUndefined();
    await keeper.type('1111');
    expect(keeper.inUse()).toBeUndefined();
    await keeper.type('4321');
    expect(keeper.inUse()).toBe('4321');
  });

  test('is forgotten after eight hours without use, and what it opened is shut', async () => {
    const { store, locks } = token();
    const keeper = pinKeeper(store, DEFAULT_TIMES);
    await keeper.type('4321');
    vi.advanceTimersByTime(7 * HOUR_MS);
    keeper.markUsed();
    vi.advanceTimersByTime(7 * HOUR_MS);
    expect(keeper.inUse()).toBe('4321');
    vi.advanceTimersByTime(HOUR_MS);
    expect(locks()).toBe(1);
    expect(keeper.inUse()).toBeUndefined();
  });

  test('is not kept by looking at it', async () => {
    const keeper = pinKeeper(token().store, DEFAULT_TIMES);
    await keeper.type('4321');
    for (let hour = 0; hour < 8; hour++) {
      expect(keeper.inUse()).toBe('4321');
      vi.advanceTimersByTime(HOUR_MS);
    }
    expect(keeper.inUse()).toBeUndefined();
  });

  test('is forgotten by a machine that slept for as long, whose timers slept too', async () => {
    let now = 0;
    const keeper = pinKeeper(token().store, DEFAULT_TIMES, () => now);
    await keeper.type('4321');
    now = 8 * HOUR_MS;
    expect(keeper.inUse()).toBeUndefined();
  });
});

describe('three rejections in a row', () => {
  test('are followed by five minutes in which nothing is shown to the token', async () => {
    const { store, presented } = token();
    const keeper = pinKeeper(store, DEFAULT_TIMES);
    for (const pin of ['1', '2', '3']) expect(await keeper.type(pin)).toEqual({ kind: 'rejected' });
    expect(await keeper.type('4321')).toEqual({ kind: 'resting', untilMs: Date.now() + 5 * 60_000 });
    expect(presented).toEqual(['1', '2', '3']);
    vi.advanceTimersByTime(5 * 60_000 - 1);
    expect(keeper.restsUntilMs()).toBe(Date.now() + 1);
    vi.advanceTimersByTime(1);
    expect(keeper.restsUntilMs()).toBeUndefined();
    expect(await keeper.type('4321')).toEqual(ACCEPTED);
  });

  test('count only in a row', async () => {
    const keeper = pinKeeper(token().store, DEFAULT_TIMES);
    for (const pin of ['1', '2', '4321', '3', '4']) await keeper.type(pin);
    expect(keeper.restsUntilMs()).toBeUndefined();
  });

  test('count one by one, however many are typed at once', async () => {
    const { store, presented } = token();
    const keeper = pinKeeper(store, DEFAULT_TIMES);
    await Promise.all(['1', '2', '3', '4', '5'].map((pin) => keeper.type(pin)));
    expect(presented).toEqual(['1', '2', '3']);
  });

  test('count with the one in use that the token does not take any more', async () => {
    const keeper = pinKeeper(token().store, DEFAULT_TIMES);
    await keeper.type('4321');
    keeper.markRejected();
    expect(keeper.inUse()).toBeUndefined();
    await keeper.type('1');
    await keeper.type('2');
    expect(keeper.restsUntilMs()).toBeDefined();
  });
});
