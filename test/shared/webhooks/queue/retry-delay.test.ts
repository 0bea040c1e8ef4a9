import { describe, expect, test } from 'vitest';
import { nextAttemptAtMs, retryDelaySeconds } from '../../../../shared/webhooks/queue/record-attempt.ts';
import { POLICY } from '../an-engine.ts';

const NOW = Date.UTC(2027, 0, 1);
const least = () => 0;
const most = () => 0.999_999;
const TEN = Array.from({ length: 10 }, (_, i) => i + 1);

const waits = (n: number, retryAfter?: string, policy = {}): number =>
  (nextAttemptAtMs(n, retryAfter, NOW, { ...POLICY, ...policy }, least) - NOW) / 1000;

describe('the delay before a retry', () => {
  test('grows by the table: at least 15, 16, 31, 96, 271, 640, 1311, 2416, 4111 and 6576 seconds', () => {
    expect(TEN.map((n) => retryDelaySeconds(n, least))).toEqual([
      15, 16, 31, 96, 271, 640, 1311, 2416, 4111, 6576,
    ]);
  });

  test('has a random part of up to 29 seconds times its number', () => {
    expect(TEN.map((n) => retryDelaySeconds(n, most) - retryDelaySeconds(n, least))).toEqual(
      TEN.map((n) => 29 * n),
    );
  });

  test('comes to four hours and a half over ten retries, on average', () => {
    const mean = TEN.reduce((sum, n) => sum + retryDelaySeconds(n, least) + 14.5 * n, 0);
    expect(mean / 3600).toBeCloseTo(4.52, 2);
  });

  test('is shortened or stretched by the factor of the policy', () => {
    expect(waits(4, undefined, { retryFactor: 0.5 })).toBe(48);
    expect(waits(4, undefined, { retryFactor: 2 })).toBe(192);
  });
});

describe('Retry-After', () => {
  test('in seconds or as a date is waited for when it is later than the table', () => {
    expect(waits(1, '120')).toBe(120);
    expect(waits(1, new Date(NOW + 300_000).toUTCString())).toBe(300);
  });

  test('gives way to the table when that is later', () => {
    expect(waits(5, '1')).toBe(271);
    expect(waits(1, new Date(NOW - 300_000).toUTCString())).toBe(15);
  });

  test('is waited for no longer than the policy allows', () => {
    expect(waits(1, '999999999')).toBe(3_600);
    expect(waits(1, 'Fri, 31 Dec 9999 23:59:59 GMT')).toBe(3_600);
    expect(waits(10, '999999999', { retryAfterMaxSeconds: 60 })).toBe(6_576);
  });

  test.each(['', 'soon', '-5', '1e9', '12.5', '99999999999999999999', '2027-01-02', 'Infinity'])(
    'that is none asks for nothing: %j',
    (value) => expect(waits(1, value)).toBe(15),
  );
});
