import type { Browser } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { sharedEngine } from '../../servers/shared-engine.ts';
import { chromiumPath, describeInChromium, openBrowser, takePicture, watch } from '../chromium.ts';

if (!chromiumPath) {
  console.warn(
    'Browser tests are skipped: no Chromium on this machine. Install one, or name it in CHROMIUM.',
  );
}

describeInChromium('the browsable reference in Chromium', () => {
  let url: string;
  let browser: Browser;

  beforeAll(async () => {
    [browser, { url }] = await Promise.all([openBrowser(), sharedEngine()]);
  }, 120_000);

  // One contract: each page loads and runs a script of 4 MB. home-page.test.ts finds the pages of the other services.
  test('shows its operations, with the key of the sandbox and an example filled in: a request works at the first click', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const seen = watch(page, url);
    await page.goto(`${url}/session/scalar`);
    const answer = await fetch(`${url}/session/openapi/v1.json`);
    const document = (await answer.json()) as { info: { title: string } };
    await page.getByRole('heading', { name: document.info.title }).first().waitFor();
    await page.getByText('This contract, as OpenAPI 3.1').first().waitFor();
    expect(page.url()).toBe(`${url}/session/scalar/v1`);
    await takePicture(page, 'reference-session');

    // Operations below the fold are drawn when they are scrolled to.
    await page.getByRole('link', { name: 'Whether a session is active' }).first().click();
    await page
      .getByRole('button', { name: /Test Request.*sessions\/status/i })
      .first()
      .click();
    const [response] = await Promise.all([
      page.waitForResponse((one) => one.url().includes('/session/v1/sessions/status')),
      page.getByRole('button', { name: /^Send/ }).first().click(),
    ]);
    expect(response.status()).toBe(200);
    // To this server, and with the id of the request in its answer.
    expect(response.headers()['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(seen).toEqual({ outside: [], errors: [] });
    await page.close();
  });
});
