import { createHash } from 'node:crypto';
import { removeInvisibleCharacters, safeFileName } from '../../../../../shared/files/safe-name.ts';
import { normalizeText } from '../../../../../shared/text/normalize.ts';

// A job carries the name of its file as it was given, and claims that one. Keys of the store have a safe one:
//
//   given                job                  keys
//   .hidden              .hidden              hidden
//   CON.txt              CON.txt              _CON.txt
//   a?b                  a?b                  a_b
//   pl<U+200B>ain.txt    plain.txt            plain.txt
//   "   ", "..."         refused
//
// So names that differ are different files, also where their keys would be the same: the key of an input or a copy has
// the id of its job before the name, and a name in output/ is claimed by itself.

/**
 * The name that a job carries for a file. Only invisible characters are left out: two names that look the same are one,
 * and none may change the order of the text around it. Undefined where nothing but dots and spaces is left.
 * @example nameOfFile('.hidden') // '.hidden'
 */
export function nameOfFile(given: string): string | undefined {
  const name = removeInvisibleCharacters(given);
  return /^[.\s]*$/.test(name) ? undefined : name;
}

/**
 * The name of a job's file in a key of the store. One that is too long for a file system is cut, and carries a part of
 * its hash: two long names that differ only where they are cut are two names.
 */
export const safeNameOf = (name: string): string =>
  safeFileName(name, { markCut: (whole) => `~${hashOfName(whole).toString('hex').slice(0, 8)}` });

/** Names that differ only in case or in their Unicode form have the same hash. */
export const hashOfName = (text: string): Buffer => createHash('sha256').update(fold(text)).digest();

// Case folding: upper case first, so that ß and SS, and both forms of sigma, become one.
const fold = (text: string): string =>
  normalizeText(normalizeText(text, 'NFC').toUpperCase().toLowerCase(), 'NFC');
