import { withDeadline } from '../../../../shared/async/deadline.ts';
import type { Logger } from '../../../../shared/log/logger.ts';
import type { Profile } from '../../profiles/domain/profile.ts';
import { settings } from '../../settings.ts';
import type { InputFolder } from '../../storage/setting.ts';
import { explainFailure } from './explain-failure.ts';
import { assignedProfiles, requireFolder } from './folder.ts';
import { recordScan } from './record-scan.ts';
import { type ScanCounts, type Scanner, scanFolder } from './scan-folder.ts';
import { continueScan, type ScanMessage } from './scan-message.ts';

/** What a rescan did in one folder. */
export type RescannedFolder = ScanCounts & {
  readonly name: string;
  readonly path: string;
  /** The names of the files that became jobs, 1,000 at most. */
  readonly enqueuedFiles: readonly string[];
};

export type RescanResult = {
  readonly folders: readonly RescannedFolder[];
  readonly totals: ScanCounts;
  readonly message: string;
};

// For the files under way, then for what is recorded of folders that do not answer.
const RESERVE_MS = 8_000;
const LAST_RESERVE_MS = 4_000;

const MAX_NAMES = 1_000;

const NOTHING: ScanCounts = { scanned: 0, enqueued: 0, alreadyActive: 0, ignored: 0, errors: 0 };

const sum = (a: ScanCounts, b: ScanCounts): ScanCounts => ({
  scanned: a.scanned + b.scanned,
  enqueued: a.enqueued + b.enqueued,
  alreadyActive: a.alreadyActive + b.alreadyActive,
  ignored: a.ignored + b.ignored,
  errors: a.errors + b.errors,
});

type Clock = () => number;

/**
 * Scans all folders at once, or one, and runs their failed and canceled files again. A scan of the watcher may be under
 * way: each file is taken once. Past the time of the call it goes on in the background, folder by folder.
 */
export async function rescan(
  { folder }: { readonly folder?: string | undefined },
  { deadlineAtMs, logger }: { readonly deadlineAtMs: number; readonly logger: Logger },
  now: Clock,
): Promise<RescanResult> {
  const folders = folder === undefined ? settings['Storage:Inputs'] : [requireFolder(folder)];
  const rescanAtMs = now();
  const assigned = await assignedProfiles();
  const hasTime = () => now() < deadlineAtMs - RESERVE_MS;
  const scanner = { logger, now, hasTime };
  const rescanned = await Promise.all(
    folders.map(async (each) => {
      const profile = assigned.get(each.name);
      const request = { folder: each, profile, rescanAtMs };
      if (!profile) return { folder: each, ...UNASSIGNED };
      const withinMs = deadlineAtMs - LAST_RESERVE_MS - now();
      return rescanFolder({ ...request, profile }, scanner, withinMs);
    }),
  );
  return {
    folders: rescanned.map(({ folder: { name, path }, counts, names }) => ({
      name,
      path,
      ...counts,
      enqueuedFiles: names.slice(0, MAX_NAMES),
    })),
    totals: rescanned.map(({ counts }) => counts).reduce(sum, NOTHING),
    message: messageOf(rescanned),
  };
}

type Rescanned = {
  readonly folder: InputFolder;
  readonly counts: ScanCounts;
  readonly names: readonly string[];
  readonly end: 'done' | 'goes-on' | 'failed' | 'unassigned';
  readonly lastError?: string;
};

const UNASSIGNED = { counts: NOTHING, names: [], end: 'unassigned' } as const;

type FolderRequest = {
  readonly folder: InputFolder;
  readonly profile: Profile;
  readonly rescanAtMs: number;
  readonly cursor?: string | undefined;
};

class Late extends Error {}

/** A share may hang for longer than a call. Its scan is then left alone, and begun again in the background. */
async function rescanFolder(request: FolderRequest, scanner: Scanner, withinMs: number): Promise<Rescanned> {
  const { folder, profile, rescanAtMs } = request;
  let counts = NOTHING;
  const names: string[] = [];
  let cursor = request.cursor;
  let isDone = false;
  const scan = async (): Promise<void> => {
    for await (const page of scanFolder(request, scanner)) {
      counts = sum(counts, page);
      names.push(...page.enqueuedFiles);
      ({ cursor, isDone } = page);
    }
  };
  const record = (lastError: string | null): Promise<void> => {
    const outcome = { profileName: profile.name, lastError, enqueued: counts.enqueued };
    return recordScan(folder.name, outcome, scanner.now());
  };
  try {
    await withDeadline(withinMs, scan, () => new Late());
    await record(null);
  } catch (error) {
    if (!(error instanceof Late)) {
      const lastError = explainFailure(folder, error);
      scanner.logger.warn('A folder cannot be scanned.', { folder: folder.name, lastError, error });
      await record(lastError);
      return { folder, counts: sum(counts, { ...NOTHING, errors: 1 }), names, end: 'failed', lastError };
    }
  }
  if (isDone) return { folder, counts, names, end: 'done' };
  await continueScan({ folder: folder.name, rescanAtMs, cursor }, scanner.now);
  return { folder, counts, names, end: 'goes-on' };
}

function messageOf(rescanned: readonly Rescanned[]): string {
  const { scanned, enqueued } = rescanned.map(({ counts }) => counts).reduce(sum, NOTHING);
  const namesOf = (end: Rescanned['end']): string =>
    rescanned
      .filter((each) => each.end === end)
      .map(({ folder: { name } }) => name)
      .join(', ');
  const sentences = [
    `${scanned} files were scanned, and ${enqueued} became jobs.`,
    ...rescanned.map(({ folder: { name }, lastError }) => lastError && `${name}: ${lastError}`),
    namesOf('goes-on') && `The rescan goes on in the background: ${namesOf('goes-on')}.`,
    namesOf('unassigned') && `No profile has selected ${namesOf('unassigned')}: nothing is scanned there.`,
    rescanned.some(({ names }) => names.length > MAX_NAMES) &&
      `Of each folder the first ${MAX_NAMES} names are given.`,
  ];
  return sentences.filter((sentence) => sentence).join(' ');
}

/** Goes on with a rescan of one folder whose call has ended. */
export async function continueRescan(
  { folder: name, cursor, rescanAtMs = 0 }: ScanMessage,
  scanner: Scanner,
): Promise<void> {
  const folder = settings['Storage:Inputs'].find((each) => each.name === name);
  const profile = folder && (await assignedProfiles()).get(name);
  if (!folder || !profile) return;
  const request = { folder, profile, rescanAtMs, cursor };
  const { counts, end } = await rescanFolder(request, scanner, Number.POSITIVE_INFINITY);
  scanner.logger.info('A part of a rescan is done.', { folder: name, ...counts, end });
}
