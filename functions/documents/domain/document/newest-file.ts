import { readFile, streamFile } from '../../../../shared/files/stored-file.ts';
import type { Document } from './document.ts';

type Files = Pick<Document, 'original' | 'signed'>;

/** The newest file of a document: with every signature so far, or the original. */
export const newestFile = ({ original, signed }: Files) => signed ?? original;

/** The newest file, whole in memory. Throws FileGone. */
export const readNewest = (document: Files): Promise<Buffer> => readFile('documents', newestFile(document));

/** The newest file as a stream, opened at the first read. */
export const streamNewest = (document: Files): AsyncGenerator<Uint8Array> =>
  streamFile('documents', newestFile(document).key);
