import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const PAGES = globSync(['*.md', 'docs/*.md', 'examples/*/*.md', 'functions/*/*.md', 'test/bench/*.md']);

/** The links of a page into this repository: a file, and a heading where the link has one. */
const linksOf = (page: string) =>
  [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', heading] = target.split('#');
      return { page, target, file: path === '' ? page : join(dirname(page), path), heading };
    });

/** The anchors of a page: its headings in lower case, without punctuation, with dashes for spaces. */
const anchorsIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('every link of a page leads to a file, and to a heading that it has', () => {
  const all = PAGES.flatMap(linksOf);
  expect(all.length).toBeGreaterThan(100);
  const broken = all.filter(
    ({ file, heading }) =>
      !existsSync(file) ||
      (heading !== undefined && file.endsWith('.md') && !anchorsIn(file).includes(heading)),
  );
  expect(broken.map(({ page, target }) => `${page} -> ${target}`)).toEqual([]);
});
