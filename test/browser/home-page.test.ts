import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedEngine } from '../shared-engine.ts';
import { barriers } from './barriers.ts';
import { click, describeInChromium, openBrowser, openPageAt, takePicture } from './chromium.ts';

describeInChromium('the home page of the engine in Chromium', () => {
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
    // Nothing is behind a sideways scroll.
    for (const narrower of [320, width]) {
      await page.setViewportSize({ width: narrower, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(narrower);
      expect(
        await page.locator('.services').evaluate((table) => table.scrollWidth <= table.clientWidth),
      ).toBe(true);
    }
    // Its script of 4 MB is tried in reference.test.ts.
    await page.route('**/*.js', (route) => route.abort());
    await click(page.locator('.services a').first());
    await page.waitForURL(`${url}/session/scalar/v1`);
    await page.close();
  });

  test('every link of it leads to a page that is there', async () => {
    const page = await openPageAt(browser, url);
    const found = await page
      .locator('main a:not([download])')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    const paths = found.map((href) => String(href).replace(url, ''));
    for (const path of ['/batch', '/documents/verification', '/credentials/verify', '/documents/console/organization/webhooks'])
      expect(paths).toContain(path);
    for (const href of found) {
      const response = await page.request.get(String(href), { headers: { accept: 'text/html' } });
      expect([href, response.status()]).toEqual([href, 200]);
    }
    expect(await page.locator('main').textContent()).not.toMatch(/not built/);
    await click(page.getByRole('link', { name: 'Portal of an approver' }));
    await page.getByRole('heading', { level: 1, name: /^(?:Nothing waits|Waiting) for you$/ }).waitFor();
    await page.close();
  });

  test('a newcomer fetches a certificate, creates a document and signs it, with what the page tells alone', async () => {
    const page = await openPageAt(browser, url);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the certificate 52998224725.p12' }).click(),
    ]);
    const password = (await page.locator('.now code').textContent()) ?? '';
    await click(page.getByRole('button', { name: 'Create a contract and sign it' }));
    await page.getByRole('heading', { level: 1, name: 'Contrato de teste' }).waitFor();
    await page.setInputFiles('#certificate', await download.path());
    await page.fill('#password', password);
    await page.getByRole('button', { name: 'Sign the document' }).click();
    await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
    await takePicture(page, 'home-signed');
    await page.close();
  }, 60_000);

  test.each([
    ['en', 1280, 'What the receiver', 'Headers'],
    ['pt-BR', 390, 'O que o receptor', 'Cabeçalhos'],
  ] as const)(
    'the receiver and a mailbox are pages in %s, %i px wide',
    async (locale, width, title, headers) => {
      const name = `page-${locale}`;
      await fetch(`${url}/sandbox/receiver/${name}`, {
        method: 'POST',
        body: JSON.stringify({ type: 'DocumentSigned', data: '<script>document.title="taken"</script>' }),
      });
      const options = { locale, viewport: { width, height: 900 } };
      const page = await openPageAt(browser, `${url}/sandbox/receiver/${name}`, options);
      await page.getByRole('heading', { name: title }).waitFor();
      await page.getByText('"type": "DocumentSigned"').waitFor();
      await click(page.getByText(headers));
      expect(await barriers(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      const [card] = await page.locator('.card').all();
      expect(await card?.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
      await takePicture(page, `receiver-${locale}`);
      await page.goto(`${url}/sandbox/mailbox/nobody@sandbox.example`);
      await page.getByText('nobody@sandbox.example').first().waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.close();
    },
  );
});
