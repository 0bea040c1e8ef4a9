import { afterEach, describe, expect, test, vi } from 'vitest';
import { handler } from '../../../../../functions/documents/endpoints/webhooks/get-webhooks-page.ts';
import { call } from '../../../../http-event.ts';

afterEach(() => vi.unstubAllEnvs());

describe('GET /webhooks', () => {
  test('is a page that anybody may open, and that runs, loads and calls nothing but this host', async () => {
    const { status, headers } = await call(handler);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("form-action 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  test.each([
    [{ 'Accept-Language': 'en-GB' }, undefined, 'en', 'API key'],
    [{ 'Accept-Language': 'pt' }, undefined, 'pt-BR', 'Chave de API'],
    [{ 'Accept-Language': 'pt-BR' }, 'en', 'en', 'API key'],
  ])('speaks the reader’s language: %j, ?lang=%s', async (headers, lang, language, words) => {
    const { text } = await call(handler, { headers, ...(lang && { query: { lang } }) });
    expect(text).toContain(`<html lang="${language}">`);
    expect(text).toContain(words);
  });

  test('has the key and the organization of the sandbox filled in, on the local stage alone', async () => {
    vi.stubEnv('SANDBOX_KEY', 'sandbox|"key');
    vi.stubEnv('SANDBOX_ORGANIZATION', 'organization-1');
    const { text } = await call(handler);
    expect(text).toContain('value="sandbox|&quot;key"');
    expect(text).toContain('value="organization-1"');
    vi.stubEnv('STAGE', 'production');
    expect((await call(handler)).text).not.toMatch(/sandbox\||organization-1/);
  });

  test('writes nothing of its address into the page', async () => {
    const lang = '"><script>alert(1)</script>';
    const { status, text } = await call(handler, { query: { lang, x: lang } });
    expect(status).toBe(200);
    expect(text).not.toContain('alert(1)');
  });
});
