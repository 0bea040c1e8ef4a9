import { randomBytes } from 'node:crypto';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { errors } from '../../errors.ts';
import { derivedGuid } from '../guids.ts';
import { documentItems, type LocatedDocument } from './document.ts';
import { locateOpen } from './location.ts';

// The code that is printed on the evidence of a document, and opens what the public may know of it. The document's id
// is derived from it, so a code is looked up with one read and needs no index; nobody derives a code from an id.
//
// Crockford's base 32: I, L, O and U are left out, and read as what they look like. 20 letters hold 100 bits.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 20;
const GROUP = 5;
const LOOK_ALIKES: Readonly<Record<string, string>> = { I: '1', L: '1', O: '0' };

/** Twenty letters of as many random bytes, or more. */
export const codeOfBytes = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');

export const newCode = (): string => codeOfBytes(randomBytes(LENGTH));

/** The id of the document that has this code. */
export const documentIdOfCode = (code: string): string => derivedGuid('document', code);

/** A code as people type it: in any case, with or without hyphens and spaces. Undefined for anything else. */
export function parseCode(typed: string): string | undefined {
  const code = typed
    .toUpperCase()
    .replace(/[\s-]/g, '')
    .replace(/[ILO]/g, (letter) => LOOK_ALIKES[letter] ?? letter);
  return code.length === LENGTH && [...code].every((letter) => ALPHABET.includes(letter)) ? code : undefined;
}

/** @example formatCode('7FQ2M9XKD4TB3WR8HJ5C') // '7FQ2M-9XKD4-TB3WR-8HJ5C' */
export const formatCode = (code: string): string =>
  (code.match(new RegExp(`.{${GROUP}}`, 'g')) ?? [code]).join('-');

/** The page that takes a code. */
export const verificationPage = (): string => `${commonSettings['Http:PublicUrl']}/documents/verification`;

/** The same with a code in it, which it looks up at once. */
export const verificationUrl = (code: string): string => `${verificationPage()}?code=${formatCode(code)}`;

/** The document of a code. One that is deleted, or in a deleted place, does not exist. */
export async function findByCode(typed: string): Promise<LocatedDocument> {
  const code = parseCode(typed);
  const document = code === undefined ? undefined : await documentItems.get(documentIdOfCode(code));
  const location = document && (await locateOpen(document));
  if (document && location) return { document, location };
  throw errors.refuse('VerificationCodeNotFound');
}
