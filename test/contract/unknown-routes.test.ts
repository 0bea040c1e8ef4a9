import { beforeAll, describe, expect, test } from 'vitest';
import { SERVICES } from '../../shared/settings/names.ts';
import { sharedEngine } from '../servers/shared-engine.ts';

// What Chromium sends for an address that somebody typed.
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('a wrong address below a service', () => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await sharedEngine());
  }, 120_000);

  const wrong = SERVICES.flatMap((service) =>
    ['nothing', 'nothing/here', 'api/nothing/here', 'v1/nothing/here'].map((path) => `/${service}/${path}`),
  );

  test.each([...wrong, '/nothing', '/sandbox/nothing/here'])(
    '%s is a page for a browser, in its language, and a problem for a program',
    async (path) => {
      const ask = (accept: string, language = 'en') =>
        fetch(`${url}${path}`, { headers: { accept, 'accept-language': language } });
      for (const [language, title] of [
        ['en', 'Nothing is at this address'],
        ['pt-BR', 'Não há nada neste endereço'],
      ] as const) {
        const page = await ask(BROWSER, language);
        expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
        expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
        const text = await page.text();
        expect(text).toContain(`<h1>${title}</h1>`);
        expect(text).toContain(`lang="${language}"`);
      }
      for (const accept of ['application/json', '*/*']) {
        const problem = await ask(accept);
        expect([problem.status, problem.headers.get('content-type')]).toEqual([
          404,
          expect.stringContaining('json'),
        ]);
        expect(Object.keys((await problem.json()) as object).length).toBeGreaterThan(0);
      }
    },
  );
});
