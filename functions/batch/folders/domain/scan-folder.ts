import { forEachConcurrently } from '../../../../shared/async/for-each-concurrently.ts';
import type { Files } from '../../../../shared/files/files.ts';
import type { FileInfo, ListedFile } from '../../../../shared/files/get.ts';
import { STABLE_CHECKS_AT_ONCE, waitUntilStable } from '../../../../shared/files/stable.ts';
import type { Work } from '../../../../shared/queue/work.ts';
import { isStoreUnavailable } from '../../../../shared/store/availability.ts';
import { type KnownInput, readInputs } from '../../jobs/domain/job/inputs.ts';
import { type Job, jobs } from '../../jobs/domain/job/job.ts';
import { jobStates } from '../../jobs/domain/job/states.ts';
import { type Profile, readProfile } from '../../profiles/domain/profile.ts';
import { inputFiles } from '../../storage/domain/stores.ts';
import type { InputFolder } from '../../storage-setting.ts';
import { keyPrefixOf } from './folder.ts';
import {
  type FoundFile,
  findProblem,
  isIgnored,
  logProblem,
  type Problem,
  type Taking,
  takeFile,
} from './take-file.ts';

export type ScanRequest = {
  readonly folder: InputFolder;
  readonly profile: Profile;
  /** Where an earlier part of the scan stopped. */
  readonly cursor?: string | undefined;
  /**
   * When the rescan began that this scan belongs to. Files whose last job ended before without a signature run again; a
   * job that the rescan itself made does not, however often its parts come to the file.
   */
  readonly rescanAtMs?: number | undefined;
};

export type Scanner = Work & {
  /** For tests. */
  readonly pause?: (ms: number) => Promise<unknown>;
};

/** Counts of files. In a rescan each one is enqueued, alreadyActive, ignored or an error. */
export type ScanCounts = {
  readonly scanned: number;
  readonly enqueued: number;
  readonly alreadyActive: number;
  readonly ignored: number;
  readonly errors: number;
};

/** A page of a scan: what became of its files, and where the scan stands. */
export type ScannedPage = ScanCounts & {
  readonly enqueuedFiles: readonly string[];
  readonly isDone: boolean;
  /** Where the next part begins, unless the scan is done. */
  readonly cursor?: string | undefined;
};

/**
 * Scans a folder, page by page, and makes jobs of its new files. It ends early when it is out of time, with the cursor
 * to go on with: at the beginning of the page that it did not finish, whose files are known by then. Throws where the
 * store of the folder fails; a single file that fails is counted, and the others are taken.
 * @example for await (const page of scanFolder({ folder, profile }, scanner)) enqueued += page.enqueued;
 */
export async function* scanFolder(request: ScanRequest, scanner: Scanner): AsyncGenerator<ScannedPage> {
  const { folder } = request;
  const store = await inputFiles(folder.share);
  const problems: Problems = new Map();
  try {
    yield* scanPages({ ...request, store, problems }, scanner);
  } finally {
    // These files are found by every scan: a line for all of them.
    for (const [problem, { file, count }] of problems)
      logProblem(scanner.logger, problem, {
        ...{ folder: folder.name, profile: request.profile.name },
        ...{ file, files: count },
      });
  }
}

/** The files of a scan that can become no job: one of them, and how many there are. */
type Problems = Map<Problem, { readonly file: string; readonly count: number }>;

type PagesRequest = ScanRequest & { readonly store: Files; readonly problems: Problems };

async function* scanPages(request: PagesRequest, scanner: Scanner): AsyncGenerator<ScannedPage> {
  const { folder, store } = request;
  let { cursor } = request;
  for (;;) {
    const seenAtMs = scanner.now();
    const page = await store.list(keyPrefixOf(folder), { cursor });
    // A server that repeats its cursor would be asked for ever.
    if (page.cursor !== undefined && page.cursor === cursor)
      throw new Error(`The list of the folder ${folder.name} does not come to an end.`);
    const { isComplete, ...counts } = await scanPage({ ...request, seenAtMs }, page.files, scanner);
    if (isComplete) ({ cursor } = page);
    const isDone = isComplete && cursor === undefined;
    yield { ...counts, isDone, cursor };
    if (isDone || !isComplete || !scanner.hasTime()) return;
  }
}

type PageRequest = PagesRequest & { readonly seenAtMs: number };

/** What a scan does with a file: nothing, or it is taken, as a new one or again. */
type Step = 'ignored' | 'known' | { readonly again?: { readonly lastJobId: string } };

/** What became of a file, and where it is counted. A file that is gone by then was never there. */
type Outcome = Taking | 'changing' | 'gone';
const COUNTED_AS: Readonly<Record<Exclude<Outcome, 'gone'>, keyof ScanCounts>> = {
  enqueued: 'enqueued',
  refused: 'errors',
  active: 'alreadyActive',
  known: 'alreadyActive',
  ignored: 'ignored',
  changing: 'ignored',
  error: 'errors',
};

async function scanPage(request: PageRequest, listed: readonly ListedFile[], scanner: Scanner) {
  const { folder } = request;
  const marker = keyPrefixOf(folder);
  const counts = { scanned: 0, enqueued: 0, alreadyActive: 0, ignored: 0, errors: 0 };
  const enqueuedFiles: string[] = [];
  const count = (file: ListedFile, outcome: Outcome): void => {
    if (outcome === 'gone') return;
    counts.scanned += 1;
    counts[COUNTED_AS[outcome]] += 1;
    if (outcome === 'enqueued') enqueuedFiles.push(file.key.slice(marker.length));
  };

  const found = listed.filter(({ key }) => key !== marker);
  const stepOf = await planPage(request, found);
  const open: { readonly file: ListedFile; readonly again?: { readonly lastJobId: string } }[] = [];
  for (const file of found) {
    const step = stepOf(file);
    if (typeof step === 'string') count(file, step);
    else open.push({ file, ...step });
  }
  // Files that are still written were modified last: the others do not wait for them.
  open.sort((a, b) => a.file.modifiedAtMs - b.file.modifiedAtMs);
  let isComplete = true;
  await forEachConcurrently(STABLE_CHECKS_AT_ONCE, open, async ({ file, again }) => {
    const outcome = scanner.hasTime() ? await takeOne(request, file, again, scanner) : 'out-of-time';
    if (outcome === 'out-of-time') isComplete = false;
    else count(file, outcome);
  });
  return { ...counts, enqueuedFiles: enqueuedFiles.toSorted(), isComplete };
}

const takesFiles = ({ enabled, method }: Profile): boolean => enabled && method !== 'SignerFolder';

/** Decides about the files of a page, with one read of what is known of them. */
async function planPage(
  { folder, profile, rescanAtMs }: PageRequest,
  found: readonly ListedFile[],
): Promise<(file: ListedFile) => Step> {
  const candidates = found.filter(({ key }) => !isIgnored(folder, key));
  // Without a profile that takes files, takeFile says what each one is counted as.
  const known = takesFiles(profile)
    ? await readInputs(
        folder.share,
        candidates.map(({ key }) => key),
      )
    : new Map<string, KnownInput>();
  const isUnchanged = ({ length, etag }: ListedFile, input: KnownInput | undefined) =>
    input?.length === length && input.etag === etag && input.goneAtMs === undefined;
  const unchanged = candidates.filter((file) => isUnchanged(file, known.get(file.key)));
  const lastJobIds = new Map(unchanged.map(({ key }) => [key, known.get(key)?.jobId ?? '']));
  const lastJobs = rescanAtMs === undefined ? [] : await jobs.getMany([...lastJobIds.values()]);
  const jobById = new Map<string, Job>(lastJobs.map((job) => [job.id, job]));
  return ({ key }) => {
    if (isIgnored(folder, key)) return 'ignored';
    const lastJobId = lastJobIds.get(key);
    if (lastJobId === undefined) return {};
    const isAgain = rescanAtMs !== undefined && runsAgain(jobById.get(lastJobId), rescanAtMs);
    return isAgain ? { again: { lastJobId } } : 'known';
  };
}

/**
 * Whether a rescan runs an unchanged file again, by the last job that was made of it:
 *
 *   none any more                 yes
 *   at work                       no
 *   Failed, Canceled              yes, unless an approver rejected it or this rescan made it
 *   Completed                     no: its input is about to be deleted
 *   Completed, input diverged     yes: the file is another than the one that was signed
 */
function runsAgain(job: Job | undefined, rescanAtMs: number): boolean {
  if (!job) return true;
  if (!jobStates.isTerminal(job.state) || job.isRejected || job.createdAtMs >= rescanAtMs) return false;
  return job.state !== 'Completed' || job.errorCode === 'job.input-diverged';
}

async function takeOne(
  { folder, profile, store, seenAtMs, problems }: PageRequest,
  { key, length, etag }: ListedFile,
  again: { readonly lastJobId: string } | undefined,
  scanner: Scanner,
): Promise<Outcome | 'out-of-time'> {
  const { logger, now } = scanner;
  const problem = profile.enabled ? findProblem({ folder, profile, store }, key) : undefined;
  if (problem) {
    const { file, count } = problems.get(problem) ?? { file: key, count: 0 };
    problems.set(problem, { file, count: count + 1 });
    return 'error';
  }
  try {
    let file: FoundFile = { key, length, etag, seenAtMs };
    // A bucket of the service shows whole files. Elsewhere one may still be written.
    if (folder.share !== null && !again && takesFiles(profile)) {
      const stable = await waitForFile(store, key, scanner);
      if (typeof stable === 'string') return stable;
      file = { ...stable, key };
    }
    // A scan takes minutes.
    const current = await readProfile(profile.name);
    if (current?.inputFolder !== folder.name) return 'ignored';
    return await takeFile({ folder, profile: current, store, file, ...(again && { again }), logger }, now());
  } catch (error) {
    if (isStoreUnavailable(error)) throw error;
    logger.error('A file of a folder could not be taken.', { folder: folder.name, file: key, error });
    return 'error';
  }
}

class OutOfTime extends Error {}

/** The file as it is when it is stable. */
async function waitForFile(
  store: Files,
  key: string,
  { now, hasTime, pause }: Scanner,
): Promise<Omit<FoundFile, 'key'> | 'changing' | 'gone' | 'out-of-time'> {
  let last: Omit<FoundFile, 'key'> | undefined;
  const sample = async (): Promise<FileInfo | undefined> => {
    if (!hasTime()) throw new OutOfTime();
    const seenAtMs = now();
    const info = await store.head(key);
    last = info && { length: info.length, etag: info.etag, seenAtMs };
    return info;
  };
  const isSame = (a: FileInfo, b: FileInfo) => a.length === b.length && a.etag === b.etag;
  try {
    const outcome = await waitUntilStable(sample, isSame, { now, ...(pause && { pause }) });
    return outcome === 'stable' ? (last ?? 'gone') : outcome;
  } catch (error) {
    if (error instanceof OutOfTime) return 'out-of-time';
    throw error;
  }
}
