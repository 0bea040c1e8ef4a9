import { type Bytes, latin1Bytes, latin1Text } from '../../der/bytes.ts';

/** Whether two byte strings are equal. Not in constant time. @example areEqual(await sha256(data), announced) */
export const areEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);

/** @example toBase64(certificate.der) // 'MIIEQzCC…' */
export const toBase64 = (bytes: Uint8Array): string => btoa(latin1Text(bytes));
/** Throws if the text is not base64. @example fromBase64(started.toSignData) */
export const fromBase64 = (text: string): Bytes => latin1Bytes(atob(text));

/** @example await sha256(data) // 32 bytes */
export const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
