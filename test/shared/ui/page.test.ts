import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { html } from 'hono/html';
import { describe, expect, test } from 'vitest';
import { renderFrame } from '../../../shared/ui/frame.ts';
import { page } from '../../../shared/ui/page.ts';

const textOf = async (answer: ReturnType<typeof page>): Promise<string> => {
  const { body } = await answer;
  return body.kind === 'text' ? body.text : '';
};
const plain = { title: 'Sign', language: 'en', body: html`<main></main>` } as const;
const policyOf = async (more: object) =>
  (await page({ ...plain, ...more })).headers['content-security-policy'];

describe('a page', () => {
  test('says its language, its title and its scripts, and keeps its address from other sites', async () => {
    const answer = page({
      ...plain,
      language: 'pt-BR',
      title: 'Assinar',
      styles: ['./assets/a.css'],
      scripts: ['./assets/a.js'],
    });
    const text = await textOf(answer);
    expect(text).toContain('<html lang="pt-BR">');
    expect(text).toContain('<title>Assinar</title>');
    expect(text).toContain('<link rel="stylesheet" href="./assets/a.css">');
    expect(text).toContain('<script type="module" src="./assets/a.js"></script>');
    expect((await answer).headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-language': 'pt-BR',
      'referrer-policy': 'no-referrer',
    });
  });

  test('has a preview for messages that says nothing of its own unless it gives one', async () => {
    const tags = async (more: object) =>
      [
        ...(await textOf(page({ ...plain, title: 'Contract of Ana', ...more }))).matchAll(
          /<meta property="(og:[^"]*)" content="([^"]*)">/g,
        ),
      ].map(([, name, content]) => [name, content]);
    expect(await tags({})).toEqual([
      ['og:site_name', 'Sinete'],
      ['og:type', 'website'],
      ['og:title', 'Sinete'],
      ['og:description', 'Digital signatures with ICP-Brasil certificates.'],
    ]);
    const preview = { title: 'Verify', description: 'Who signed a "file"' };
    expect((await tags({ preview })).slice(2)).toEqual([
      ['og:title', 'Verify'],
      ['og:description', 'Who signed a &quot;file&quot;'],
    ]);
  });

  test('runs and loads nothing but what it has, never inline, and only from this host', async () => {
    expect(await policyOf({})).toBe(
      "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    const everything = await policyOf({
      ...{ styles: ['a.css'], scripts: ['a.js'], inlineStyle: 'p{}', showsImages: true, hasReader: true },
    });
    expect(everything).toMatch(
      /; style-src 'self' 'sha256-[\w+/=]+'; worker-src 'self'; img-src 'self' data:; /,
    );
    expect(everything).toContain("script-src 'self'; connect-src 'self'; style-src 'self'");
    expect(everything).not.toMatch(/unsafe|http|\*/);
  });

  test('is shown in frames by nobody, or by those it names', async () => {
    expect(await policyOf({})).toContain("frame-ancestors 'none'");
    expect(await policyOf({ frameAncestors: "'self' https://app.example" })).toMatch(
      /frame-ancestors 'self' https:\/\/app\.example$/,
    );
  });

  test('lets no text add a tag or an attribute to it', async () => {
    const markup = fc.string({
      unit: fc.constantFrom('<', '>', '/', '"', "'", '&', '`', '$', '{', 'b', ' ', 'ç'),
    });
    const tags = async (text: string) =>
      (await textOf(page({ ...plain, title: text, body: html`<p title="${text}">${text}</p>` }))).match(
        /<[^>]*>/g,
      );
    const usual = (await tags('b'))?.length;
    await fc.assert(
      fc.asyncProperty(markup, async (text) => {
        expect((await tags(text))?.length).toBe(usual);
      }),
    );
  });

  test('begins with a link past its navigation, to its content', async () => {
    const framed = renderFrame({
      language: 'en',
      navigation: html`<nav id="service"></nav>`,
      body: html`<main></main>`,
      inLanguage: (other) => `?lang=${other}`,
    });
    const text = String(await framed);
    expect(text).toMatch(/^<a class="skip" href="#page-content">Skip to the content<\/a>/);
    expect(text).toMatch(/<nav id="service"><\/nav><div id="page-content" tabindex="-1"><\/div>\s*<main>/);
  });

  test('has a style of its own only by the hash of it', async () => {
    const inlineStyle = 'p { color: red }';
    const hash = createHash('sha256').update(inlineStyle).digest('base64');
    expect(await policyOf({ inlineStyle })).toContain(`; style-src 'sha256-${hash}';`);
    expect(await textOf(page({ ...plain, inlineStyle }))).toContain(`<style>${inlineStyle}</style>`);
  });

  test('leads to itself in the other language', async () => {
    const body = renderFrame({
      language: 'en',
      body: html`<main></main>`,
      inLanguage: (other) => `?lang=${other}`,
    });
    const text = String(await body);
    expect(text).toContain('<span lang="en" aria-current="true">English</span>');
    expect(text).toContain('<a lang="pt-BR" hreflang="pt-BR" href="?lang=pt-BR">Português</a>');
  });
});
