import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sendDueMessages } from '../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../shared/queue/schedule.ts';
import { commit } from '../../../shared/store/commit.ts';
import { dueMessage } from '../../../shared/store/due/message.ts';
import { runInTrace, startTrace } from '../../../shared/trace/trace.ts';
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

test('a message goes on with the id of the work that recorded it, and one without with that of the sweep', async () => {
  const recorders = ['order-1', 'order-2'];
  for (const correlationId of recorders)
    await runInTrace(startTrace({ correlationId }), () => record([correlationId]));
  await record(['nobody']);
  await sweep();
  const sent = (await queue.messages()).map(({ body, attributes }) => ({
    by: JSON.parse(body) as string,
    id: attributes['x-correlation-id'],
  }));
  expect(sent).toHaveLength(3);
  for (const { by, id } of sent)
    if (by === 'nobody') expect(id).toMatch(/^[0-9a-f-]{36}$/);
    else expect(id).toBe(by);
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
