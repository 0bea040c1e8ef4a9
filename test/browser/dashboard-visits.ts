import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { SANDBOX_KEY } from '../../functions/sandbox/sandbox-data.ts';
import { watch } from './chromium.ts';

/** An operator who has logged in and opened a page of the dashboard. */
export async function visitDashboard(
  browser: Browser,
  url: string,
  path = '',
  options: BrowserContextOptions = {},
): Promise<{ page: Page; seen: ReturnType<typeof watch>; close(): Promise<void> }> {
  const context = await browser.newContext({
    locale: 'en-US',
    timezoneId: 'America/Sao_Paulo',
    viewport: { width: 1280, height: 900 },
    ...options,
  });
  // Not by the form: each visit would count as a login of the same address.
  const login = await context.request.post(`${url}/batch/api/auth/login`, {
    form: { ApiKey: SANDBOX_KEY, ReturnUrl: '/login' },
    maxRedirects: 0,
  });
  if (login.status() !== 303) throw new Error(`The login was answered ${login.status()}.`);
  const page = await context.newPage();
  const seen = watch(page, url);
  await page.goto(`${url}/batch${path}`);
  return { page, seen, close: () => context.close() };
}

/** How each page is looked at: both languages and schemes, on a desk and on a phone. */
export const LOOKS = [
  ['desktop-light', { locale: 'en-US', colorScheme: 'light' }],
  [
    'phone-dark',
    { locale: 'pt-BR', colorScheme: 'dark', viewport: { width: 360, height: 760 }, isMobile: true },
  ],
] as const satisfies readonly (readonly [string, BrowserContextOptions])[];
