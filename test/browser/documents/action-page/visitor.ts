import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';
import { watch } from '../../chromium.ts';
import type { Platform } from '../../platform.ts';

/** What the tests of the page share: one engine, one browser. */
export type Place = {
  readonly url: string;
  readonly browser: Browser;
  readonly platform: Platform;
};

/** Somebody who opens a link, with everything that their browser sends. */
export async function visit({ browser, url }: Place, link: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  const page = await context.newPage();
  const seen = watch(page, url);
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  const answer = await page.goto(link);

  const posted = (path: string): Request[] =>
    requests.filter(
      (request) => request.method() === 'POST' && new URL(request.url()).pathname.endsWith(path),
    );
  return {
    page,
    seen,
    requests,
    status: answer?.status(),
    starts: () => posted('/signature/certificate'),
    completions: () => posted('/signature'),
    posted,
    async chooseCertificate(file: Parameters<Page['setInputFiles']>[1], password: string): Promise<void> {
      await page.setInputFiles('#certificate', file);
      await page.fill('#password', password);
    },
    submit: () => page.click('#sign button[type=submit], #approve button[type=submit]'),
    problem: async (): Promise<string> => {
      const box = page.locator('.problem:visible');
      await box.waitFor();
      return (await box.textContent()) ?? '';
    },
    outcome: async (): Promise<string> => {
      const heading = page.locator('#closed');
      await heading.waitFor();
      return (await heading.textContent()) ?? '';
    },
    close: () => context.close(),
  };
}
