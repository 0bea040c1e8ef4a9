import type { Readable } from 'node:stream';
import { files } from '../../../../shared/files/files.ts';
import type { Document } from '../document/document.ts';
import { FileGone } from '../document/newest-file.ts';
import { contentName } from './content-names.ts';
import { type ContentType, checkAvailable } from './content-types.ts';

/** A file that is kept as it is handed out. */
export type KeptContent = {
  readonly name: string;
  readonly contentType: string;
  readonly key: string;
  readonly size: number;
};

/** A content, ready to be sent. Whoever has it reads the stream to its end or destroys it. */
export type Content = {
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  readonly body: Readable | Uint8Array;
};

/** The kept file that is this content; undefined for what is drawn when it is asked for. */
export function keptContent(type: ContentType, document: Document): KeptContent | undefined {
  checkAvailable(type, document);
  const { original, signed, format } = document;
  const name = contentName(type, document);
  if (type === 'Original') return { ...original, name };
  if (type !== 'Signatures' || !signed) return undefined;
  const contentType = format === 'CAdES' ? 'application/pkcs7-signature' : original.contentType;
  return { key: signed.key, size: signed.size, name, contentType };
}

/** Opens a kept file. FileGone where it is not there. */
export async function openKept({ key, name, contentType }: KeptContent): Promise<Content> {
  const opened = await files('documents').get(key);
  if (!opened) throw new FileGone(key);
  return { name, contentType, size: opened.length, body: opened.stream };
}
