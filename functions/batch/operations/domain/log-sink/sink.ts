import { droppedEntry, type LogEntry, outageEntry } from './log-entry.ts';

/** Entries and counts that are written together, or not at all. */
export type Batch = {
  /** One at least: a batch that was written is known by its entries when it is written again. */
  readonly entries: readonly LogEntry[];
  /** Entries that a full queue has dropped. */
  readonly dropped: number;
  readonly outages: number;
};

type SinkOptions = {
  /** Entries that may wait, those that are being written included. */
  readonly limit: () => number;
  /** Writes a batch. Writing one again that has been written does nothing. */
  readonly write: (batch: Batch) => Promise<void>;
  readonly now: () => number;
  /** Waits so long before a repeat; ends early when `hurry` is aborted. */
  readonly pause: (ms: number, hurry: AbortSignal) => Promise<void>;
};

// An event is three items of a transaction, and a transaction has 100: the rest is for counts.
const MAX_ENTRIES_PER_BATCH = 25;

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
const pauseMs = (attempt: number): number => Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS);

// A store that rejects writes, with a limit of three:
//
//   logged    1   2   3   4   5                        6
//   waiting   1   12  123 123 123                      |--6--|
//   store     |-1 fails-- 1 fails ---- 1 fails -- 1 2 3 --|-- outage: 1, dropped: 2 --|
//
// It is one outage, from the first write that failed to the first that did not, however often it was tried. Entries are
// written in the order in which they were logged.

export type LogSink = ReturnType<typeof logSink>;

/** A queue in front of the event log. Nobody waits for it: `accept` returns at once. */
export function logSink({ limit, write, now, pause }: SinkOptions) {
  const waiting: LogEntry[] = [];
  let dropped = 0;
  let lastAtMs = 0;
  let outageSinceMs: number | undefined;
  let draining: Promise<void> | undefined;
  let hurry = new AbortController();

  async function drain(): Promise<void> {
    while (waiting.length > 0 || dropped > 0) {
      // Decided before the first attempt: a batch whose answer was lost is written again as it was.
      const taken = waiting.slice(0, MAX_ENTRIES_PER_BATCH);
      const entries = taken.length > 0 ? taken : [droppedEntry(dropped, now())];
      await writeInTheEnd({ entries, dropped, outages: 0 });
      waiting.splice(0, taken.length);
      if (outageSinceMs !== undefined) await reportOutage(outageSinceMs);
    }
  }

  async function reportOutage(sinceMs: number): Promise<void> {
    const untilMs = now();
    await writeInTheEnd({ entries: [outageEntry({ sinceMs, untilMs, dropped })], dropped, outages: 1 });
    outageSinceMs = undefined;
  }

  async function writeInTheEnd(batch: Batch): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const startedAtMs = now();
      try {
        await write(batch);
        dropped -= batch.dropped;
        return;
      } catch {
        // Not logged: that line would be an entry too.
        outageSinceMs ??= startedAtMs;
        await pause(pauseMs(attempt), hurry.signal);
      }
    }
  }

  const start = (): void => {
    draining ??= drain().finally(() => {
      draining = undefined;
    });
  };

  return {
    accept(entry: LogEntry): void {
      if (waiting.length >= limit()) dropped += 1;
      else {
        // Events are listed by their time, so entries of one millisecond get one each.
        lastAtMs = Math.max(entry.atMs, lastAtMs + 1);
        waiting.push({ ...entry, atMs: lastAtMs });
      }
      start();
    },

    /** Resolves when all is written. Cuts the pause of an outage short, once. */
    async flush(): Promise<void> {
      hurry.abort();
      hurry = new AbortController();
      await draining;
    },
  };
}
