import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const PAGES = globSync(['*.md', 'docs/*.md', 'examples/*/*.md', 'functions/*/*.md', 'test/bench/*.md']);

/** Where the links of a page lead in this repository, without what is in the middle of a page. */
const targetsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target));

test('every link of a page leads to a file', () => {
  const all = PAGES.flatMap((page) => targetsOf(page).map((target) => ({ page, target })));
  expect(all.length).toBeGreaterThan(100);
  const broken = all.filter(({ page, target }) => !existsSync(join(dirname(page), target)));
  expect(broken).toEqual([]);
});
