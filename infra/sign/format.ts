import { LOOKED_AT_BYTES } from '../../shared/signing/format.ts';
import { needFile } from '../named-file.ts';

/** As much of a file as tells what it is. */
export const headOf = (file: string, option?: string): Buffer =>
  needFile(file, { headBytes: LOOKED_AT_BYTES, ...(option && { option }) });

const PEM = /^\s*-----BEGIN (?:PKCS7|CMS)-----/;

export const isPem = (head: Buffer): boolean => PEM.test(head.toString('latin1'));

// The identifier of CMS's own content types, such as SignedData, which stands in the first bytes of every such file.
const PKCS7 = Buffer.from('2a864886f70d0107', 'hex');
const STANDS_WITHIN_BYTES = 24;

/** Whether these are the first bytes of a CMS structure, as .p7m and .p7s files hold. */
export const isCms = (head: Buffer): boolean =>
  isPem(head) || (head[0] === 0x30 && head.subarray(0, STANDS_WITHIN_BYTES).includes(PKCS7));
