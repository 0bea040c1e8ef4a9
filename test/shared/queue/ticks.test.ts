import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { scheduleHandler } from '../../../shared/queue/schedule.ts';
import { sendAll } from '../../../shared/queue/send.ts';
import { spreadTicks, type Tick, tickHandler } from '../../../shared/queue/ticks.ts';
import { aQueue, SERVICE, type TestQueue } from './a-queue.ts';

const NOON_MS = Date.UTC(2026, 10, 3, 12);
let queue: TestQueue;
let nowMs: number;
const now = (): number => nowMs;

beforeEach(async () => {
  queue = await aQueue();
  nowMs = NOON_MS;
});
afterEach(() => {
  vi.restoreAllMocks();
});

const ticker = (everySeconds: number) =>
  ({ service: SERVICE, queue: queue.name, everySeconds, now }) as const;
const tick = (dueAtMs: number) => ({ body: { dueAtMs } });
const quiet = () => vi.spyOn(process.stderr, 'write').mockImplementation(() => true);

test.each([
  [5, [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55]],
  [30, [0, 30]],
  [60, [0]],
  [25, [0, 25, 50]],
])(
  'a poll every %i s gets its ticks of a minute, each with the time it is due',
  async (everySeconds, seconds) => {
    const mock = mockClient(SQSClient);
    mock.send.callThrough();
    onTestFinished(() => mock.restore());
    await spreadTicks(ticker(everySeconds));
    const sent = mock
      .commandCalls(SendMessageBatchCommand)
      .flatMap((call) => call.args[0].input.Entries ?? []);
    expect(sent.map(({ DelaySeconds }) => DelaySeconds)).toEqual(seconds);
    expect(sent.map(({ MessageBody = '' }) => JSON.parse(MessageBody))).toEqual(
      seconds.map((second) => ({ dueAtMs: NOON_MS + second * 1_000 })),
    );
  },
);

test('only the first tick is there at once', async () => {
  await spreadTicks(ticker(5));
  const looked = vi.fn(async (_: Tick) => undefined);
  expect(await queue.deliver(tickHandler(ticker(5), looked))).toEqual({ delivered: 1, failed: 0 });
  expect(looked).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ dueAtMs: NOON_MS }));
});

test.each([0, 61, 2.5, Number.NaN])('ticks every %d s are refused', async (everySeconds) => {
  await expect(spreadTicks(ticker(everySeconds))).rejects.toThrow('every 1 to 60 whole seconds');
});

test('after an outage the ticks that piled up are dropped, and only the latest looks', async () => {
  await sendAll(
    SERVICE,
    queue.name,
    [-3600, -60, -6, -4].map((second) => tick(NOON_MS + second * 1_000)),
  );
  const looked = vi.fn(async (_: Tick) => undefined);
  expect(await queue.deliver(tickHandler(ticker(5), looked))).toEqual({ delivered: 4, failed: 0 });
  expect(looked.mock.calls.map(([{ dueAtMs }]) => (dueAtMs - NOON_MS) / 1_000)).toEqual([-4]);
});

test('a tick that fails is logged and is not delivered again', async () => {
  const stderr = quiet();
  await sendAll(SERVICE, queue.name, [tick(NOON_MS)]);
  const handler = tickHandler(ticker(5), async () => {
    throw new Error('provider is down');
  });
  expect(await queue.deliver(handler)).toEqual({ delivered: 1, failed: 0 });
  expect(await queue.deadLetters()).toEqual([]);
  expect(String(stderr.mock.calls[0]?.[0])).toContain('provider is down');
});

test('what is no tick goes to the dead-letter queue', async () => {
  quiet();
  await sendAll(SERVICE, queue.name, [{ body: { dueAtMs: 'noon' } }]);
  await queue.deliver(tickHandler(ticker(5), async () => undefined));
  expect(await queue.deadLetters()).toHaveLength(1);
});

test('a scheduled task gets a clock and a logger that names it, and its failure is logged and thrown', async () => {
  const stderr = quiet();
  const handler = scheduleHandler(
    'session',
    'sweep-expired',
    async (task) => {
      task.logger.warn('Looking.', { atMs: task.now() });
      throw new Error('table is gone');
    },
    now,
  );
  await expect(handler()).rejects.toThrow('table is gone');
  const lines = stderr.mock.calls.map(([line]) => JSON.parse(String(line)));
  expect(lines).toEqual([
    expect.objectContaining({
      service: 'session',
      task: 'sweep-expired',
      message: 'Looking.',
      atMs: NOON_MS,
    }),
    expect.objectContaining({ level: 'ERROR', task: 'sweep-expired', message: 'A scheduled task failed.' }),
  ]);
});
