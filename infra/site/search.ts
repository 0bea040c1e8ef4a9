import { normalizeText } from '../../shared/text/normalize.ts';
import type { Language } from '../../shared/ui/languages.ts';
import { CONTENTS, idOf } from './contents.ts';
import type { Library, Page } from './library.ts';
import type { Section } from './markdown.ts';

export type Hit = {
  readonly page: Page;
  readonly section: Section;
  /** Text around the first word, in parts: those at odd places are words that were searched for. */
  readonly excerpt: readonly string[];
};

export const MAX_QUERY_LENGTH = 200;
const MAX_WORDS = 8;
const MAX_HITS = 40;
const EXCERPT_LENGTH = 180;

/** Without case and accents, letter by letter: a place in the result is the same place in the text. */
const fold = (text: string): string =>
  text
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replace(/[^\p{ASCII}]/gu, (letter) => {
      const bare = normalizeText(letter, 'NFD').replace(/\p{M}/gu, '').toLowerCase();
      return bare.length === letter.length ? bare : letter;
    });

const folded = new WeakMap<Section, { readonly heading: string; readonly text: string }>();

function foldedOf(section: Section) {
  const found = folded.get(section) ?? { heading: fold(section.heading), text: fold(section.text) };
  folded.set(section, found);
  return found;
}

/**
 * The sections that hold every word of a query, best first: words in the title of the page count most, then those in the
 * heading, then how often the text has them.
 * @example searchLibrary(openLibrary('.'), 'retry webhook', 'en')
 */
export function searchLibrary(library: Library, query: string, language: Language): Hit[] {
  const words = [...new Set(fold(query.slice(0, MAX_QUERY_LENGTH)).split(/[^\p{L}\p{N}_:.-]+/u))]
    .filter((word) => word.length > 1)
    .slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  const hits = CONTENTS.flatMap(({ files }) => files).flatMap((file) => {
    const page = library.page(idOf(file), language);
    return page ? page.sections.flatMap((section) => hitOf(page, section, words) ?? []) : [];
  });
  return hits
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_HITS)
    .map(({ hit }) => hit);
}

function hitOf(page: Page, section: Section, words: readonly string[]) {
  const { heading, text } = foldedOf(section);
  const title = fold(page.title);
  const scores = words.map((word) => {
    const times = Math.min(5, text.split(word).length - 1);
    const inHeading = heading.includes(word) ? 10 : 0;
    // The title stands for a page: only its first section is found by it alone.
    const inTitle = title.includes(word) && (section.depth === 1 || times + inHeading > 0) ? 15 : 0;
    return times + inHeading + inTitle;
  });
  if (scores.includes(0)) return undefined;
  const score = scores.reduce((sum, each) => sum + each, 0);
  return { score, hit: { page, section, excerpt: excerptOf(section.text, text, words) } };
}

function excerptOf(text: string, foldedText: string, words: readonly string[]): string[] {
  const places = words.map((word) => foldedText.indexOf(word)).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...places, foldedText.length) - 50);
  const begin = places.length === 0 ? 0 : from === 0 ? 0 : text.indexOf(' ', from) + 1;
  const isWhole = begin + EXCERPT_LENGTH >= text.length;
  const end = isWhole ? text.length : text.lastIndexOf(' ', begin + EXCERPT_LENGTH);
  const [shown = '', foldedShown = ''] = [text, foldedText].map((each) => each.slice(begin, end));
  const parts: string[] = [];
  let at = 0;
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  for (const { 0: word, index } of foldedShown.matchAll(new RegExp(escaped.join('|'), 'g'))) {
    parts.push(shown.slice(at, index), shown.slice(index, index + word.length));
    at = index + word.length;
  }
  return [...parts, `${shown.slice(at)}${isWhole ? '' : ' …'}`];
}
