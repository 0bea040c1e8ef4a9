import { describe, expect, test } from 'vitest';
import { isPermanent } from '../../../shared/platform/errors.ts';
import { clientBeforeServer, failureOf } from './a-client.ts';

const stage = clientBeforeServer();
const { client, pauses, received, within } = stage;

/** The platform is busy for so many calls, and then answers. */
const busyFor = (times: number, retryAfter: string) =>
  stage.answer((_, response) =>
    received.length <= times
      ? response.writeHead(429, { 'retry-after': retryAfter }).end('{"code":"TooManyRequests"}')
      : response.end('{"status":"Pending"}'),
  );

describe('a platform that answers 429', () => {
  test('is asked again after the seconds that Retry-After names', async () => {
    busyFor(2, '7');
    expect(await client.statusOf('d1', within())).toBe('Pending');
    expect(pauses).toEqual([7_000, 7_000]);
    expect(received).toHaveLength(3);
  });

  test('is asked again at the date that Retry-After names', async () => {
    busyFor(1, new Date(stage.now() + 12_000).toUTCString());
    expect(await client.statusOf('d1', within())).toBe('Pending');
    expect(pauses).toEqual([12_000]);
  });

  test.each(['0', 'Thu, 01 Jan 1970 00:00:00 GMT'])(
    'is not asked in a loop when Retry-After is over already: %s',
    async (value) => {
      busyFor(3, value);
      expect(await client.statusOf('d1', within())).toBe('Pending');
      expect(pauses).toEqual([1_000, 1_000, 1_000]);
    },
  );

  test('is an outage with the wait that it asks for when that passes the deadline', async () => {
    busyFor(1, '30');
    const error = await failureOf(client.statusOf('d1', within(30_000)));
    expect(error).toMatchObject({ name: 'PlatformUnreachable', retryAfterMs: 30_000 });
    expect(isPermanent(error)).toBe(false);
    expect([pauses, received.length]).toEqual([[], 1]);
  });

  test('is an outage when it stays busy until the deadline', async () => {
    busyFor(100, '20');
    const error = await failureOf(client.statusOf('d1', within(70_000)));
    expect(error).toMatchObject({ name: 'PlatformUnreachable', retryAfterMs: 20_000 });
    expect(pauses).toEqual([20_000, 20_000, 20_000]);
  });

  test.each(['soon', '-1', '1e3', ''])(
    'is an outage at once when Retry-After cannot be read: "%s"',
    async (value) => {
      busyFor(1, value);
      const error = await failureOf(client.statusOf('d1', within()));
      expect([error.name, error.retryAfterMs, received.length]).toEqual([
        'PlatformUnreachable',
        undefined,
        1,
      ]);
    },
  );
});

test('Retry-After beside another status is not waited for', async () => {
  stage.answerJson({}, 503, { 'retry-after': '1' });
  expect((await failureOf(client.statusOf('d1', within()))).retryAfterMs).toBeUndefined();
  expect(pauses).toEqual([]);
});
