import { STABLE_CHECKS_AT_ONCE } from '../../shared/files/stable.ts';
import { Unavailable } from './api.ts';
import { isSameLook, type LocalFile, listFiles } from './directory.ts';
import type { Place } from './place.ts';
import { settle } from './settle.ts';
import type { Entry } from './state.ts';
import { resume, take } from './take.ts';
import { entriesOf, jobReader, type Postponed, type Work } from './work.ts';

export type Sync = {
  /** Begins what can be begun, and takes over what has ended. Throws what stands in the way of all files. */
  round(place: Place): Promise<void>;
  /** Whether every file has ended, or nothing more is to be expected. */
  isDone(): boolean;
  /** The names of files that are not signed. */
  failed(): readonly string[];
  /** What the files wait for, in words. */
  waitsFor(): string;
};

const DOWNLOADS_AT_ONCE = 4;
/** Failed files wait for a person: their jobs are looked for more rarely. */
const FAILED_EVERY_MS = 15_000;
/** The service scans its folders every minute. A file that has no job long after is not taken: its profile is disabled. */
const JOBLESS_AFTER_MS = 180_000;

/** Synchronizes a directory, round by round. @example const sync = startSync({ options, state, report, clock }) */
export function startSync(given: Omit<Work, 'jobs' | 'postponed'>): Sync {
  const { options, state, report, clock } = given;
  const jobs = jobReader(state, report, clock.now);
  const work: Work = { ...given, jobs, postponed: new Map() };
  const busy = new Map<string, 'upload' | 'download'>();
  const failures: unknown[] = [];
  const joblessSinceMs = new Map<Entry, number>();
  let candidates = 0;
  /** Whether no task was at work when the directory was listed: one that ends later may leave a file to take. */
  let isQuiet = false;

  function begin(name: string, kind: 'upload' | 'download', run: () => Promise<void>): void {
    busy.set(name, kind);
    run()
      .catch((error: unknown) => failures.push(error))
      .finally(() => busy.delete(name));
  }
  const busyWith = (kind: 'upload' | 'download'): number =>
    [...busy.values()].filter((each) => each === kind).length;

  /** The tasks of several files may fail for one reason. One that nothing helps against comes first. */
  function throwFailure(): void {
    const all = failures.splice(0);
    if (all.length > 0) throw all.find((error) => !(error instanceof Unavailable)) ?? all[0];
  }

  /** Follows files that were renamed, and forgets those that ended and are gone. */
  function follow(local: ReadonlyMap<string, LocalFile>): void {
    for (const entry of [...state.files.values()]) {
      if (local.has(entry.name) || busy.has(entry.name)) continue;
      // A failed file under another name is another file: the new name may be the remedy.
      const renamed =
        entry.state !== 'failed' &&
        [...local.values()].find((file) => isSameLook(file, entry) && !state.files.has(file.name));
      if (!renamed && (entry.state === 'waiting' || entry.state === 'uploading')) continue;
      state.files.delete(entry.name);
      if (!renamed) continue;
      report.say(`${entry.name}: is ${renamed.name} now.`);
      entry.name = renamed.name;
      state.files.set(entry.name, entry);
    }
  }

  function isCandidate(file: LocalFile, local: ReadonlyMap<string, LocalFile>): boolean {
    if (busy.has(file.name)) return false;
    const wait = work.postponed.get(file.name);
    if (wait && (wait.untilMs > clock.now() || isGivenUp(wait))) return false;
    const entry = state.files.get(file.name);
    if (entry) return (entry.state === 'failed' || entry.state === 'signed') && !isSameLook(entry, file);
    // It is being uploaded under its former name.
    return ![...state.files.values()].some((each) => !local.has(each.name) && isSameLook(each, file));
  }

  const isGivenUp = ({ endsAtMs }: Postponed): boolean => options.once && endsAtMs <= clock.now();

  const jobless = (): Entry[] =>
    entriesOf(state, 'waiting').filter((entry) => {
      if (entry.job) return false;
      const sinceMs = joblessSinceMs.get(entry) ?? clock.now();
      joblessSinceMs.set(entry, sinceMs);
      return clock.now() - sinceMs >= JOBLESS_AFTER_MS;
    });

  return {
    async round(place) {
      throwFailure();
      isQuiet = busy.size === 0;
      const local = await listFiles(options.dir);
      for (const name of work.postponed.keys()) if (!local.has(name)) work.postponed.delete(name);
      follow(local);
      const found = [...local.values()].filter((file) => isCandidate(file, local));
      candidates = found.length;
      const isFailedDue =
        entriesOf(state, 'failed').length > 0 && clock.now() - jobs.readAtMs() >= FAILED_EVERY_MS;
      if (candidates > 0 || isFailedDue || entriesOf(state, 'uploading', 'waiting').length > 0)
        await jobs.read(place);
      for (const entry of entriesOf(state, 'uploading'))
        if (!busy.has(entry.name)) begin(entry.name, 'upload', () => resume(entry, work, place));
      for (const entry of entriesOf(state, 'waiting')) {
        const { name, job } = entry;
        if (job?.status === 'Completed' && !busy.has(name) && busyWith('download') < DOWNLOADS_AT_ONCE)
          begin(name, 'download', () => settle(entry, job.id, work, place));
      }
      for (const { name } of found)
        if (busyWith('upload') < STABLE_CHECKS_AT_ONCE) begin(name, 'upload', () => take(name, work, place));
    },
    isDone: () =>
      isQuiet &&
      busy.size === 0 &&
      failures.length === 0 &&
      candidates === 0 &&
      [...work.postponed.values()].every(isGivenUp) &&
      entriesOf(state, 'uploading', 'waiting').length === jobless().length,
    failed: () => [
      ...new Set([
        ...[...entriesOf(state, 'failed'), ...jobless()].map(({ name }) => name),
        ...work.postponed.keys(),
      ]),
    ],
    waitsFor() {
      const [waiting, failed] = [entriesOf(state, 'uploading', 'waiting'), entriesOf(state, 'failed')];
      const parts = [
        ...(busy.size > 0 ? [`${busy.size} on the way`] : []),
        ...(waiting.length > 0 ? [`${waiting.length} at the service (${statuses(waiting)})`] : []),
        ...(failed.length > 0 ? [`${failed.length} failed`] : []),
      ];
      const files = parts.length > 0 ? `Files: ${parts.join(', ')}. ` : '';
      return options.once ? files : `${files}Waiting for files in ${options.dir}. Ctrl-C ends.`;
    },
  };
}

/** @example '2 Processing, 1 AwaitingApproval' */
function statuses(waiting: readonly Entry[]): string {
  const byStatus = Map.groupBy(waiting, ({ job }) => job?.status ?? 'without a job yet');
  return [...byStatus].map(([status, all]) => `${all.length} ${status}`).join(', ');
}
