import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDERS = ['examples', ...globSync('examples/*/main.ts').map((program) => dirname(program))];

/** What a page and its translation have in common: levels of headings, blocks, and the first cell of each row. */
function shapeOf(page: string): string[] {
  const text = readFileSync(page, 'utf8');
  const blocks = [...text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, block = '']) =>
    block.replaceAll(/ +#.*$/gm, ''),
  );
  const rows = [...text.matchAll(/^\| (\[.*?|`.*?) *\|/gm)].map(([, cell = '']) => cell);
  return [...[...text.matchAll(/^#+/gm)].map(([level]) => level), ...blocks, ...rows];
}

test.each(FOLDERS)('%s has a page in both languages, with the same commands and files', (folder) => {
  const [english, portuguese] = [join(folder, 'README.md'), join(folder, 'README.pt-BR.md')];
  expect([english, portuguese].filter((page) => !existsSync(page))).toEqual([]);
  expect(shapeOf(portuguese)).toEqual(shapeOf(english));
  expect(shapeOf(english).length).toBeGreaterThan(3);
});
