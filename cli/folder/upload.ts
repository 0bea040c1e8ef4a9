import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { CommandRefusal, reasonOf } from '../../shared/command-line/reason.ts';
import { BadKey, FileExists, HashMismatch, statusOf } from '../../shared/files/errors.ts';
import { fileReason } from '../arguments/named-file.ts';
import { countBytes, type Progress } from '../terminal/progress.ts';
import { Unavailable } from './api.ts';
import { hashOf } from './directory.ts';
import type { Place } from './place.ts';
import type { Entry } from './state.ts';

/**
 * What became of an upload:
 *
 *   uploaded   the file is in the folder
 *   found      the same file was there already
 *   changed    it was written, renamed or removed meanwhile; nothing is in the folder
 *   blocked    another file of its name is in the folder, and stays
 *   refused    it can never be uploaded
 */
export type UploadResult =
  | { readonly kind: 'uploaded' | 'found'; readonly etag: string }
  | { readonly kind: 'changed' | 'blocked' }
  | { readonly kind: 'refused'; readonly problem: string };

// A second look is for a file that was put there between the first one and the upload.
const LOOKS = 2;

/** Puts a file into the folder, as a whole or not at all. A file that another program put there is never replaced. */
export async function upload(
  { dir, entry, bar }: { readonly dir: string; readonly entry: Entry; readonly bar: Progress },
  { files }: Pick<Place, 'files'>,
): Promise<UploadResult> {
  const { key, name, length, sha256, formerEtag } = entry;
  try {
    for (let look = 0; look < LOOKS; look++) {
      const there = await files.head(key);
      const isOwn = there !== undefined && there.etag === formerEtag;
      if (there && !isOwn) return (await isInFolder(entry, { files })) ?? { kind: 'blocked' };
      try {
        const source = length === 0 ? Buffer.alloc(0) : countBytes(createReadStream(join(dir, name)), bar);
        const contentType = 'application/octet-stream';
        // The hash refuses a file that is written meanwhile before its last byte is accepted.
        const { etag } = await files.put(key, source, { contentType, sha256, onlyIfAbsent: !isOwn });
        return { kind: 'uploaded', etag };
      } catch (error) {
        if (!(error instanceof FileExists)) throw error;
      }
    }
    return { kind: 'blocked' };
  } catch (error) {
    return explain(error, entry);
  }
}

/** Whether this very file is in the folder. */
export async function isInFolder(
  { key, length, sha256 }: Entry,
  { files }: Pick<Place, 'files'>,
): Promise<UploadResult | undefined> {
  const there = await files.head(key).catch(unavailable);
  if (there?.length !== length) return undefined;
  const opened = await files.get(key).catch(unavailable);
  if (!opened || (await hashOf(opened.stream).catch(unavailable)) !== sha256) return undefined;
  return { kind: 'found', etag: opened.etag };
}

const LOCAL_CALLS: ReadonlySet<unknown> = new Set(['open', 'read', 'fstat', 'lstat']);

function explain(error: unknown, { name }: Entry): UploadResult {
  if (error instanceof HashMismatch) return { kind: 'changed' };
  if (error instanceof BadKey)
    return { kind: 'refused', problem: `the folder takes no file of this name: ${reasonOf(error)}` };
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (!LOCAL_CALLS.has(syscall)) return unavailable(error);
  if (code === 'ENOENT') return { kind: 'changed' };
  return { kind: 'refused', problem: `${name} cannot be read: ${fileReason(error)}` };
}

/** Tells a store that does not answer from one that refuses. */
function unavailable(error: unknown): never {
  if (error instanceof Unavailable || error instanceof CommandRefusal) throw error;
  const status = statusOf(error);
  const isFinal = status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429;
  if (isFinal)
    throw new CommandRefusal(
      `The folder's store refuses: ${reasonOf(error)}. Check the AWS credentials, and that they may put files there.`,
      { cause: error },
    );
  throw new Unavailable(`The folder's store does not answer (${reasonOf(error)})`, { cause: error });
}
