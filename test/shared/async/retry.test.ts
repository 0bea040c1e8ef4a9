import { describe, expect, test } from 'vitest';
import { jitteredBackoff, retry } from '../../../shared/async/retry.ts';

const transient = new Error('transient');
const isRetryable = (error: unknown): boolean => error === transient;

const failing = (times: number, error = transient) => {
  let attempts = 0;
  const work = async (attempt: number): Promise<number> => {
    attempts = attempt;
    if (attempt <= times) throw error;
    return attempt;
  };
  return { work, attempts: () => attempts };
};

describe('a retry', () => {
  test('attempts the work until it succeeds', async () => {
    expect(await retry(failing(2).work, { maxAttempts: 3, isRetryable })).toBe(3);
  });

  test('throws the last failure when the attempts are used up', async () => {
    const { work, attempts } = failing(9);
    await expect(retry(work, { maxAttempts: 3, isRetryable })).rejects.toBe(transient);
    expect(attempts()).toBe(3);
  });

  test('throws at once what does not pass by itself', async () => {
    const { work, attempts } = failing(9, new Error('final'));
    await expect(retry(work, { maxAttempts: 3, isRetryable })).rejects.toThrow('final');
    expect(attempts()).toBe(1);
  });

  test('begins no attempt after the deadline, and no pause that would end after it', async () => {
    const { work, attempts } = failing(9);
    const options = { maxAttempts: 9, isRetryable, pauseMs: (n: number) => n, now: () => 100 };
    await expect(retry(work, { ...options, deadlineAtMs: 103 })).rejects.toBe(transient);
    expect(attempts()).toBe(3);
  });
});

test('the pauses of a backoff are random and at most double with every attempt, up to a limit', () => {
  const pauseMs = jitteredBackoff(10, 3);
  for (const [attempt, maxMs] of [
    [1, 20],
    [2, 40],
    [3, 80],
    [9, 80],
  ] as const) {
    const pauses = Array.from({ length: 200 }, () => pauseMs(attempt));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(maxMs);
    expect(new Set(pauses).size).toBeGreaterThan(100);
  }
});
