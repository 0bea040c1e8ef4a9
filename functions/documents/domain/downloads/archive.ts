import type { Caller } from '../../../../shared/access/caller.ts';
import type { ZipEntry } from '../../../../shared/archive/zip.ts';
import { streamFile } from '../../../../shared/files/stored-file.ts';
import { documentItems } from '../document/document.ts';
import { locateOpen } from '../document/location.ts';
import { isInScope } from '../places/organization.ts';
import { isAvailable } from './content-types.ts';
import { storedContentOf } from './stored-content.ts';

/** A page of a list holds no more. */
export const MAX_ARCHIVED = 100;

/**
 * The files of documents, for a ZIP: the signed one, or the original of one that nobody has signed. Those that do not
 * exist for the caller are left out. Each is opened when its turn comes.
 */
export async function* archiveEntries(
  caller: Pick<Caller, 'registered'>,
  ids: readonly string[],
  nowMs: number,
): AsyncGenerator<ZipEntry> {
  for (const document of await documentItems.getMany(ids.slice(0, MAX_ARCHIVED))) {
    if (!isInScope(caller, document.organizationId) || !(await locateOpen(document))) continue;
    const type = isAvailable('Signatures', document, nowMs) ? 'Signatures' : 'Original';
    const stored = storedContentOf(type, document, nowMs);
    if (!stored) continue;
    const content = streamFile('documents', stored.key);
    yield { name: stored.name, content, modifiedAtMs: document.updatedAtMs };
  }
}
