import { type Deadline, deadlineIn } from '../../../../shared/async/deadline.ts';
import { logger } from '../../../../shared/log/logger.ts';
import { findCreated } from '../../../../shared/platform/create-once.ts';
import { PlatformRefused, PlatformUnreachable } from '../../../../shared/platform/errors.ts';
import { getBoth } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { isHeld } from '../../../../shared/store/lease.ts';
import { type Item, type ItemFile, type ItemId, items } from '../../items/domain/item.ts';
import { isAwaitingSignatures } from '../../items/domain/problems.ts';
import { platform } from './platform.ts';
import { BUDGET_MS, handOvers, LEASE_SECONDS, searchOf } from './platform-documents.ts';
import { DAY_SECONDS, type Forgotten, laterTask, nextWait } from './tasks.ts';

// The platform takes no longer one.
const MAX_REASON_CHARACTERS = 512;

/** Cancels a document as far as that succeeds: whoever signs it helps nobody, and harms nobody. */
export const cancelQuietly = (documentId: string, reason: string, deadline: Deadline): Promise<void> =>
  platform.cancelDocument(documentId, reason, deadline).catch(() => undefined);

/**
 * Cancels the documents of an item that has ended without their signatures, as far as that succeeds. A platform that
 * does not answer is asked again for about two days, later each time.
 */
export async function withdraw(
  id: ItemId,
  waitSeconds: number,
  now: () => number,
): Promise<Forgotten | undefined> {
  const [item, begun] = await getBoth([items, id], [handOvers, id]);
  if (!item || isAwaitingSignatures(item)) return undefined;
  // Its worker finds that the item has ended, and cancels what it created. Killed, it leaves that to us.
  if (begun && isHeld(begun, now())) return later(item, LEASE_SECONDS, now);
  const deadline = deadlineIn(BUDGET_MS, now);
  try {
    for (const file of item.files.filter(({ signed }) => !signed))
      await withdrawFile(item, file, begun !== undefined, deadline);
    if (begun) await commit([handOvers.removing(id)]);
    return undefined;
  } catch (error) {
    if (!(error instanceof PlatformUnreachable)) throw error;
    const about = { kind: item.kind, id: item.id, error };
    if (waitSeconds < DAY_SECONDS) return later(item, nextWait(waitSeconds, DAY_SECONDS), now);
    logger('credentials').error('The documents of an ended item were not canceled at the platform.', about);
    return undefined;
  }
}

async function later(item: Item, seconds: number, now: () => number): Promise<Forgotten> {
  await commit([laterTask('withdraw', item, seconds, now())]);
  return 'forgotten';
}

async function withdrawFile(item: Item, file: ItemFile, isBegun: boolean, deadline: Deadline): Promise<void> {
  const isLost = !file.document && isBegun;
  const [lost] = isLost ? await findCreated(platform, searchOf(item, file), deadline) : [];
  const documentId = file.document?.id ?? lost;
  if (documentId === undefined) return;
  const reason = (item.reason ?? 'The credential was canceled.').slice(0, MAX_REASON_CHARACTERS);
  try {
    await platform.cancelDocument(documentId, reason, deadline);
  } catch (error) {
    // It has ended there as well, or was canceled by an earlier run.
    if (!(error instanceof PlatformRefused)) throw error;
    logger('credentials').info('A document was not canceled at the platform.', { documentId, error });
  }
}
