import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listEvents } from '../../../../functions/batch/operations/domain/list-events.ts';
import { installLogSink } from '../../../../functions/batch/operations/domain/log-sink/install.ts';
import type { LogSink } from '../../../../functions/batch/operations/domain/log-sink/sink.ts';
import { metricsLedger } from '../../../../functions/batch/operations/domain/metrics.ts';
import type { EventType } from '../../../../functions/batch/operations/event-types.ts';
import { logger } from '../../../../shared/log/logger.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { forFile } from '../../../runner/for-file.ts';
import { logOf } from '../../../shared/http/log-of.ts';
import { ownStores } from '../../own-stores.ts';

const LIMIT = 40;
const log = logger('batch');

/** What happens to a command of the store, by its name: it passes, never arrives, or its answer is lost. */
let fate: (command: string) => 'passes' | 'fails' | 'answer lost' = () => 'passes';
let attempts = 0;

await forFile(ownStores());
vi.stubEnv('LogSink__Enabled', 'true');
const sink = installLogSink(Date.now) as LogSink;
dynamo().middlewareStack.add(
  (next, { commandName = '' }) =>
    async (args) => {
      if (commandName === 'TransactWriteItemsCommand') attempts += 1;
      const decided = fate(commandName);
      if (decided === 'fails') throw new Error('The store does not answer.');
      const answer = await next(args);
      if (decided === 'answer lost') throw new Error('The connection was closed.');
      return answer;
    },
  { step: 'initialize', name: 'fate' },
);
beforeEach(() => {
  vi.stubEnv('LogSink__QueueLimit', String(LIMIT));
  attempts = 0;
});
afterEach(() => {
  fate = () => 'passes';
  vi.restoreAllMocks();
});

/** Cuts the pause before the next attempt short. */
const hurriedAttempts = (): number => {
  void sink.flush();
  return attempts;
};

const eventsOf = async (type: EventType, text: string) =>
  (await listEvents({ type, text, page: 1, pageSize: 200 })).items;
const counted = async (metric: string) =>
  (await metricsLedger.read((readNode) => readNode(''))).get(metric) ?? 0;

test('warnings and errors become events as they are printed: without secrets, with their job and error', async () => {
  const jobId = randomUUID();
  await logOf(async () => {
    log.info(`Not kept ${jobId}`);
    logger('session').error(`Of another service ${jobId}`);
    log.warn(`A file of 52998224725 waits.`, { jobId, reason: 'The share is full.' });
    const error = new TypeError(`password=secret ${'x y '.repeat(600)}`);
    log.with({ jobId }).error('A job failed.', { error });
    log.warn('Recorded already.', { event: 'JobFailed', jobId });
    await sink.flush();
  });
  const [warning] = await eventsOf('LogWarning', jobId);
  expect(warning).toMatchObject({
    message: 'A file of ***.982.247-** waits. The share is full.',
    jobId,
    code: null,
  });
  const [error] = await eventsOf('LogError', jobId);
  expect(error?.message).toMatch(/^A job failed\. TypeError: password=\[redacted\] x y .*…$/);
  expect(error?.message.length).toBe(1_000);
  expect((await listEvents({ text: jobId, page: 1, pageSize: 10 })).totalCount).toBe(2);
});

//   logged   |--- 100 ---|        |-- 30 --|
//   store    |------- down -------------------|-- up --
//   queue    |--- 40, and 90 are dropped -----|
test('an outage under load is one outage: what is kept and what is dropped are what was logged, in its order', async () => {
  const name = randomUUID();
  const before = [await counted('bulk_log_sink_outages_total'), await counted('bulk_log_sink_dropped_total')];
  fate = () => 'fails';
  await logOf(async () => {
    for (let n = 0; n < 100; n++) log.warn(`${name} ${n}`);
    // Whoever logs has not waited for the store: it has been asked for nothing yet.
    expect(attempts).toBe(0);
    for (const expected of [1, 2, 3]) {
      await expect.poll(() => attempts).toBeGreaterThanOrEqual(expected);
      void sink.flush();
    }
    for (let n = 100; n < 130; n++) log.warn(`${name} ${n}`);
    fate = () => 'passes';
    await sink.flush();
  });
  const kept = (await eventsOf('LogWarning', name)).map(({ message }) => message);
  expect(kept.toReversed()).toEqual(Array.from({ length: LIMIT }, (_, n) => `${name} ${n}`));
  expect([
    (await counted('bulk_log_sink_outages_total')) - (before[0] ?? 0),
    (await counted('bulk_log_sink_dropped_total')) - (before[1] ?? 0),
  ]).toEqual([1, 130 - LIMIT]);
  const outages = await eventsOf('LogSinkOutage', 'could not be written');
  expect(outages).toHaveLength(1);
  expect(outages[0]?.message).toMatch(/ from \S+Z to \S+Z\. 90 entries of the log were dropped/);
});

test('entries that a burst drops are counted, though the store answers', async () => {
  const before = await counted('bulk_log_sink_dropped_total');
  await logOf(async () => {
    for (let n = 0; n < LIMIT + 5; n++) log.warn(`burst ${n}`);
    await sink.flush();
  });
  expect((await counted('bulk_log_sink_dropped_total')) - before).toBe(5);
});

test('an entry whose write was answered by nothing is in the event log once', async () => {
  const name = randomUUID();
  fate = () => 'answer lost';
  await logOf(async () => {
    log.warn(name);
    await expect.poll(() => attempts).toBeGreaterThanOrEqual(1);
    // The answer is on its way: the fate of the next attempt is another.
    fate = () => 'passes';
    await expect.poll(hurriedAttempts).toBeGreaterThan(1);
    await sink.flush();
  });
  expect(await eventsOf('LogWarning', name)).toHaveLength(1);
});

test('entries that were dropped are counted once, though the write of their count was answered by nothing', async () => {
  vi.stubEnv('LogSink__QueueLimit', '1');
  const before = await counted('bulk_log_sink_dropped_total');
  fate = () => (attempts === 2 ? 'answer lost' : 'passes');
  await logOf(async () => {
    log.warn('written at once');
    log.warn('dropped');
    await expect.poll(hurriedAttempts).toBeGreaterThan(2);
    await sink.flush();
  });
  expect((await counted('bulk_log_sink_dropped_total')) - before).toBe(1);
  expect(await eventsOf('LogWarning', 'One entry of the log was dropped by a full queue')).toHaveLength(1);
});

test('a line that the write of an entry causes is no entry', async () => {
  const name = randomUUID();
  // Every commit folds its ledgers, and no ledger can be read.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  fate = (command) => (command === 'QueryCommand' ? 'fails' : 'passes');
  const { lines } = await logOf(async () => {
    log.warn(name);
    await sink.flush();
  });
  expect(lines.filter(({ message }) => String(message).startsWith('A ledger was not folded'))).not.toEqual(
    [],
  );
  expect(attempts).toBe(1);
});

test('an engine that stops writes what waits', async () => {
  const name = randomUUID();
  fate = () => 'fails';
  const works = (globalThis as unknown as Record<symbol, Set<() => Promise<void>>>)[
    Symbol.for('sinete.on-stop')
  ];
  await logOf(async () => {
    log.error(name);
    await expect.poll(() => attempts).toBeGreaterThanOrEqual(1);
    fate = () => 'passes';
    await Promise.all([...(works ?? [])].map((work) => work()));
  });
  expect(await eventsOf('LogError', name)).toHaveLength(1);
});

test('nothing is installed where the setting is off', () => {
  vi.stubEnv('LogSink__Enabled', 'false');
  expect(installLogSink(Date.now)).toBeUndefined();
  vi.stubEnv('LogSink__Enabled', 'true');
  expect(installLogSink(Date.now)).toBe(sink);
});
