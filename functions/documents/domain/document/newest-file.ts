import { files } from '../../../../shared/files/files.ts';
import type { Document } from './document.ts';

/** The file of a document is not there: it was replaced since the document was read, or lost. */
export class FileGone extends Error {
  override readonly name = 'FileGone';

  constructor(key: string) {
    super(`The file ${key} is not there: it was replaced meanwhile. Read the document again.`);
  }
}

type Signable = Pick<Document, 'original' | 'signed'>;

/** The newest file of a document: with all signatures so far, or as it came. */
export const newestOf = ({ original, signed }: Signable) => signed ?? original;

/** The whole newest file, in memory. */
export async function readNewest(document: Signable): Promise<Buffer> {
  const { key, size } = newestOf(document);
  const bytes = await files('documents').read(key, size);
  if (!bytes) throw new FileGone(key);
  return bytes;
}

/** A file as it comes. Nothing is opened before it is asked for, and what is left early is let go. */
export async function* streamOf(key: string): AsyncGenerator<Uint8Array> {
  const opened = await files('documents').get(key);
  if (!opened) throw new FileGone(key);
  try {
    yield* opened.stream;
  } finally {
    opened.stream.destroy();
  }
}
