import type { Prepared } from './transport.ts';

/** The largest file that is sent to the service itself: API Gateway takes 10 MB, a function 6 MB as base64. */
export const DIRECT_BYTES = 4 * 1024 * 1024;

/** Where a file is put, as the operations for large files answer it. */
export type Place = {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | null;
};

/**
 * The request that puts a file into the store. The address holds the right to do so: no key is sent. What was cut off is
 * put again: a put replaces what is there.
 */
export const putOf = (place: Place, file: Blob): Prepared<void> => ({
  name: 'put',
  receiver: 'the store',
  url: place.url,
  method: place.method,
  headers: place.headers ?? {},
  body: file,
  isRepeatable: true,
  read: async (answer) => void (await answer.text()),
});

/** A file's name: its own where it is a File. */
export const nameOf = (file: Blob, name?: string): string =>
  name ?? (file instanceof File ? file.name : 'file');

/** A file's type, where the file says it. */
export const typeOf = (file: Blob): string => file.type || 'application/octet-stream';
