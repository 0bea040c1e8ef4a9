import type { Document } from '../document/document.ts';
import type { ContentType } from './content-types.ts';

type Named = Pick<Document, 'original' | 'format'>;

// Everything but the original has a name of its own, so that files of one document can lie in one folder.
const SUFFIXES = {
  OriginalWithMarks: '-marked',
  PrinterFriendlyVersion: '-printable',
  SignaturesManifest: '-manifest',
} as const;

const EXTENSION = /\.[\p{L}\p{N}]{1,10}$/u;

/**
 * What a content is called when it is saved. A CAdES signature keeps the whole name of what it signs.
 * @example contentName('Signatures', document) // 'contrato-signed.pdf', or 'contrato.docx.p7s'
 */
export function contentName(type: ContentType, { original: { name }, format }: Named): string {
  if (type === 'Original') return name;
  if (type === 'Signatures' && format === 'CAdES') return `${name}.p7s`;
  const extension = EXTENSION.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - extension.length);
  if (type === 'Signatures') return `${stem}-signed${extension}`;
  return `${stem}${SUFFIXES[type]}.pdf`;
}
