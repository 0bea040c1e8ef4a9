import { collection, type Stored } from '../../../../../shared/store/collection.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { eachItem } from '../../../../../shared/store/cursor.ts';
import { AlreadyExists, RaceLost } from '../../../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import type { Traced } from '../../../../../shared/trace/trace.ts';
import { errors } from '../../../errors.ts';
import { folderKeyOf } from '../../../profiles/domain/bound-folders.ts';
import { settings } from '../../../settings.ts';

/** A document that a notification cited, to be read at the external service. */
export type Check = Traced & {
  readonly documentId: string;
  readonly folderId: string;
  /** When it was cited last. */
  readonly atMs: number;
};

const PARTITION = 'SIGNER';
const PREFIX = 'CHECK#';

const checks = collection<Check, string>({
  service: 'batch',
  name: 'signer check',
  id: ({ documentId }) => documentId,
  key: (documentId) => ({ pk: PARTITION, sk: `${PREFIX}${documentId}` }),
});

// Every commit that adds or deletes checks changes the count too. So it is exact, and whoever reads it unchanged before
// and after has seen all checks.
const counts = collection<{ readonly waiting: number }, 'checks'>({
  service: 'batch',
  name: 'count of signer checks',
  id: () => 'checks',
  key: () => ({ pk: PARTITION, sk: 'CHECKS' }),
});

// With the count, one transaction. Larger ones meet each other more often.
const CHECKS_PER_COMMIT = 50;

// A document that is cited again while it is read:
//
//   worker        |--reads the document--------------------|--deletes version 1: refused, the check stays
//   notification      the document changes   |--version 2--|
//
// So every notification is followed by a read that began after it.

/**
 * Has the documents checked. One that waits already is not counted again. Throws signer-notification.unavailable where
 * too many wait; those that were added before stay, and a repeat finds them.
 */
export async function queueChecks(cited: readonly Check[], deadlineAtMs: number): Promise<void> {
  const distinct = [...new Map(cited.map((check) => [check.documentId, check])).values()];
  for (const group of groupsOf(distinct))
    await retryOnConflict(() => queueGroup(group), { mayCreate: true, deadlineAtMs });
}

async function queueGroup(group: readonly Check[]): Promise<void> {
  const { known, count } = await readGroup(group);
  const added = group.filter(({ documentId }) => !known.has(documentId));
  const waiting = (count?.waiting ?? 0) + added.length;
  if (added.length > 0 && waiting > settings['Signer:MaxWaitingChecks'])
    throw errors.refuse('signer-notification.unavailable');
  await commit([
    ...group.map((check) => {
      const current = known.get(check.documentId);
      return current ? checks.changing(current, check) : checks.creating(check);
    }),
    ...(added.length > 0 ? [setting(count, waiting)] : []),
  ]);
}

/** Deletes checks that were made. One that was cited again since it was read stays. */
export async function removeChecks(made: readonly Stored<Check>[]): Promise<void> {
  for (const group of groupsOf(made)) await retryOnConflict(() => removeGroup(group), { mayCreate: true });
}

async function removeGroup(group: readonly Stored<Check>[]): Promise<void> {
  const { known, count } = await readGroup(group);
  const unchanged = group.filter(({ documentId, version }) => known.get(documentId)?.version === version);
  if (unchanged.length === 0) return;
  const waiting = Math.max(0, (count?.waiting ?? 0) - unchanged.length);
  await commit([...unchanged.map(checks.deleting), setting(count, waiting)]);
}

/**
 * Deletes the checks of these folders that were cited before a time: a clean sweep that began then has seen their
 * documents.
 */
export async function dropChecks(folderIds: readonly string[], beforeMs: number): Promise<void> {
  const folders = new Set(folderIds.map(folderKeyOf));
  const found = await listChecks();
  await removeChecks(
    found.filter(({ folderId, atMs }) => folders.has(folderKeyOf(folderId)) && atMs < beforeMs),
  );
}

/** All checks that wait. Corrects the count where it is not their number. */
export async function listChecks(): Promise<readonly Stored<Check>[]> {
  const count = await counts.get('checks');
  const found = await Array.fromAsync(eachItem(checks, { pk: PARTITION, skPrefix: PREFIX }));
  if ((count?.waiting ?? 0) !== found.length) await correctCount(count, found.length);
  return found;
}

async function correctCount(count: Stored<{ readonly waiting: number }> | undefined, waiting: number) {
  try {
    await commit([setting(count, waiting)]);
  } catch (error) {
    // Checks came or went meanwhile.
    if (!(error instanceof RaceLost) && !(error instanceof AlreadyExists)) throw error;
  }
}

const setting = (count: Stored<{ readonly waiting: number }> | undefined, waiting: number): Write =>
  count ? counts.changing(count, { waiting }) : counts.creating({ waiting });

async function readGroup(group: readonly Check[]) {
  const ids = group.map(({ documentId }) => documentId);
  const [found, count] = await Promise.all([checks.getMany(ids), counts.get('checks')]);
  return { known: new Map(found.map((check) => [check.documentId, check])), count };
}

const groupsOf = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / CHECKS_PER_COMMIT) }, (_, n) =>
    items.slice(n * CHECKS_PER_COMMIT, (n + 1) * CHECKS_PER_COMMIT),
  );
