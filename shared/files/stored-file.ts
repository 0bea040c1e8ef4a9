import type { ServiceName } from '../settings/names.ts';
import { files } from './files.ts';

/** A file of a record is not in the bucket: it was replaced since the record was read, or is lost. */
export class FileGone extends Error {
  override readonly name = 'FileGone';

  constructor(key: string) {
    super(`The file ${key} is not in the bucket: it was replaced or removed. Read its record again.`);
  }
}

/** @example const bytes = await readFile('documents', { key, size }) // throws FileGone */
export async function readFile(
  service: ServiceName,
  { key, size }: { readonly key: string; readonly size: number },
): Promise<Buffer> {
  const bytes = await files(service).read(key, size);
  if (!bytes) throw new FileGone(key);
  return bytes;
}

/** Streams a file. It opens at the first read and closes when the reader stops. @example streamFile('documents', key) */
export async function* streamFile(service: ServiceName, key: string): AsyncGenerator<Uint8Array> {
  const opened = await files(service).get(key);
  if (!opened) throw new FileGone(key);
  try {
    yield* opened.stream;
  } finally {
    opened.stream.destroy();
  }
}
