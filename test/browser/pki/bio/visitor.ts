import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { click, watch } from '../../chromium.ts';

export type Place = { readonly url: string; readonly browser: Browser };
export type Kind = 'liveness' | 'enrollment';

export const RETURN = 'http://localhost:9999/return';
export const ORIGIN = 'http://localhost:9999';
export const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
  userAgent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
};

/** The PKI core of a running engine, as an application uses it. */
export function bioApp({ url }: { readonly url: string }) {
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${url}/pki/api/bio/sessions/${path}`, {
      method,
      headers: { 'x-api-key': SANDBOX_KEY, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  return {
    start: (kind: Kind, body: object = {}) =>
      ask<{ sessionId: string; sessionUrl: string }>('POST', kind, {
        returnUrl: RETURN,
        subjectIdentifier: `${crypto.randomUUID()}@example.com`,
        ...body,
      }),
    complete: (kind: Kind, ticket: string) =>
      ask<Record<string, unknown>>('POST', `${kind}/completion`, { ticket }),
    read: (kind: Kind, sessionId: string) => ask<Record<string, unknown>>('GET', `${kind}/${sessionId}`),
  };
}

/** Somebody who opens the address of a session. The application's own pages are answered here. */
export async function visit({ browser, url }: Place, link: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  await context.route(`${ORIGIN}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>back</title><h1>Back at the application</h1>' }),
  );
  const page = await context.newPage();
  const seen = watch(page, url);
  const answer = await page.goto(link);
  return { page, seen, status: answer?.status(), ...acts(page), close: () => context.close() };
}

/** What a person does on the page. */
export function acts(page: Page) {
  const view = (name: string) => page.locator(`[data-view=${name}]:visible`);
  const press = (act: string) => click(page.locator(`[data-act=${act}]:visible`));
  return {
    view,
    press,
    async lookIntoCamera(): Promise<void> {
      await press('start');
      await view('camera').waitFor();
    },
    async attempt(): Promise<void> {
      await press('begin');
    },
    said: async (name: string): Promise<string> => {
      await view(name).waitFor();
      return (await view(name).textContent())?.replaceAll(/\s+/g, ' ').trim() ?? '';
    },
    /** The ticket with which the person comes back. */
    async back(): Promise<string> {
      await page.waitForURL(`${RETURN}?**`);
      return new URL(page.url()).searchParams.get('completeTicket') ?? '';
    },
  };
}
