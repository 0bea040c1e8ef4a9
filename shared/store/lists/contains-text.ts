import { normalizeText } from '../../text/normalize.ts';
import type { ListedEntry } from './entries.ts';

/**
 * Whether one of the texts contains this one, ignoring case and accents.
 * @example containsText('acao', ['Ação nº 7']) // true
 */
export function containsText(searched: string, texts: readonly (string | null)[]): boolean {
  const plain = (text: string): string => normalizeText(text, 'NFD').replace(/\p{M}/gu, '').toLowerCase();
  const part = plain(searched);
  return texts.some((text) => text !== null && plain(text).includes(part));
}

/**
 * The same for the facts of an entry, which may not be all of its texts: undefined where the others decide.
 * @example entries.filter((entry) => entryContainsText('acao', entry) !== false)
 */
export function entryContainsText(
  searched: string,
  { facts, hasAllFacts }: ListedEntry,
): boolean | undefined {
  return containsText(searched, facts) || (hasAllFacts ? false : undefined);
}
