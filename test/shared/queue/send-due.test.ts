import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sendDueMessages } from '../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../shared/queue/schedule.ts';
import { commit } from '../../../shared/store/commit.ts';
import { dueMessage } from '../../../shared/store/due/message.ts';
import { declaredFunctions } from '../../house/functions.ts';
import { aQueue, SERVICE, type TestQueue } from './a-queue.ts';
import { useOwnTable } from './own-table.ts';

const DUE_AT_MS = Date.UTC(2026, 10, 3);
const sweep = scheduleHandler(SERVICE, 'send-due', sendDueMessages(SERVICE), () => DUE_AT_MS);
const leaving = (ms: number) => ({ getRemainingTimeInMillis: () => ms });

let queue: TestQueue;
const record = (bodies: readonly unknown[]) =>
  commit(bodies.map((body) => dueMessage({ service: SERVICE, queue: queue.name, body, dueAtMs: DUE_AT_MS })));
const sentNumbers = async () =>
  (await queue.messages()).map(({ body }) => Number(JSON.parse(body))).sort((a, b) => a - b);
const NUMBERS = Array.from({ length: 40 }, (_, n) => n);

beforeEach(async () => {
  await useOwnTable(SERVICE);
  queue = await aQueue();
});
afterAll(() => {
  vi.unstubAllEnvs();
});

test('a run whose function is about to end begins nothing, and the next run sends all', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  await record(NUMBERS);
  await sweep({}, leaving(5_000));
  written.mockRestore();
  expect(await sentNumbers()).toEqual([]);
  await sweep({}, leaving(60_000));
  expect(await sentNumbers()).toEqual(NUMBERS);
});

test('a message that no queue takes keeps no other of its batch', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  await record([1, 'x'.repeat(300_000), 2]);
  await sweep();
  written.mockRestore();
  expect(await sentNumbers()).toEqual([1, 2]);
});

describe('the shares of a minute', () => {
  const inputsOf = (key: string) =>
    declaredFunctions()
      .filter((each) => each.key === key)
      .flatMap(({ events }) => events.map(({ schedule }) => (schedule as { input: unknown }).input));

  test('as the document platform declares them, send everything once', async () => {
    await record(NUMBERS);
    const inputs = inputsOf('documentsSendDue');
    expect(inputs).toHaveLength(4);
    await Promise.all(inputs.map((input) => sweep(input)));
    expect(await sentNumbers()).toEqual(NUMBERS);
  });

  test('are parts: one alone sends some', async () => {
    await record(NUMBERS);
    await sweep(inputsOf('documentsSendDue')[0]);
    const sent = await sentNumbers();
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThan(NUMBERS.length);
  });

  test('include none that does not exist: it would sweep nothing, and nobody would notice', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    await expect(sweep({ share: 4, of: 4 })).rejects.toThrow('A share is counted from 0');
    written.mockRestore();
  });
});
