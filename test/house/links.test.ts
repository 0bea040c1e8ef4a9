import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const PAGES = globSync([
  '*.md',
  'docs/{,pt-BR/}*.md',
  'examples/**/*.md',
  'functions/*/*.md',
  'test/bench/*.md',
]);

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

test('every question of CONTRIBUTING.md is answered by its command, in a few lines', () => {
  const commands = [...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^\| .* \| `(grep .*)` +\|$/gm)];
  expect(commands.length).toBeGreaterThan(3);
  for (const [, command = ''] of commands) {
    const [program = '', ...args] = command.split(' ');
    const found = execFileSync(program, args, { encoding: 'utf8' }).trim().split('\n');
    expect({ command, isFew: found.length < 25 }).toEqual({ command, isFew: true });
  }
});

const foldersOf = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

describe('README.md', () => {
  const readme = readFileSync('README.md', 'utf8');
  const linked = (page: string): string[] => linksOf(page).map(({ file }) => file);

  test('has a row for every service, with its page', () => {
    for (const service of foldersOf('functions')) {
      expect(linked('README.md')).toContain(`functions/${service}/README.md`);
      expect(readme).toContain(`| \`/${service}\``);
    }
  });

  test('leads to every page of docs/, by itself or by the first page of the batch service', () => {
    const reached = new Set([...linked('README.md'), ...linked('docs/batch.md')]);
    expect(globSync('docs/*.md').filter((page) => !reached.has(page))).toEqual([]);
  });

  test('has every folder of shared/ and every command of cli/ on its map', () => {
    const [, map = ''] = /## The repository\n\n```\n([\s\S]*?)```/.exec(readme) ?? [];
    const shared = /^shared\/[\s\S]*?(?=^agent\/)/m.exec(map)?.[0] ?? '';
    expect(foldersOf('shared').filter((name) => !new RegExp(`\\b${name}\\b`).test(shared))).toEqual([]);
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    const commands = Object.keys(scripts).filter((name) => scripts[name]?.startsWith('node cli/'));
    const cli = /^cli\/.*$/m.exec(map)?.[0] ?? '';
    expect(commands.filter((name) => !new RegExp(`\\b${name}\\b`).test(cli))).toEqual([]);
  });
});
