import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { onStop } from '../../../../../shared/async/on-stop.ts';
import { processWide } from '../../../../../shared/async/process-wide.ts';
import { onLogged } from '../../../../../shared/log/logger.ts';
import { settings } from '../../../settings.ts';
import { entryOf } from './log-entry.ts';
import { type Batch, type LogSink, logSink } from './sink.ts';

/** An engine that stops waits no longer for a store that does not answer. */
const STOP_MS = 2_000;

/**
 * Keeps the warnings and errors of the service in the event log, where LogSink:Enabled says so; once in a process. A
 * write begins when its line is logged, so that it is usually over before the answer of a call. On AWS a process is
 * frozen after its answer: an entry that is not written by then is written at its next call, and lost when there is none.
 * @example installLogSink(Date.now);
 */
export function installLogSink(now: () => number): LogSink | undefined {
  return settings['LogSink:Enabled'] ? processWide('batch.log-sink', () => install(now)) : undefined;
}

function install(now: () => number): LogSink {
  // Lines that the sink's own writes cause, such as a ledger that was not folded, would cause further writes.
  const own = new AsyncLocalStorage<true>();
  const sink = logSink({
    limit: () => settings['LogSink:QueueLimit'],
    write: (batch) => own.run(true, () => writeLazily(batch)),
    now,
    pause: (ms, hurry) => wait(ms, undefined, { ref: false, signal: hurry }).catch(() => undefined),
  });
  onLogged((line) => {
    if (line.service !== 'batch' || own.getStore()) return;
    const entry = entryOf(line, now());
    if (entry) sink.accept(entry);
  });
  onStop(() => Promise.race([sink.flush(), wait(STOP_MS, undefined, { ref: false })]));
  return sink;
}

// Loaded with the first entry: most processes have none.
const writeLazily = async (batch: Batch): Promise<void> =>
  (await import('./write-batch.ts')).writeBatch(batch);
