import { formatOfBytes } from '../format.ts';
import type { SignatureFormat } from '../format-of.ts';

const PEM = /^\s*-----BEGIN (?:PKCS7|CMS)-----/;

export const isPem = (head: Buffer): boolean => PEM.test(head.toString('latin1'));

// The identifier of CMS's own content types, such as SignedData, which stands in the first bytes of every such file.
const PKCS7 = Buffer.from('2a864886f70d0107', 'hex');
const STANDS_WITHIN_BYTES = 24;

/** Whether these are the first bytes of a CMS structure, as .p7m and .p7s files hold. */
export const isCms = (head: Buffer): boolean =>
  isPem(head) || (head[0] === 0x30 && head.subarray(0, STANDS_WITHIN_BYTES).includes(PKCS7));

/** Whether it is the Base64 text of a CMS structure of more than 127 bytes, without its BEGIN and END lines. */
export const isBareBase64 = (head: Buffer): boolean =>
  /^\s*MI[A-Za-z0-9+/=\s]{60,}$/.test(head.toString('latin1'));

/** The format in which a file may carry signatures; undefined for what is no PDF, XML or CMS. @example detectFormat(head) // 'PAdES' */
export function detectFormat(head: Buffer): SignatureFormat | undefined {
  const kind = formatOfBytes(head);
  if (kind === 'pades') return 'PAdES';
  if (kind === 'xades') return 'XAdES';
  return isCms(head) ? 'CAdES' : undefined;
}
