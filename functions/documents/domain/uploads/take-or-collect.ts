import type { Caller } from '../../../../shared/access/caller.ts';
import { files } from '../../../../shared/files/files.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { readTogether } from '../../../../shared/store/group/read.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import { isInScope } from '../places/organization.ts';
import { receivePresigned, removeStaged } from './presigned-upload.ts';
import { fileOf, type Upload, uploadStates, uploads } from './upload.ts';

export type TakenUploads = {
  readonly uploads: ReadonlyMap<string, Stored<Upload>>;
  readonly writes: readonly Write[];
};

// Each presigned file flows through this process once, so few are received at a time.
const RECEIVED_AT_ONCE = 4;

/** The upload, once its file is received. The file of a presigned upload is received now. */
export const requireReceivedUpload = (id: string, organizationId: string): Promise<Stored<Upload>> =>
  requireReceived(id, organizationId, () => uploads.get(id));

/** Opens the file of an upload that no document has taken yet. */
export async function openUpload(caller: Pick<Caller, 'registered'>, id: string) {
  const found = await uploads.get(id);
  if (!found || !isInScope(caller, found.organizationId))
    throw errors.refuse('UploadNotFound', { uploadId: id });
  const upload = await requireReceivedUpload(id, found.organizationId);
  const opened = await files('documents').get(fileOf(upload));
  if (!opened) throw errors.refuse('UploadNotFound', { uploadId: id });
  const { name, contentType, size } = upload;
  return { name: name ?? 'document', contentType, size, body: opened.stream };
}

type ReadUpload = () => Promise<Stored<Upload> | undefined>;

const requireReceived = (id: string, organizationId: string, read: ReadUpload): Promise<Stored<Upload>> =>
  retryOnConflict(async () => {
    const upload = await read();
    if (upload?.organizationId !== organizationId) throw errors.refuse('UploadNotFound', { uploadId: id });
    if (upload.state === 'Taken') throw errors.refuse('UploadAlreadyUsed', { uploadId: id });
    if (uploadStates.accepts(upload.state, 'taken')) return upload;
    if (upload.presigned && uploadStates.accepts(upload.state, 'received')) return receivePresigned(upload);
    throw errors.refuse('UploadNotFound', { uploadId: id });
  });

/**
 * The uploads of documents to be created, and the writes that take them. An upload goes to one document. Uploads are
 * read at once, and while the organization is still being found. Those that are `known` already are not read.
 * @example const taken = await takingUploads(ids, organizationId);
 *          await items.create(item, { also: taken.writes });
 */
export async function takingUploads(
  ids: readonly string[],
  organizationId: string | Promise<string>,
  known: readonly Stored<Upload>[] = [],
): Promise<TakenUploads> {
  const unread = ids.filter((id) => !known.some((upload) => upload.id === id));
  const reading = Promise.all(unread.map((id) => readTogether(uploads, id)));
  const [read, owner] = await Promise.all([reading, organizationId]);
  const repeated = ids.find((id, at) => ids.indexOf(id) !== at);
  if (repeated !== undefined) throw errors.refuse('UploadAlreadyUsed', { uploadId: repeated });
  const firstRead = new Map(
    [...known, ...read.filter((upload) => upload !== undefined)].map((upload) => [upload.id, upload]),
  );
  const found: Stored<Upload>[] = [];
  for (let from = 0; from < ids.length; from += RECEIVED_AT_ONCE) {
    const some = ids.slice(from, from + RECEIVED_AT_ONCE);
    const receive = (id: string): Promise<Stored<Upload>> => {
      let reads = 0; // After a lost race the upload is read again.
      return requireReceived(id, owner, async () => (reads++ === 0 ? firstRead.get(id) : uploads.get(id)));
    };
    found.push(...(await Promise.all(some.map(receive))));
  }
  return { uploads: new Map(found.map((upload) => [upload.id, upload])), writes: found.map(taking) };
}

/** The write that takes an upload. */
export function taking(upload: Stored<Upload>): Write {
  const state = uploadStates.next(upload.state, 'taken');
  if (state === undefined) throw errors.refuse('UploadAlreadyUsed', { uploadId: upload.id });
  return uploads.changing(upload, { state });
}

// A document takes an upload at the time of its collection:
//
//   collector  |--expired: Collecting--------- file -- item --|
//   document       |--taken: refused, as not found
//
// The state refuses the second, so no document loses its file. A collector that comes second fails with RaceLost; its
// message is delivered again and finds the upload taken.

/** Removes an upload that no document took. Running it twice does no harm: the file goes before the item. */
export async function collectUpload(id: string): Promise<'collected' | 'taken' | 'gone'> {
  const upload = await uploads.get(id);
  if (upload?.state === 'Taken') {
    await removeStaged(id, fileOf(upload));
    return 'taken';
  }
  const collecting =
    upload && uploadStates.accepts(upload.state, 'expired')
      ? await transition(uploads, uploadStates, upload, 'expired')
      : upload;
  await removeStaged(id);
  if (!collecting) return 'gone';
  await files('documents').remove(fileOf(collecting));
  await uploads.delete(collecting);
  return 'collected';
}
