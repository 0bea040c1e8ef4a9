import type { ServiceName } from '../settings/names.ts';
import { files } from './files.ts';

/** A file that a record names is not in the bucket: replaced since the record was read, or lost. */
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

/** Opens a file at the first read, and closes it when the reader stops. @example streamFile('documents', key) */
export async function* streamFile(service: ServiceName, key: string): AsyncGenerator<Uint8Array> {
  const opened = await files(service).get(key);
  if (!opened) throw new FileGone(key);
  try {
    yield* opened.stream;
  } finally {
    opened.stream.destroy();
  }
}
