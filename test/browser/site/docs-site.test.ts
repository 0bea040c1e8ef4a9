import type { Browser } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { sharedEngine } from '../../servers/shared-engine.ts';
import { barriers, barriersInBothSchemes } from '../barriers.ts';
import { click, describeInChromium, openBrowser, openPageAt, watch } from '../chromium.ts';
import { look, PHONE_IN_PORTUGUESE } from '../look.ts';

describeInChromium('the documentation in Chromium', () => {
  let url: string;
  let browser: Browser;
  beforeAll(async () => {
    const [engine, opened] = await Promise.all([sharedEngine(), openBrowser()]);
    [url, browser] = [engine.url, opened];
  }, 120_000);

  test('no page has barriers or scrolls sideways', async () => {
    const page = await openPageAt(browser, `${url}/docs`, PHONE_IN_PORTUGUESE);
    const seen = watch(page, url);
    for (const path of ['', '/shares', '/search?q=branding', '/source/shared/queue/outbox.ts', '/no']) {
      await page.goto(`${url}/docs${path}`);
      await look(
        page,
        `docs${path.replaceAll(/\W/g, '-')}`,
        path === '/shares' ? barriersInBothSchemes : barriers,
      );
    }
    expect(seen.outside).toEqual([]);
    expect(seen.errors.filter((error) => !error.includes('404'))).toEqual([]);
    await page.close();
  }, 60_000);

  test('a reader comes from the home page, searches without a script, and keeps the language', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en' });
    const page = await context.newPage();
    await page.goto(url);
    await click(page.getByRole('link', { name: 'Documentation', exact: true }));
    await click(page.getByRole('link', { name: 'Português' }));
    await page.getByLabel('Pesquisar na documentação').fill('webhook novas tentativas');
    await page.getByLabel('Pesquisar na documentação').press('Enter');
    await click(page.getByRole('link', { name: /Novas tentativas/ }).first());
    expect(page.url()).toBe(`${url}/docs/webhooks?lang=pt-BR#novas-tentativas`);
    // A page that nobody has translated yet is shown in English, and says so.
    await page.goto(`${url}/docs/folders?lang=pt-BR`);
    await page.getByText('ainda não tem tradução').waitFor();
    await context.close();
  });

  test('a block of code is copied by its button, and pictures are shown', async () => {
    const page = await openPageAt(browser, `${url}/docs/readme`, { locale: 'en' });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
    const block = page.locator('.code').first();
    await click(block.getByRole('button', { name: 'Copy' }));
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      await block.locator('code').textContent(),
    );
    const picture = page.locator('article img').first();
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(0);
    await page.close();
  });
});
