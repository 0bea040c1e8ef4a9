import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { sharedEngine } from '../../servers/shared-engine.ts';
import { barriers, barriersInBothSchemes } from '../barriers.ts';
import { click, describeInChromium, openBrowser, openPageAt, takePicture, watch } from '../chromium.ts';
import { type Platform, platformOf } from '../platform.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: 'dark' } as const;

describeInChromium('a code by mail, in Chromium', () => {
  let url: string;
  let browser: Browser;
  let platform: Platform;
  beforeAll(async () => {
    const [opened, engine] = await Promise.all([openBrowser(), sharedEngine()]);
    [url, browser, platform] = [engine.url, opened, platformOf(engine)];
  }, 120_000);

  /** A link that asks for a code, and the address that it is sent to. */
  async function codedLink() {
    const email = `maria-${randomUUID()}@sandbox.example`;
    const file = { bytes: new Uint8Array(Buffer.from('Text')), name: 'Segredo.txt', type: 'text/plain' };
    const id = await platform.document(file, [{ type: 'Approver', user: { name: 'Maria', email } }]);
    const links = await platform.links(id, { emailAddress: email, requireEmailAuthentication: true });
    return { email, ...links };
  }

  test.each([
    ['en', 'Confirm your address', {}],
    ['pt-BR', 'Confirme seu e‑mail', { ...PHONE, javaScriptEnabled: false }],
  ] as const)('in %s opens the document, read in the mailbox of the sandbox', async (locale, title, look) => {
    const { email, url: link } = await codedLink();
    const page = await openPageAt(browser, link, { locale, ...look });
    const seen = watch(page, url);
    const hasScripts = !('javaScriptEnabled' in look);
    expect(await page.locator('h1').textContent()).toBe(title);
    expect(await page.content()).not.toContain('Segredo');
    await click(page.locator('form button'));
    await page.locator('#code').waitFor();
    if (hasScripts) expect(await barriersInBothSchemes(page)).toEqual([]);
    await takePicture(page, `code-${locale}`);

    const mailbox = await page.context().newPage();
    const inMailbox = watch(mailbox, url);
    const address = `${url}/sandbox/mailbox/${email}`;
    const mails = async () => (await fetch(address, { headers: { accept: 'application/json' } })).text();
    await expect.poll(mails).toMatch(/\b\d{6}\b/);
    await mailbox.goto(address);
    expect(await mailbox.locator('h2 a').count()).toBe(1);
    if (hasScripts) expect(await barriers(mailbox)).toEqual([]);
    await click(mailbox.locator('h2 a'));
    if (hasScripts) expect(await barriers(mailbox)).toEqual([]);
    await takePicture(mailbox, `mailbox-${locale}`);
    const message = await mailbox.frameLocator('iframe').locator('body').textContent();
    const [code = ''] = /\b\d{6}\b/.exec(message ?? '') ?? [];
    expect(await mailbox.locator('.mail').textContent()).toContain(code);
    // The frame has styles of its own, which the policy of the page around it does not allow.
    const sheet = await mailbox.frameLocator('iframe').locator('.sheet').boundingBox();
    expect(sheet?.width).toBeLessThanOrEqual(560);
    expect(inMailbox).toEqual({ outside: [], errors: [] });

    const wrong = code === '000000' ? '111111' : '000000';
    await page.fill('#code', wrong);
    await click(page.locator('form button').first());
    expect(await page.locator('[role=alert]').textContent()).toContain('4');
    await page.fill('#code', code);
    await page.locator('#code').press('Enter');
    await page.waitForURL(/\/action\?ticket=/);
    expect(await page.locator('h1').textContent()).toBe('Segredo');
    expect(seen.outside).toEqual([]);
    await page.context().close();
  });

  test('is asked for inside a frame of this host, too', async () => {
    const { embedUrl } = await codedLink();
    const page = await openPageAt(browser, embedUrl);
    await click(page.locator('form button'));
    expect(new URL(page.url()).pathname).toMatch(/\/embed$/);
    expect(await page.locator('#code').count()).toBe(1);
    expect(await page.locator('.masthead').count()).toBe(0);
    await page.context().close();
  });

  test('the mailboxes are listed, as JSON for a program', async () => {
    const page = await openPageAt(browser, `${url}/sandbox/mailbox`);
    expect(await barriers(page)).toEqual([]);
    expect(await page.locator('h2 a').count()).toBeGreaterThan(0);
    const { items } = (await (await fetch(`${url}/sandbox/mailbox`)).json()) as { items: object[] };
    expect(items.length).toBeGreaterThan(0);
    await page.context().close();
  });
});
