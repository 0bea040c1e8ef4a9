import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVICES } from '../../shared/settings/names.ts';
import { sharedEngine } from '../shared-engine.ts';
import { chromiumPath, describeInChromium, openBrowser, takePicture, watch } from './chromium.ts';

// Operations below the fold are drawn when they are scrolled to.
const showOperation = (page: Page, summary: string) =>
  page.getByRole('link', { name: summary }).first().click();

if (!chromiumPath) {
  console.warn(
    'Browser tests are skipped: no Chromium on this machine. Install one, or name it in CHROMIUM.',
  );
}

describeInChromium('the browsable reference in Chromium', () => {
  let url: string;
  let browser: Browser;
  // One for all pages: each would load and compile a script of 4 MB again.
  let context: BrowserContext;

  beforeAll(async () => {
    [browser, { url }] = await Promise.all([openBrowser(), sharedEngine()]);
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  }, 120_000);

  afterAll(() => browser?.close());

  test.each(SERVICES)('of %s shows its operations and asks no other host', async (service) => {
    const page = await context.newPage();
    const seen = watch(page, url);
    const answer = await fetch(`${url}/${service}/openapi/v1.json`);
    const document = (await answer.json()) as { info: { title: string } };

    await page.goto(`${url}/${service}/scalar`);
    await page.getByRole('heading', { name: document.info.title }).first().waitFor();
    await page.getByText('This contract, as OpenAPI 3.1').first().waitFor();
    await takePicture(page, `reference-${service}`);

    expect(page.url()).toBe(`${url}/${service}/scalar/v1`);
    expect(seen.outside).toEqual([]);
    expect(seen.errors).toEqual([]);
    await page.close();
  });

  test('has the key of the sandbox and an example filled in, so that a request works at the first click', async () => {
    const page = await context.newPage();
    const seen = watch(page, url);
    await page.goto(`${url}/session/scalar/v1`);
    await showOperation(page, 'Whether a session is active');
    await page
      .getByRole('button', { name: /Test Request.*sessions\/status/i })
      .first()
      .click();
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().includes('/session/v1/sessions/status')),
      page.getByRole('button', { name: /^Send/ }).first().click(),
    ]);
    expect(answer.status()).toBe(200);
    // To this server, and with the id of the request in its answer.
    expect(answer.headers()['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(seen.outside).toEqual([]);
    await page.close();
  });
});
