import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedEngine } from '../shared-engine.ts';
import { barriers } from './barriers.ts';
import { chromiumPath, click, openBrowser, openPageAt, takePicture } from './chromium.ts';

describe.skipIf(!chromiumPath && !process.env.CI)('the home page of the engine in Chromium', () => {
  let url: string;
  let browser: Browser;
  beforeAll(async () => {
    const [engine, opened] = await Promise.all([sharedEngine(), openBrowser()]);
    [url, browser] = [engine.url, opened];
  }, 120_000);
  afterAll(() => browser?.close());

  test.each([
    ['en', 'Sinete runs on this machine', 1280],
    ['pt-BR', 'O Sinete está rodando nesta máquina', 390],
  ] as const)('in %s it has no barriers, and leads to a reference', async (locale, title, width) => {
    const page = await openPageAt(browser, url, { locale, viewport: { width, height: 900 } });
    expect(await page.locator('h1').textContent()).toBe(title);
    expect(await barriers(page)).toEqual([]);
    await takePicture(page, `home-${locale}`);
    await click(page.locator('table a').first());
    await page.waitForURL(`${url}/session/scalar/v1`);
    await page.close();
  });
});
