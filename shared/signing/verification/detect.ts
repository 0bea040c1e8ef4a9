import { formatOfBytes } from '../format.ts';
import type { SignatureFormat } from '../format-of.ts';

const PEM = /^\s*-----BEGIN (?:PKCS7|CMS)-----/;

export const isPem = (head: Buffer): boolean => PEM.test(head.toString('latin1'));

// The OID arcs of the CMS content types, one of which is in the first bytes of every CMS file: pkcs7, and S/MIME's for
// AuthEnvelopedData and others.
const CONTENT_TYPES = ['2a864886f70d0107', '2a864886f70d01091001'].map((arc) => Buffer.from(arc, 'hex'));
const STANDS_WITHIN_BYTES = 24;

/** Whether these are the first bytes of a CMS structure, as .p7m and .p7s files hold. */
export const isCms = (head: Buffer): boolean =>
  isPem(head) ||
  (head[0] === 0x30 && CONTENT_TYPES.some((arc) => head.subarray(0, STANDS_WITHIN_BYTES).includes(arc)));

/** Whether it is Base64 text of a CMS structure without BEGIN and END lines. Structures up to 127 bytes are not detected. */
export const isBareBase64 = (head: Buffer): boolean =>
  /^\s*MI[A-Za-z0-9+/=\s]{60,}$/.test(head.toString('latin1'));

/** The format of a file's signatures; undefined if it is not PDF, XML or CMS. @example detectFormat(head) // 'PAdES' */
export function detectFormat(head: Buffer): SignatureFormat | undefined {
  const kind = formatOfBytes(head);
  if (kind === 'pades') return 'PAdES';
  if (kind === 'xades') return 'XAdES';
  return isCms(head) ? 'CAdES' : undefined;
}
