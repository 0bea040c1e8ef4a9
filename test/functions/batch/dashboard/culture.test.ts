import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as getLoginPage } from '../../../../functions/batch/auth/endpoints/get-login-page.ts';
import { handler as setCulture } from '../../../../functions/batch/dashboard/endpoints/set-culture.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { call } from '../../../requests/http-event.ts';
import { cookieValue, FORM, sendLogin } from '../auth/operator.ts';

const choose = (query: Record<string, string | string[]>, headers: Record<string, string> = {}) =>
  call(setCulture, { method: 'POST', query, headers: { 'Content-Type': FORM, ...headers }, body: '' });

beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a culture', () => {
  test.each([
    ['pt-BR', 'pt-BR'],
    ['PT-br', 'pt-BR'],
    ['en-us', 'en-US'],
  ])('%s is kept in a cookie for a year, and leads to the page', async (culture, kept) => {
    const { status, headers, cookies } = await choose({ culture, redirectUri: '/jobs?page=2' });
    expect([status, headers.location]).toEqual([303, '/batch/jobs?page=2']);
    expect(cookies).toEqual([`lbs-culture=${kept}; Max-Age=31536000; Path=/batch; HttpOnly; SameSite=Lax`]);
  });

  test.each(['//evil.example', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)'])(
    'leads to no other site: %s',
    async (redirectUri) => {
      const { status, headers } = await choose({ culture: 'en-US', redirectUri });
      expect([status, headers.location]).toEqual([303, '/batch/']);
    },
  );

  test.each<Record<string, string>>([
    { culture: 'en' },
    { culture: 'pt-PT' },
    { culture: 'de-DE' },
    { culture: '' },
    {},
  ])('that pages do not have is refused: %j', async (query) => {
    const { status, json, cookies } = await choose({ ...query, redirectUri: '/' });
    expect([status, json(), cookies]).toMatchObject([400, { code: 'culture.not-supported' }, []]);
  });

  test('leads to the base URL where its redirectUri is empty', async () => {
    const { status, headers } = await choose({ culture: 'en-US', redirectUri: '' });
    expect([status, headers.location]).toEqual([303, '/batch/']);
  });

  test('is refused where it is given twice', async () => {
    const { status, json } = await choose({ culture: ['en-US', ''] });
    expect([status, json()]).toMatchObject([400, { code: 'validation.filter-invalid' }]);
  });

  test('is not chosen by a form of another site', async () => {
    const { status, json, cookies } = await choose(
      { culture: 'en-US' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
    );
    expect([status, json(), cookies]).toMatchObject([403, { code: 'auth.cross-origin' }, []]);
  });
});

describe('the language of the login page', () => {
  const languageOfPage = async (query: Record<string, string>, Cookie: string) => {
    const headers = { Cookie, 'Accept-Language': 'pt-BR' };
    return (await call(getLoginPage, { query, headers, address: randomUUID() })).headers['content-language'];
  };

  test('is the one in its link, then the one chosen, then the one of the browser', async () => {
    const { cookies } = await choose({ culture: 'en-US' });
    const chosen = `lbs-culture=${cookieValue(cookies[0])}`;
    expect(await languageOfPage({}, '')).toBe('pt-BR');
    expect(await languageOfPage({}, chosen)).toBe('en');
    expect(await languageOfPage({ lang: 'pt-BR' }, chosen)).toBe('pt-BR');
    expect(await languageOfPage({ lang: 'tlh' }, chosen)).toBe('en');
    expect(await languageOfPage({}, 'lbs-culture=tlh')).toBe('pt-BR');
  });

  test('is the one of a login that is refused too', async () => {
    const { headers } = await sendLogin(
      { ApiKey: 'wrong' },
      { Accept: 'text/html', 'Accept-Language': 'pt-BR', Cookie: 'lbs-culture=en-US' },
    );
    expect(headers['content-language']).toBe('en');
  });
});
