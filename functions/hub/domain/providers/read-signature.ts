import { pemBlocks } from '../../../../shared/pki/pem.ts';

// An RSA key of 8192 bits signs 1024 bytes.
const MAX_CHARACTERS = 8_192;

/**
 * What the text of a signature may stand for. Providers write it in hexadecimal, in Base64 of either alphabet, with or
 * without padding, or armoured. Every hexadecimal text is Base64 of something else too, so it comes first, and the
 * certificate has the last word.
 */
export function signaturesIn(text: string): readonly Buffer[] {
  if (text.length > MAX_CHARACTERS) return [];
  const armoured = pemBlocks(text).map(({ bytes }) => bytes);
  if (armoured.length > 0) return armoured;
  const bare = text.replace(/\s+/g, '');
  const hex = /^(?:[0-9a-f]{2})+$/i.test(bare) ? [Buffer.from(bare, 'hex')] : [];
  const base64 = /^[\w+/-]+={0,2}$/.test(bare) ? [Buffer.from(bare, 'base64')] : [];
  return [...hex, ...base64];
}
