import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { handler } from '../../../../functions/sandbox/providers/endpoints/get-client-return.ts';
import { call } from '../../../requests/http-event.ts';

describe('the page of the client that a user returns to', () => {
  test('shows every value it was opened with', async () => {
    const { status, headers, text } = await call(handler, { query: { session: 'abc-123', error: 'none' } });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('<dt>session</dt><dd><code>abc-123</code></dd>');
    expect(text).toContain('<dt>error</dt>');
  });

  test('says so when it was opened with none', async () => {
    const english = { headers: { 'accept-language': 'en' } };
    expect((await call(handler, english)).text).toContain('<dt>none</dt>');
  });

  test('speaks Portuguese and English, and keeps its values in the other language', async () => {
    const { text, headers } = await call(handler, { query: { session: 'abc-123' } });
    expect(headers['content-language']).toBe('pt-BR');
    expect(text).toContain('De volta ao cliente');
    expect(text).toContain('href="?session=abc-123&amp;lang=en"');
  });

  test('shows HTML in a name or a value as text', async () => {
    const { text } = await call(handler, { query: { '<b>': `"><script>alert('x')</script>&amp;` } });
    expect(text).not.toMatch(/<script|<b>/);
    expect(text).toContain('&lt;b&gt;');
    expect(text).toContain('&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;');
  });

  test('lets no value add a tag to the page, whatever it holds', async () => {
    const markup = fc.string({ unit: fc.constantFrom('<', '>', '/', '"', "'", '&', ';', 'b', ' ', 'ç') });
    const tags = async (query: Record<string, string>) =>
      (await call(handler, { query })).text.match(/<[^>]*>/g)?.length;
    await fc.assert(
      fc.asyncProperty(markup, markup, async (name, value) => {
        expect(await tags({ [name]: value })).toBe(await tags({ a: 'b' }));
      }),
    );
  });

  test('lets the browser run nothing, and load a stylesheet alone', async () => {
    expect((await call(handler)).headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  });
});
