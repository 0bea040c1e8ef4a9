import { type Deadline, deadlineIn, leftMs } from '../../../../../shared/async/deadline.ts';
import { isPermanent } from '../../../../../shared/platform/errors.ts';
import type { PendingDocument } from '../../../../../shared/platform/shapes.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { externalService, hasExternalService } from '../../../external-service.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { counting } from '../../../operations/domain/metrics.ts';
import { type BoundFolders, boundFolders } from '../../../profiles/domain/bound-folders.ts';
import { recordFolders } from '../../../profiles/domain/missing-folders.ts';
import { settings } from '../../../settings.ts';
import type { Looker } from '../looker.ts';
import { claimPass, type PassEnd } from '../pass.ts';
import { dropChecks } from './checks.ts';
import { type BoundFolder, type FoundDocument, takeDocuments } from './take-document.ts';

// A folder with more new documents than fit is gone on with at the next sweep: those that have a job are passed quickly.
const FOLDER_MS = 60_000;

/**
 * One pass over the bound folders: each document that waits for a holder becomes a job. A folder that fails does not
 * stop the others.
 */
export async function sweepFolders(looker: Looker): Promise<void> {
  const pass = await claimPass('sweep', looker.now);
  if (!pass) return;
  try {
    const swept = await sweepAll(pass.last, looker);
    await pass.end(...endOf(swept, pass.last, looker.now()));
  } catch (error) {
    const counted = [counting('bulk_signer_folder_sweep_errors_total', { op: 'pass' })];
    const failure: Swept = {
      cursor: pass.last.cursor,
      errors: [`The sweep failed: ${textOf(error)}`],
      counted,
    };
    await pass.end(...endOf(failure, pass.last, looker.now()));
    throw error;
  }
}

type Swept = {
  /** The folder that the next pass begins with; null where this one came to the end. */
  readonly cursor: string | null;
  readonly errors: readonly string[];
  readonly counted: readonly Write[];
};

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** How the pass is recorded. The first failure after a good pass is an event, and not each of an outage. */
function endOf(
  { cursor, errors, counted }: Swept,
  last: PassEnd,
  nowMs: number,
): [PassEnd, readonly Write[]] {
  const lastError = errors[0] ?? null;
  if (lastError === null) return [{ cursor, failures: 0, lastError }, counted];
  const others = errors.length > 1 ? ` ${errors.length - 1} more folders failed.` : '';
  const message = `A sweep of the signer folders failed. ${lastError}${others}`;
  const event = last.failures === 0 ? recordingEvent({ type: 'SignerSweepFailed', message }, nowMs) : [];
  return [{ cursor, failures: last.failures + 1, lastError }, [...counted, ...event]];
}

async function sweepAll(last: PassEnd, looker: Looker): Promise<Swept> {
  if (!hasExternalService()) return { cursor: null, errors: [], counted: [] };
  const bound = await boundFolders();
  const startedAtMs = looker.now();
  const [found, missing] = [new Set<string>(), new Set<string>()];
  const [done, errors]: [string[], string[]] = [[], []];
  let cursor: string | null = null;
  for (const folderId of beginningWith(bound, last.cursor)) {
    if (!looker.hasTime()) {
      cursor = folderId;
      break;
    }
    try {
      const outcome = await sweepFolder({ folderId, profiles: bound.get(folderId) ?? [] }, looker);
      (outcome === 'missing' ? missing : found).add(folderId);
      if (outcome !== 'unfinished') done.push(folderId);
    } catch (error) {
      errors.push(`Folder ${folderId}: ${textOf(error)}`);
      // One line when it begins, and not one for each sweep of an outage.
      looker.logger[last.failures === 0 ? 'warn' : 'debug']('A signer folder cannot be swept.', {
        folderId,
        error,
      });
    }
  }
  await recordFolders({ bound: [...bound.keys()], found, missing });
  // What was notified before is seen now.
  await dropChecks(done, startedAtMs);
  const counted = errors.map(() => counting('bulk_signer_folder_sweep_errors_total', { op: 'folder' }));
  return { cursor, errors, counted };
}

/** The folders in order, and those before the first one at the end: a pass that ran out of time starves none. */
function beginningWith(bound: BoundFolders, first: string | null): readonly string[] {
  const folders = [...bound.keys()].toSorted();
  const isBefore = (folder: string): boolean => first !== null && folder < first;
  return [...folders.filter((folder) => !isBefore(folder)), ...folders.filter(isBefore)];
}

/** Takes the documents of a folder, as far as the time goes. */
async function sweepFolder(
  folder: BoundFolder,
  { now, hasTime, logger }: Looker,
): Promise<'done' | 'unfinished' | 'missing'> {
  const deadline = deadlineIn(FOLDER_MS, now);
  if (!(await externalService.readFolder(folder.folderId, deadline))) return 'missing';
  let taken = 0;
  let isDone = true;
  for await (const page of externalService.pendingInFolder(folder.folderId, deadline)) {
    taken += await takeDocuments(folder, await withFlows(page, deadline), now);
    // A page that is begun must have the time of a call.
    isDone = hasTime() && leftMs(deadline) >= settings['Signer:RequestTimeout'] * 1000;
    if (!isDone) break;
  }
  if (taken > 0) logger.info('A sweep took documents.', { folderId: folder.folderId, taken });
  return isDone ? 'done' : 'unfinished';
}

/** A platform whose list does not show the flow is asked for each document. One that is gone by then is left out. */
async function withFlows(
  page: readonly PendingDocument[],
  deadline: Deadline,
): Promise<readonly FoundDocument[]> {
  const found: FoundDocument[] = [];
  for (const { flowActions, ...document } of page) {
    if (flowActions) found.push({ ...document, flowActions });
    else found.push(...(await readIfThere(document.id, deadline)));
  }
  return found;
}

async function readIfThere(documentId: string, deadline: Deadline): Promise<readonly FoundDocument[]> {
  try {
    return [await externalService.readDocument(documentId, deadline)];
  } catch (error) {
    if (isPermanent(error)) return [];
    throw error;
  }
}
