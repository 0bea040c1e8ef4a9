import { existsSync, readFileSync } from 'node:fs';
import { translationOf } from '../../infra/site/contents.ts';
import { targetOf } from '../../infra/site/library.ts';
import { sectionsOf } from '../../infra/site/markdown.ts';
import { type Block, type Part, structureOf } from './structure.ts';

/** A page: where it is, for the links in it, and its text. */
export type Page = { readonly file: string; readonly markdown: string };

/** @example originalOf('docs/pt-BR/mail.md') // 'docs/mail.md' */
export const originalOf = (file: string): string =>
  file.replace(/^docs\/pt-BR\//, 'docs/').replace(/\.pt-BR\.md$/, '.md');

/** Where a translation differs from its original, a sentence each. */
export function differencesOf(original: Page, translation: Page): string[] {
  const before = structureOf(original.markdown);
  const after = structureOf(translation.markdown);
  const moved = firstDifference(
    before.map(({ depth }) => depth),
    after.map(({ depth }) => depth),
  );
  // The parts below a heading that one of them lacks are not each other's.
  if (moved !== undefined)
    return [`${place(translation, after[moved])} stands where ${place(original, before[moved])} does`];
  return before.flatMap((part, index) => {
    const translated = after[index];
    return translated ? partDifferences(original, part, translation, translated) : [];
  });
}

function partDifferences(original: Page, part: Part, translation: Page, translated: Part): string[] {
  const where = place(translation, translated);
  const compare = (what: string, before: readonly string[], after: readonly string[]): string[] => [
    ...before.filter((each) => !after.includes(each)).map((each) => `${where} lacks the ${what} ${each}`),
    ...after.filter((each) => !before.includes(each)).map((each) => `${where} adds the ${what} ${each}`),
  ];
  const targets = ({ file }: Page, links: readonly string[]): string[] =>
    links.map((href) => withoutLanguage(file, href));
  return [
    ...blockDifferences(original, part, translation, translated),
    ...compare('picture', targets(original, part.pictures), targets(translation, translated.pictures)),
    ...compare('link to', targets(original, part.links), targets(translation, translated.links)),
    ...translated.links
      .filter((href) => isLeftInEnglish(translation.file, href))
      .map((href) => `${where} links to ${href}, which has a translation`),
    ...compare('name', part.names, translated.names),
    ...compare('number', part.numbers, translated.numbers),
  ];
}

function blockDifferences(original: Page, part: Part, translation: Page, translated: Part): string[] {
  const kinds = (blocks: readonly Block[]): string => blocks.map(({ kind }) => kind).join(', ') || 'no block';
  if (kinds(part.blocks) !== kinds(translated.blocks))
    return [
      `${place(translation, translated)} has ${kinds(translated.blocks)}, and ${place(original, part)} has ${kinds(part.blocks)}`,
    ];
  return part.blocks.flatMap((before, index) => {
    const after = translated.blocks[index];
    const at = after && firstDifference(before.lines, after.lines);
    if (!after || at === undefined) return [];
    const say = ({ file }: Page, { line, lines }: Block): string =>
      `${file}:${line + at} ${lines[at] ?? 'ends'}`;
    return [`${before.kind}: ${say(translation, after)}, and ${say(original, before)}`];
  });
}

const place = ({ file }: Page, part: Part | undefined): string =>
  part ? `${file}:${part.line} ${'#'.repeat(part.depth)} ${part.heading}` : `the end of ${file}`;

function firstDifference<Item>(before: readonly Item[], after: readonly Item[]): number | undefined {
  const longer = before.length > after.length ? before : after;
  const at = longer.findIndex((_, index) => before[index] !== after[index]);
  return at < 0 ? undefined : at;
}

const isElsewhere = (href: string): boolean => /^[a-z]+:/i.test(href);

/** What a link means in any language: the file of the original, and the anchor that the heading has there. */
function withoutLanguage(page: string, href: string): string {
  if (isElsewhere(href)) return href;
  const [path = '', anchor] = href.split('#');
  const target = path === '' ? page : targetOf(page, path);
  const original = originalOf(target);
  if (anchor === undefined) return original;
  if (original === target || !existsSync(target)) return `${original}#${anchor}`;
  const anchorsOf = (file: string): string[] =>
    sectionsOf(readFileSync(file, 'utf8')).map((section) => section.anchor);
  return `${original}#${anchorsOf(original)[anchorsOf(target).indexOf(anchor)] ?? anchor}`;
}

/** A page leads to its own original, and otherwise to pages in its language where they are. */
function isLeftInEnglish(page: string, href: string): boolean {
  const [path = ''] = href.split('#');
  if (isElsewhere(href) || !path.endsWith('.md')) return false;
  const target = targetOf(page, path);
  return target === originalOf(target) && target !== originalOf(page) && existsSync(translationOf(target));
}
