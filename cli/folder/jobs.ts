import { type Api, PAGE_SIZE, type RemoteJob } from './api.ts';
import type { Entry } from './state.ts';

// The list of jobs is read like a log: from the newest back to the mark, which is the newest job of the last reading.
// Times are the service's own, so that no clock of this machine counts:
//
//   jobs    ---a---b---c---d---e---f   newest
//   mark               |
//   reading        |<--overlap, and all that came since
//
// The overlap is for jobs that appear late: instances' clocks differ, and writes take their time.

const OVERLAP_MS = 60_000;
/** 100,000 jobs. Older ones are not looked for. */
const MAX_PAGES = 500;
export const BEGINNING = new Date(0).toISOString();

const before = (time: string, ms: number): string =>
  new Date(Math.max(0, Date.parse(time) - ms)).toISOString();

/** The jobs since a mark, newest first. With an empty mark: the newest, and those just before it. */
export async function jobsSince(api: Api, mark: string): Promise<readonly RemoteJob[]> {
  const found: RemoteJob[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const items = await api.jobs(page);
    found.push(...items);
    const oldest = items.at(-1);
    if (!oldest || items.length < PAGE_SIZE) break;
    if (oldest.createdAt < before(mark || (found[0]?.createdAt ?? ''), OVERLAP_MS)) break;
  }
  return found;
}

/** The mark after a reading. */
export const markOf = (jobs: readonly RemoteJob[], mark: string): string => {
  const newest = jobs[0]?.createdAt ?? BEGINNING;
  return newest > mark ? newest : mark;
};

/** The time of the newest job of a path: a file that is uploaded now has a later one. */
export const newestOf = (jobs: readonly RemoteJob[], path: string): string =>
  jobs.find(({ originalPath }) => originalPath === path)?.createdAt ?? '';

const FAILURES: ReadonlySet<string> = new Set(['Failed', 'Canceled']);

/** Takes over what jobs say about files. Of several jobs of a path the newest counts: an operator may retry. */
export function takeOver(jobs: readonly RemoteJob[], entries: Iterable<Entry>): void {
  const byPath = Map.groupBy(entries, ({ path }) => path);
  for (const job of jobs.toReversed()) {
    // Of two files of one path the later one was uploaded after the job of the earlier one.
    const [entry] = (byPath.get(job.originalPath ?? '') ?? [])
      .filter(({ after, state }) => after < job.createdAt && state !== 'signed')
      .toSorted((a, b) => (a.after < b.after ? 1 : -1));
    if (entry && !(entry.job && entry.job.createdAt > job.createdAt)) applyJob(entry, job);
  }
}

/** Takes over what one job says about its file. */
export function applyJob(entry: Entry, { id, createdAt, status, errorCode, errorMessage }: RemoteJob): void {
  // The problem of an ended file is about its last job; another one begins anew.
  if (entry.state === 'failed' && entry.job?.id === id) return;
  entry.job = { id, createdAt, status };
  entry.state = 'waiting';
  delete entry.problem;
  if (!FAILURES.has(status)) return;
  entry.state = 'failed';
  entry.problem = [status === 'Canceled' ? 'canceled' : errorCode, errorMessage].filter(Boolean).join(': ');
}
