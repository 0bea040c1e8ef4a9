import type { Caller } from '../../../../shared/access/caller.ts';
import { forEachConcurrently } from '../../../../shared/async/for-each-concurrently.ts';
import { Refusal } from '../../../../shared/errors/errors.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { MoveDocument, MoveDocuments } from '../../contract/documents.ts';
import { creatingFolder } from '../places/create-folder.ts';
import { findFolder, folderNotFound } from '../places/folder.ts';
import { changeDocument } from './change-document.ts';
import { authorOf, findDocument, withChange } from './document.ts';

/** Moves a document to a folder of its organization, or to the root. Answers the folder, which may be a new one. */
export const moveDocument = (
  caller: Caller,
  id: string,
  { folderId, newFolderName }: MoveDocument,
  nowMs: number,
): Promise<string | null> =>
  retryOnConflict(async () => {
    const document = await findDocument(caller, id);
    const { organizationId } = document;
    if (newFolderName === null && document.folderId === folderId) return folderId;
    const parent = folderId === null ? null : await findFolder(caller, folderId);
    if (parent && parent.organizationId !== organizationId) throw folderNotFound(parent.id);
    const made =
      newFolderName === null
        ? undefined
        : await creatingFolder({ name: newFolderName, parent, organizationId }, nowMs);
    const movedTo = made?.folder.id ?? folderId;
    // A folder that was deleted since is emptied once more, as with a new document (removal/last-check.ts).
    const also = made?.writes ?? [];
    const folderName = made?.folder.name ?? parent?.name ?? null;
    const change = { kind: 'Moved', by: authorOf(caller), atMs: nowMs, folderName } as const;
    const patch = { folderId: movedTo, ...withChange(document, change) };
    await changeDocument(document, { event: 'moved', patch, also, nowMs });
    return movedTo;
  });

const MOVED_AT_ONCE = 5;

type Moved = {
  readonly id: string;
  readonly success: boolean;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
};

/** Moves documents, each by itself. A new folder is made with the first one that can be moved, or not at all. */
export async function moveDocuments(
  caller: Caller,
  { documents, ...destination }: MoveDocuments,
  nowMs: number,
): Promise<Moved[]> {
  const outcomes = new Map<string, Moved>();
  let to: MoveDocument = destination;
  const move = async (id: string): Promise<void> => {
    try {
      to = { folderId: await moveDocument(caller, id, to, nowMs), newFolderName: null };
      outcomes.set(id, { id, success: true, errorCode: null, errorMessage: null });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      outcomes.set(id, { id, success: false, errorCode: error.code, errorMessage: error.message });
    }
  };
  const rest = [...new Set(documents)];
  for (let id = to.newFolderName === null ? undefined : rest.shift(); id !== undefined; ) {
    await move(id);
    id = to.newFolderName === null ? undefined : rest.shift();
  }
  await forEachConcurrently(MOVED_AT_ONCE, rest, move);
  return documents.flatMap((id) => outcomes.get(id) ?? []);
}
