import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { LANGUAGES, type Language } from '../../shared/ui/languages.ts';
import { CONTENTS, idOf, translationOf } from './contents.ts';
import { type Section, sectionsOf } from './markdown.ts';

/** A page in one language. */
export type Page = {
  readonly id: string;
  readonly file: string;
  readonly language: Language;
  readonly title: string;
  /** Its first paragraph. */
  readonly lead: string;
  readonly markdown: string;
  readonly sections: readonly Section[];
};

export type Library = {
  /** The page in a language, or the English one where it has no translation. */
  readonly page: (id: string, language: Language) => Page | undefined;
  /** Files and folders of the repository that pages link to, by their path. No other is ever shown. */
  readonly sources: ReadonlyMap<string, 'file' | 'folder'>;
  /** Changes with every change of a page. */
  readonly stamp: string;
};

const FILES = CONTENTS.flatMap(({ files }) => files);
const ALL = FILES.flatMap((file) => [file, translationOf(file)]);
/** Larger files are data, and nothing to read. */
const MAX_SOURCE_BYTES = 200_000;

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

let known: Library | undefined;

/**
 * The pages of docs/ and of the READMEs, read again when one of them changes. Those that an installation leaves out are
 * not there.
 * @example openLibrary('.').page('webhooks', 'pt-BR')?.title
 */
export function openLibrary(root: string): Library {
  const stamp = [root, ...ALL.map((file) => changedAt(join(root, file)))].join();
  if (known?.stamp !== stamp) known = readLibrary(root, stamp);
  return known;
}

function readLibrary(root: string, stamp: string): Library {
  const pages = ALL.flatMap((file) => readPage(root, file) ?? []);
  const found = new Map(pages.map((page) => [`${page.language}/${page.id}`, page]));
  return {
    page: (id, language) => found.get(`${language}/${id}`) ?? found.get(`en/${id}`),
    sources: new Map(pages.flatMap((page) => linkedSources(root, page))),
    stamp,
  };
}

/** The line below a title that leads to the other language. The site has a choice of languages on every page instead. */
const OTHER_LANGUAGE = /(?<=^# .+\n\n)\[(English|Português)\]\(\S+\)\n\n/;

function readPage(root: string, file: string): Page | undefined {
  if (changedAt(join(root, file)) === 0) return undefined;
  const markdown = readFileSync(join(root, file), 'utf8').replace(OTHER_LANGUAGE, '');
  const sections = sectionsOf(markdown);
  const [first] = sections;
  // A part of the path, not of a name: credentials.md has "en" in it.
  const language: Language = LANGUAGES.find((each) => file.split(/[/.]/).includes(each)) ?? 'en';
  const [lead = ''] = (first?.text ?? '').split('\n\n');
  return { id: idOf(file), file, language, title: first?.heading || file, lead, markdown, sections };
}

const LINK = /\]\(([^)\s#]+)(?:#[^)]*)?\)/g;

/** The path in the repository that a link of a page means. */
export const targetOf = (file: string, href: string): string =>
  normalize(join(dirname(file), href)).replace(/\/$/, '');

function linkedSources(root: string, { file, markdown }: Page): [string, 'file' | 'folder'][] {
  return [...markdown.matchAll(LINK)]
    .map(([, href = '']) => href)
    .filter((href) => !/^[a-z]+:/i.test(href))
    .flatMap((href) => {
      const path = targetOf(file, href);
      const entry = path.startsWith('..') ? undefined : statSync(join(root, path), { throwIfNoEntry: false });
      if (!entry) return [];
      if (!entry.isDirectory()) return isShown(path, entry.size) ? [[path, 'file'] as [string, 'file']] : [];
      const inside = readdirSync(join(root, path), { withFileTypes: true })
        .filter((each) => each.isFile())
        .map(({ name }) => join(path, name))
        .filter((each) => isShown(each, statSync(join(root, each)).size));
      return [
        [path, 'folder'] as [string, 'folder'],
        ...inside.map((each) => [each, 'file'] as [string, 'file']),
      ];
    });
}

// Configuration is not shown: an operator may have filled in an example where it stands, with its secrets.
const isShown = (path: string, bytes: number): boolean =>
  bytes <= MAX_SOURCE_BYTES && /\.(ts|mjs|sh|css|md|rem|csv|xml)$/.test(path);
