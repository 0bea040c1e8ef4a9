import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { errors } from '../../errors.ts';
import { type Item, type ItemFile, type ItemId, requireItem } from '../../items/domain/item.ts';
import { isAwaitingSignatures, withoutProblem } from '../../items/domain/problems.ts';
import { commitChanges, updatingItem } from './change-item.ts';
import { handingOver } from './tasks.ts';

/** Whether the document of a file came to nothing: it ended at the platform, or what was signed does not verify. */
const isInVain = ({ document, signed, problem }: ItemFile): boolean =>
  document !== null && signed === null && problem !== null;

/** Whether the document of a file of the item came to nothing while it waits for signatures. */
export const canHandOverAgain = (item: Item): boolean =>
  isAwaitingSignatures(item) && item.files.some(isInVain);

/**
 * Hands the files of an item to their signers again whose documents came to nothing, as new documents. For an item that
 * cannot be canceled and created anew. Refused with InvalidStatus where nobody signs it, SignersPending where its
 * documents still wait.
 */
export const handOverAgain = (id: ItemId, nowMs: number): Promise<Item> =>
  retryOnConflict(async () => {
    const item = await requireItem(id.kind, id.id, () => true);
    if (!isAwaitingSignatures(item)) throw errors.refuse('InvalidStatus', { status: item.state });
    if (!canHandOverAgain(item)) throw errors.refuse('SignersPending', { status: item.state });
    const files = item.files.map((file) =>
      isInVain(file) ? { ...withoutProblem(file), document: null } : file,
    );
    const change = await updatingItem(item, { patch: { files } }, nowMs);
    await commitChanges([change, handingOver(item)]);
    return change.after;
  });
