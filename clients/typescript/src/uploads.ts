import { NoAnswer, refusalOf } from './errors.ts';
import type { CallOptions } from './operation.ts';

/** The largest file that is sent to the service itself: API Gateway takes 10 MB, a function 6 MB as base64. */
export const DIRECT_BYTES = 4 * 1024 * 1024;

/** Where a file is put, as the operations for large files answer it. */
type Place = {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | null;
};

/** Puts a file straight into the store. The address holds the right to do so: no key is sent. */
export async function put(
  name: string,
  place: Place,
  content: Blob,
  { signal }: CallOptions = {},
): Promise<void> {
  const answer = await fetch(place.url, {
    method: place.method,
    headers: place.headers ?? {},
    body: content,
    ...(signal && { signal }),
  }).catch((error) => {
    signal?.throwIfAborted();
    throw new NoAnswer(`${name}: the store cannot be reached.`, name, error);
  });
  if (!answer.ok) throw await refusalOf(name, answer);
}

/** A file's name: its own where it is a File. */
export const nameOf = (file: Blob, name?: string): string =>
  name ?? (file instanceof File ? file.name : 'file');

/** A file's type, where the file says it. */
export const typeOf = (file: Blob): string => file.type || 'application/octet-stream';
