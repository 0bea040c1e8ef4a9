import type { Browser } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { sharedEngine } from '../../servers/shared-engine.ts';
import { barriersInBothSchemes } from '../barriers.ts';
import { click, describeInChromium, openBrowser, openPageAt, takePicture } from '../chromium.ts';
import { expectFits, look, PHONE_IN_PORTUGUESE } from '../look.ts';

describeInChromium('the home page of the engine in Chromium', () => {
  let url: string;
  let browser: Browser;
  beforeAll(async () => {
    const [engine, opened] = await Promise.all([sharedEngine(), openBrowser()]);
    [url, browser] = [engine.url, opened];
  }, 120_000);

  test('has no barriers, and leads to a reference', async () => {
    const page = await openPageAt(browser, url, PHONE_IN_PORTUGUESE);
    expect(await page.locator('h1').textContent()).toBe('O Sinete está rodando nesta máquina');
    await look(page, 'home', barriersInBothSchemes);
    await page.setViewportSize({ width: 320, height: 900 });
    await expectFits(page, 'home', []);
    // Nor is anything behind a sideways scroll of the table.
    expect(await page.locator('.services').evaluate((table) => table.scrollWidth <= table.clientWidth)).toBe(
      true,
    );
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
    for (const path of [
      '/batch',
      '/documents/verification',
      '/credentials/verify',
      '/documents/console/organization/webhooks',
    ])
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

  test('the receiver and a mailbox are pages', async () => {
    const address = `${url}/sandbox/receiver/page`;
    await fetch(address, {
      method: 'POST',
      body: JSON.stringify({ type: 'DocumentSigned', data: '<script>document.title="taken"</script>' }),
    });
    const page = await openPageAt(browser, address, PHONE_IN_PORTUGUESE);
    await page.getByRole('heading', { name: 'O que o receptor' }).waitFor();
    await page.getByText('"type": "DocumentSigned"').waitFor();
    await click(page.getByText('Cabeçalhos'));
    await look(page, 'receiver');
    const [card] = await page.locator('.card').all();
    expect(await card?.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
    await page.goto(`${url}/sandbox/mailbox/nobody@sandbox.example`);
    await page.getByText('nobody@sandbox.example').first().waitFor();
    await look(page, 'mailbox-empty');
    await page.close();
  });
});
