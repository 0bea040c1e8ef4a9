import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { answerDocs } from '../../../infra/site/answer.ts';
import { CONTENTS, idOf } from '../../../infra/site/contents.ts';
import { openLibrary } from '../../../infra/site/library.ts';
import { renderMarkdown, sectionsOf } from '../../../infra/site/markdown.ts';
import { searchLibrary } from '../../../infra/site/search.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const ask = async (address: string, language = 'en') => {
  const { pathname, searchParams, hash } = new URL(address, 'http://localhost');
  const answer = await answerDocs(pathname, searchParams, language);
  return { ...answer, status: answer?.status, text: answer?.body.toString() ?? '', hash };
};

const FILES = CONTENTS.flatMap(({ files }) => files);

test('every page of docs/ and every README is in the contents once', () => {
  const written = globSync([
    'docs/*.md',
    '*.md',
    '{functions,examples,clients}/*/README.md',
    'examples/README.md',
  ]).filter((file) => !file.includes('pt-BR'));
  expect([...FILES].filter((file) => file !== 'test/bench/RESULTS.md').toSorted()).toEqual(
    written.toSorted(),
  );
  expect(new Set(FILES.map(idOf)).size).toBe(FILES.length);
});

const CONFIGURATION = /\.(ya?ml|json|env)(#|$)/;

// What a deployment or an image leaves out is not linked; in the repository everything is there.
test('every relative link and picture of every page leads to something, and to a heading that it has', async () => {
  const library = openLibrary('.');
  const seen = new Map<string, { status: number | undefined; text: string }>();
  const broken: string[] = [];
  const visit = async (from: string, address: string): Promise<void> => {
    const [path = '', hash] = address.split('#');
    const answer = seen.get(path) ?? (await ask(path));
    seen.set(path, answer);
    if (answer.status !== 200) broken.push(`${from} -> ${address}: ${answer.status}`);
    else if (hash && !answer.text.includes(`id="${hash}"`))
      broken.push(`${from} -> ${address}: no such heading`);
  };
  for (const language of ['en', 'pt-BR']) {
    for (const file of FILES) {
      const here = `/docs/${idOf(file)}?lang=${language}`;
      const { status, text } = await ask(here);
      expect([here, status]).toEqual([here, 200]);
      const article = text.slice(text.indexOf('<article'));
      for (const [, address = ''] of article.matchAll(/(?:href|src)="([^"]+)"/g))
        if (!/^[a-z]+:/.test(address)) await visit(here, address.startsWith('#') ? here + address : address);
      const own = library.page(idOf(file), language as 'en')?.markdown ?? '';
      const relative = [...own.matchAll(/\]\(((?![a-z]+:)[^)\s]+)\)/g)].filter(
        ([, href = '']) => !CONFIGURATION.test(href),
      ).length;
      const linked = [...article.matchAll(/(?:href|src)="/g)].length;
      // A link that leads nowhere is text, as one to configuration is.
      if (linked < relative) broken.push(`${here}: ${relative} links in the file, ${linked} on the page`);
    }
  }
  expect(broken).toEqual([]);
  expect([...seen.keys()].filter((path) => path.startsWith('/docs/source/')).length).toBeGreaterThan(50);
  expect(seen.has('/docs/images/dashboard.png')).toBe(true);
}, 60_000);

test.each([
  ['a path above the repository', '/docs/source/../../etc/passwd'],
  ['the same, encoded', '/docs/source/%2e%2e/%2e%2e/etc/passwd'],
  ['a file that no page links to', '/docs/source/package.json'],
  ['an example that an operator may have filled in', '/docs/source/compose.yaml'],
  ['the same, in a folder that a page links to', '/docs/source/examples/aws/settings.prod.yml'],
  ['a data folder', '/docs/source/.local/engine.json'],
  ['a picture elsewhere', '/docs/images/..%2f..%2fpackage.json'],
  ['an asset by a name of every object', '/docs/assets/constructor'],
])('%s is not shown', async (_, path) => {
  const answer = await answerDocs(path, new URLSearchParams(), 'en');
  expect(answer?.status).toBe(404);
  expect(answer?.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
});

test('a page is found by the name of its file, and other paths are not ours', async () => {
  const found = await ask('/docs/WEBHOOKS.md?lang=pt-BR');
  expect([found.status, found.headers?.location]).toEqual([302, '/docs/webhooks?lang=pt-BR']);
  expect(await answerDocs('/docsx', new URLSearchParams(), 'en')).toBeUndefined();
});

test('links stay below a public address with a path, and lead to the services that run there', async () => {
  vi.stubEnv('Http__PublicUrl', 'https://example.com/sign');
  const { text } = await ask('/docs/sandbox?lang=en');
  expect(text).toContain('href="/sign/docs/webhooks?lang=en"');
  expect(text).toContain('href="https://example.com/sign/"');
  expect(text).not.toContain('href="http://localhost:3000');
});

describe('languages', () => {
  test('a page without a translation is English and says so; the frame is Portuguese', async () => {
    const { text } = await ask('/docs/guards', 'pt-BR');
    expect(text).toContain('<html lang="pt-BR">');
    expect(text).toContain('ainda não tem tradução');
    expect(text).toContain('<article lang="en">');
    expect((await ask('/docs/guards', 'en')).text).not.toContain('class="notice"');
  });

  test('a translation is shown where there is one, and searched', () => {
    const root = mkdtempSync(join(tmpdir(), 'docs-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    mkdirSync(join(root, 'docs/pt-BR'), { recursive: true });
    writeFileSync(join(root, 'docs/mail.md'), '# Mail\n\n[Português](pt-BR/mail.md)\n\nLetters.');
    writeFileSync(
      join(root, 'docs/pt-BR/mail.md'),
      '# E-mail\n\n[English](../mail.md)\n\nMensagens à pessoa que **assina**.',
    );
    writeFileSync(join(root, 'README.pt-BR.md'), '# Sinete em português');
    const library = openLibrary(root);
    expect([library.page('mail', 'pt-BR')?.title, library.page('mail', 'en')?.title]).toEqual([
      'E-mail',
      'Mail',
    ]);
    // The frame has a choice of languages: the line for it in the file is not what the page is about.
    expect([library.page('mail', 'en')?.lead, library.page('mail', 'pt-BR')?.lead]).toEqual([
      'Letters.',
      'Mensagens à pessoa que assina.',
    ]);
    expect(library.page('readme', 'pt-BR')?.title).toBe('Sinete em português');
    expect(searchLibrary(library, 'MENSAGENS a pessoa', 'pt-BR').map(({ page }) => page.file)).toEqual([
      'docs/pt-BR/mail.md',
    ]);
    expect(searchLibrary(library, 'mensagens', 'en')).toEqual([]);
  });
});

test('a heading of a translation is found by its English anchor as well', async () => {
  const { text } = await ask('/docs/credentials?lang=pt-BR');
  expect(text).toContain('<h2 id="os-arquivos-xml"><span id="the-xml-files"></span>Os arquivos XML</h2>');
  expect(text).toContain('<h2 id="webhooks">Webhooks</h2>');
  expect((await ask('/docs/credentials?lang=en')).text).toContain(
    '<h2 id="the-xml-files">The XML files</h2>',
  );
});

describe('Markdown', () => {
  const words = { table: 'Table', code: 'Code' };
  const render = (markdown: string): string =>
    renderMarkdown(markdown, { linkTo: (href) => href, imageAt: () => undefined, words });

  test('holds no markup of its own: HTML is text, and comments are nothing', () => {
    expect(render('a <img src=x onerror=alert(1)> b')).not.toContain('<img');
    expect(render('<script>alert(1)</script>')).not.toContain('<script');
    expect(render('<!-- counted -->')).toBe('');
    expect(render('```html"><script>\n</code><script>\n```')).not.toContain('<script');
    expect(render('[x](<"onclick="a>)')).not.toMatch(/"onclick/);
  });

  test('has an anchor for each heading, as GitHub has', () => {
    const text = '# `npm run` & more\n\n## Again\n\n## Again\n\n### Ações';
    const anchors = ['npm-run--more', 'again', 'again-1', 'ações'];
    expect(sectionsOf(text).map(({ anchor }) => anchor)).toEqual(anchors);
    for (const anchor of anchors) expect(render(text)).toContain(`id="${anchor}"`);
  });
});

test('no link of a page leads to a script', async () => {
  const { linksOf } = await import('../../../infra/site/links.ts');
  const visit = { library: openLibrary('.'), language: 'en', base: '/docs', suffix: '' } as const;
  const { linkTo, imageAt } = linksOf(visit, 'docs/mail.md');
  expect(
    ['javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,x', '../.git/config'].map(linkTo),
  ).toEqual(Array(4).fill(undefined));
  expect(linkTo('webhooks.md#retries')).toBe('/docs/webhooks#retries');
  expect(linkTo('../functions/hub/openapi.json')).toMatch(/\/hub\/openapi\/v1\.json$/);
  expect(imageAt('../package.json')).toBeUndefined();
});

describe('the search', () => {
  test('finds the sections that have every word, those with the words in their heading first', async () => {
    const hits = searchLibrary(openLibrary('.'), 'webhook retries', 'en');
    expect(hits[0]?.page.id).toBe('webhooks');
    expect(hits[0]?.section.heading).toBe('Retries');
    expect(searchLibrary(openLibrary('.'), 'webhook qqqq', 'en')).toEqual([]);
    expect(searchLibrary(openLibrary('.'), 'MaxWebhooksPerOrganization', 'en').length).toBeGreaterThan(0);
  });

  test('is a page without a script, which shows what was typed as text', async () => {
    const { text, status } = await ask('/docs/search?q=%3Cscript%3Ealert(1)%3C/script%3E');
    expect(status).toBe(200);
    expect(text).not.toContain('<script>alert');
    expect((await ask('/docs/search?q=signer')).text).toContain('<mark>signer</mark>');
    expect((await ask(`/docs/search?q=${'a+'.repeat(50_000)}`)).status).toBe(200);
  });
});

test('the guides that the contract documents name are pages of docs/', () => {
  const named = globSync('functions/*/openapi.json').flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/"url": "\.\.\/\.\.\/(docs\/[\w-]+\.md)"/g),
  ]);
  expect(named.length).toBeGreaterThan(40);
  expect([...new Set(named.map(([, page = '']) => page))].filter((page) => !existsSync(page))).toEqual([]);
});
