import { forEachConcurrently } from '../../../../../shared/async/for-each-concurrently.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../../shared/store/refusals.ts';
import { goOnInTrace } from '../../../../../shared/trace/spans.ts';
import { continueTrace, runInTrace } from '../../../../../shared/trace/trace.ts';
import { type Job, jobs } from '../../../jobs/domain/job/job.ts';
import { jobList } from '../../../jobs/domain/job/list.ts';
import { observing } from '../../../operations/domain/metrics.ts';
import { type Look, makePass, type Pass } from '../pass.ts';
import { pollJob } from './poll-job.ts';

const CONCURRENT_POLLS = 8;
const ENTRIES_PER_PAGE = 1_000;
const JOBS_PER_REQUEST = 100;
// What is begun then has the rest of the function's 300 s.
const CONCLUDE_FOR_MS = 100_000;
const MAX_PAUSE_MS = 3_600_000;

const waiting = () => jobList({ state: 'AwaitingSigner' });

// A pass begins where the one before stopped, and goes round: so the jobs that were polled least recently come first,
// and nothing is written for a job that still waits.
//
//   jobs     a  b  c  d  e
//   pass 1   |--------|         out of time after c
//   pass 2  -|        |-------  d, e, then a, b, c
//

/**
 * One pass over the jobs in AwaitingSigner. Nothing happens while another makes one, nor before the external service
 * wants to be asked again.
 */
export async function pollSigners(look: Look): Promise<void> {
  if ((await waiting().walk({ oldestFirst: true, limit: 1 })).length === 0) return;
  await makePass('poll', look, (pass) => pollAll(pass, look));
}

async function pollAll(pass: Pass, look: Look): Promise<void> {
  const { now, logger } = look;
  const startedAtMs = now();
  let { cursor } = pass.last;
  let isBusy = false;
  let notBeforeMs = 0;
  const mayGoOn = (): boolean => !isBusy && look.hasTime();
  const mayConclude = (): boolean => look.hasTime() && now() - startedAtMs < CONCLUDE_FOR_MS;
  const poller = { ...look, mayConclude, inTurn: oneAfterAnother() };
  try {
    await forEachConcurrently(CONCURRENT_POLLS, goRound(cursor, mayGoOn), async (job) => {
      cursor = placeOf(job);
      try {
        const busy = await goOnInTrace(job, 'poll', () => pollJob(job, poller));
        if (!busy) return;
        isBusy = true;
        notBeforeMs = Math.max(notBeforeMs, now() + Math.min(busy.retryAfterMs, MAX_PAUSE_MS));
      } catch (error) {
        // Without RaceLost: an operator or another pass was faster, and the job is no longer as it was read.
        if (!(error instanceof RaceLost))
          runInTrace(continueTrace(job.trace), () =>
            logger.error('A job was not polled; the next pass polls it again.', { jobId: job.id, error }),
          );
      }
    });
    await commit([observing('bulk_signer_poll_duration_seconds', {}, (now() - startedAtMs) / 1_000)]);
  } catch (error) {
    const lastError = (error as Error).message;
    await pass.end({ cursor, failures: pass.last.failures + 1, lastError, notBeforeMs });
    throw error;
  }
  await pass.end({ cursor, failures: 0, lastError: null, notBeforeMs });
}

const placeOf = ({ id, createdAtMs }: Job): string => waiting().placeOf(id, createdAtMs);

/** The waiting jobs after a place, then those before it, as long as there is time. */
async function* goRound(from: string | null, mayGoOn: () => boolean): AsyncGenerator<Stored<Job>> {
  const parts = [walk(from, null), ...(from === null ? [] : [walk(null, from)])];
  for (const part of parts)
    for await (const job of part) {
      if (!mayGoOn()) return;
      yield job;
    }
}

/** The waiting jobs after one place, up to another. */
async function* walk(after: string | null, until: string | null): AsyncGenerator<Stored<Job>> {
  for (let place = after; ; ) {
    const page = await waiting().walk({
      oldestFirst: true,
      limit: ENTRIES_PER_PAGE,
      ...(place !== null && { after: place }),
    });
    const due = until === null ? page : page.filter((entry) => entry.place <= until);
    yield* readJobs(due.map(({ id }) => id));
    if (page.length < ENTRIES_PER_PAGE || due.length < page.length) return;
    place = page.at(-1)?.place ?? null;
  }
}

/** The jobs, a hundred in a request. The next ones are read while these are polled. */
async function* readJobs(ids: readonly string[]): AsyncGenerator<Stored<Job>> {
  const read = (from: number): Promise<Stored<Job>[]> => {
    const reading = jobs.getMany(ids.slice(from, from + JOBS_PER_REQUEST));
    // A pass that ends meanwhile does not wait for it.
    reading.catch(() => undefined);
    return reading;
  };
  let next = read(0);
  for (let from = JOBS_PER_REQUEST; ; from += JOBS_PER_REQUEST) {
    const found = await next;
    if (from < ids.length) next = read(from);
    yield* found;
    if (from >= ids.length) return;
  }
}

/** A signed PDF is verified in twice its size in memory: one at a time. */
function oneAfterAnother() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}
