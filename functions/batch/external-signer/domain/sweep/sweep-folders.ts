import { type Deadline, deadlineIn, leftMs } from '../../../../../shared/async/deadline.ts';
import { forEachConcurrently } from '../../../../../shared/async/for-each-concurrently.ts';
import { isPermanent, PlatformUnreachable } from '../../../../../shared/platform/errors.ts';
import type { PendingDocument } from '../../../../../shared/platform/shapes.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { externalService, hasExternalService } from '../../../config/external-service.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { counting } from '../../../operations/domain/metrics.ts';
import { type BoundFolders, boundFolders, profilesBoundTo } from '../../../profiles/domain/bound-folders.ts';
import { recordFolders } from '../../../profiles/domain/missing-folders.ts';
import { say } from '../../../sentences/sentences.ts';
import { settings } from '../../../settings.ts';
import { type Look, makePass, type Pass, type PassEnd } from '../pass.ts';
import { wakeChecks } from '../signer-message.ts';
import { dropChecks, listChecks } from './checks.ts';
import { type FolderPlaces, keepingPlaces, readPlaces } from './folder-places.ts';
import { type BoundFolder, type FoundDocument, takeDocuments } from './take-document.ts';

// A folder with more documents than fit is gone on with at the next sweep, at the page where this one stopped.
const FOLDER_MS = 60_000;

// Documents are taken after so many, and read side by side where the list does not show their flow.
const GROUP_SIZE = 10;

/**
 * One pass over the bound folders: each document that waits for a holder becomes a job. A folder that fails does not
 * stop the others.
 */
export async function sweepFolders(look: Look): Promise<void> {
  const isMade = await makePass('sweep', look, (pass) => sweepOnce(pass, look));
  // Those of folders that were not swept from one end to the other.
  if (isMade && hasExternalService() && (await listChecks()).length > 0) await wakeChecks();
}

async function sweepOnce(pass: Pass, look: Look): Promise<void> {
  try {
    const swept = await sweepAll(pass.last, look);
    await pass.end(...endOf(swept, pass.last, look.now()));
  } catch (error) {
    const writes = [counting('bulk_signer_folder_sweep_errors_total', { op: 'pass' })];
    const failure: Swept = {
      cursor: pass.last.cursor,
      errors: [`The sweep failed: ${textOf(error)}`],
      writes,
    };
    await pass.end(...endOf(failure, pass.last, look.now()));
    throw error;
  }
}

type Swept = {
  /** The folder that the next pass begins with; null where this one came to the end. */
  readonly cursor: string | null;
  readonly errors: readonly string[];
  /** Counts, and the places of folders. */
  readonly writes: readonly Write[];
};

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** How the pass is recorded. The first failure after a good pass is an event, and not each of an outage. */
function endOf({ cursor, errors, writes }: Swept, last: PassEnd, nowMs: number): [PassEnd, readonly Write[]] {
  const lastError = errors[0] ?? null;
  if (lastError === null) return [{ cursor, failures: 0, lastError }, writes];
  const message =
    errors.length > 1
      ? say('sweep.failed-with-others', { error: lastError ?? '', count: errors.length - 1 })
      : say('sweep.failed', { error: lastError ?? '' });
  const event = last.failures === 0 ? recordingEvent({ type: 'SignerSweepFailed', message }, nowMs) : [];
  return [{ cursor, failures: last.failures + 1, lastError }, [...writes, ...event]];
}

async function sweepAll(last: PassEnd, look: Look): Promise<Swept> {
  if (!hasExternalService()) return { cursor: null, errors: [], writes: [] };
  const bound = await boundFolders();
  const before = await readPlaces();
  const places: FolderPlaces = new Map(before);
  const startedAtMs = look.now();
  const [found, missing] = [new Set<string>(), new Set<string>()];
  const [done, errors]: [string[], string[]] = [[], []];
  let cursor: string | null = null;
  for (const folderId of beginningWith(bound, last.cursor)) {
    if (!look.hasTime()) {
      cursor = folderId;
      break;
    }
    try {
      const outcome = await sweepFolder(
        { folderId, profiles: await profilesBoundTo(folderId) },
        places,
        look,
      );
      (outcome === 'missing' ? missing : found).add(folderId);
      if (outcome !== 'unfinished') done.push(folderId);
    } catch (error) {
      errors.push(`Folder ${folderId}: ${textOf(error)}`);
      // One line when it begins, and not one for each sweep of an outage.
      look.logger[last.failures === 0 ? 'warn' : 'debug']('A signer folder cannot be swept.', {
        folderId,
        error,
      });
    }
  }
  await recordFolders({ bound: [...bound.keys()], found, missing });
  // What was notified before is seen now.
  await dropChecks(done, startedAtMs);
  const counted = errors.map(() => counting('bulk_signer_folder_sweep_errors_total', { op: 'folder' }));
  return { cursor, errors, writes: [...counted, ...keepingPlaces(places, before, new Set(bound.keys()))] };
}

/** The folders in order, and those before the first one at the end: a pass that ran out of time starves none. */
function beginningWith(bound: BoundFolders, first: string | null): readonly string[] {
  const folders = [...bound.keys()].toSorted();
  const isBefore = (folder: string): boolean => first !== null && folder < first;
  return [...folders.filter((folder) => !isBefore(folder)), ...folders.filter(isBefore)];
}

// A folder that does not fit into the time of one sweep:
//
//   sweep 1   |--pages 1, 2, 3--| out of time: place = page 3
//   sweep 2   |--pages 3, 4, 5--| the end: no place, and unfinished, because it saw only a part
//   sweep 3   |--pages 1, ...
//
// A failure loses the place: it may be the place that the platform does not know any more. A platform that is busy
// keeps it, or a limit of calls would never let the sweep come further.

/** Takes the documents of a folder, as far as the time goes. */
async function sweepFolder(
  folder: BoundFolder,
  places: FolderPlaces,
  look: Look,
): Promise<'done' | 'unfinished' | 'missing'> {
  const { folderId } = folder;
  const deadline = deadlineIn(FOLDER_MS, look.now);
  const from = places.get(folderId);
  places.delete(folderId);
  if (!(await externalService.readFolder(folderId, deadline))) return 'missing';
  let reached = from;
  const keepPlace = () => reached !== undefined && places.set(folderId, reached);
  try {
    for await (const { items, place } of externalService.pendingInFolder(folderId, deadline, from)) {
      reached = place;
      if (await takePage(folder, items, deadline, look)) continue;
      keepPlace();
      return 'unfinished';
    }
  } catch (error) {
    if (isBusy(error)) keepPlace();
    throw error;
  }
  return from === undefined ? 'done' : 'unfinished';
}

const isBusy = (error: unknown): boolean =>
  error instanceof PlatformUnreachable && error.retryAfterMs !== undefined;

/** Takes the documents of a page. Returns whether there is time for another one. */
async function takePage(
  folder: BoundFolder,
  page: readonly PendingDocument[],
  deadline: Deadline,
  { now, hasTime, logger }: Look,
): Promise<boolean> {
  // A call that is begun must have its time.
  const isInTime = () => hasTime() && leftMs(deadline) >= settings['Signer:RequestTimeout'] * 1000;
  for (let from = 0; from < page.length; from += GROUP_SIZE) {
    if (from > 0 && !isInTime()) return false;
    const { found, failure } = await readFlows(page.slice(from, from + GROUP_SIZE), deadline);
    const taken = await takeDocuments(folder, found, now);
    if (taken > 0) logger.info('A sweep took documents.', { folderId: folder.folderId, taken });
    if (failure) throw failure.error;
  }
  return isInTime();
}

/**
 * A platform whose list does not show the flow is asked for each document. One that is gone by then is left out. Those
 * that were read before a failure are found.
 */
async function readFlows(
  group: readonly PendingDocument[],
  deadline: Deadline,
): Promise<{ readonly found: readonly FoundDocument[]; readonly failure?: { readonly error: unknown } }> {
  const found: FoundDocument[] = [];
  try {
    await forEachConcurrently(GROUP_SIZE, group, async ({ flowActions, ...document }) => {
      if (flowActions) found.push({ ...document, flowActions });
      else found.push(...(await readIfThere(document.id, deadline)));
    });
    return { found };
  } catch (error) {
    return { found, failure: { error } };
  }
}

async function readIfThere(documentId: string, deadline: Deadline): Promise<readonly FoundDocument[]> {
  try {
    return [await externalService.readDocument(documentId, deadline)];
  } catch (error) {
    if (isPermanent(error)) return [];
    throw error;
  }
}
