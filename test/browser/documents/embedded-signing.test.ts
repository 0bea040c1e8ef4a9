import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../../examples/embedded-signing/app.ts';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { sharedEngine } from '../../servers/shared-engine.ts';
import { barriers } from '../barriers.ts';
import { describeInChromium, openBrowser, openPageAt, takePicture } from '../chromium.ts';
import { type Platform, platformOf } from '../platform.ts';
import { ANA, signerOf, text } from './action-page/files.ts';

describeInChromium('the signing page in a frame of another site, in Chromium', () => {
  let browser: Browser;
  let url: string;
  let platform: Platform;
  const servers: Server[] = [];
  const serve = async (server: Server, host: string): Promise<string> => {
    servers.push(server);
    await new Promise<void>((ready) => server.listen(0, host, ready));
    return `http://${host}:${(server.address() as AddressInfo).port}`;
  };

  beforeAll(async () => {
    const [opened, engine] = await Promise.all([openBrowser(), sharedEngine()]);
    browser = opened;
    url = engine.url;
    platform = platformOf(engine);
  }, 120_000);
  afterAll(async () => {
    for (const server of servers) server.close();
  });

  const eventsOf = (page: Page): Promise<string[]> => page.locator('#events li').allTextContents();
  const frameOf = (page: Page) => page.frameLocator('dialog iframe');

  test('the example is told that the page is there, of a wrong password, of the signature and of the end', async () => {
    const origin = await serve(createApp({ url: `${url}/documents`, key: SANDBOX_KEY }), 'localhost');
    const page = await openPageAt(browser, origin);
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.getByRole('button', { name: 'Sign the contract' }).click();
    const frame = frameOf(page);
    await frame.locator('#certificate').setInputFiles(platform.holderFile(ANA));
    await frame.locator('#password').fill('wrong');
    await frame.locator('#sign button[type=submit]').click();
    await page.locator('#events li:nth-child(2)').waitFor();
    await frame.locator('#password').fill('1234');
    await frame.locator('#sign button[type=submit]').click();
    await frame.locator('#closed').waitFor();
    await page.locator('#events li:nth-child(3)').waitFor();
    expect(await barriers(page)).toEqual([]);
    await takePicture(page, 'embedded');
    await page.getByRole('button', { name: 'Close' }).click();
    const [ready, failed = '', ...rest] = await eventsOf(page);
    expect([ready, rest]).toEqual(['ready', ['signed', 'closed']]);
    expect(failed).toMatch(/^failed: \w+/);
    expect(await page.locator('iframe').count()).toBe(0);
    expect(errors).toEqual([]);
    await page.context().close();
  }, 60_000);

  /** A page of this site that shows an address in a frame, says hello, and keeps what it is told. */
  const site = (embedUrl: string, hello: string) =>
    createServer((_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          `<!doctype html><link rel="icon" href="data:,"><title>x</title><iframe src="${embedUrl}"></iframe><script>var told = []; addEventListener('message', (e) => told.push(e.data)); document.querySelector('iframe').onload = (e) => { e.target.contentWindow.postMessage(${hello}, '*'); window.loaded = true; };</script>`,
        ),
    );

  test('a site that is not registered gets no page, and no page tells anything without a hello', async () => {
    const id = await platform.document(text(), [signerOf(ANA)]);
    const { url: link, embedUrl } = await platform.links(id, { identifier: ANA });
    const told = async (server: Server, host: string): Promise<unknown[]> => {
      const page = await openPageAt(browser, await serve(server, host));
      await page.waitForFunction('window.loaded');
      // A hello is received, and an answer to it, before what is asked of the frame and the page after it.
      for (const frame of [...page.frames().slice(1), page.mainFrame()])
        await frame.evaluate('new Promise((done) => setTimeout(done))').catch(() => undefined);
      const heard = (await page.evaluate('told')) as unknown[];
      await page.context().close();
      return heard;
    };
    const hello = "{ sinete: 'hello' }";
    expect(await told(site(embedUrl, hello), 'localhost')).toEqual([{ sinete: 'ready', documentId: id }]);
    expect(await told(site(embedUrl, "'hello'"), 'localhost')).toEqual([]);
    // Another address of the same machine is another site.
    expect(await told(site(embedUrl, hello), '127.0.0.2')).toEqual([]);
    // The link for a window of its own is in no frame.
    expect(await told(site(link, hello), 'localhost')).toEqual([]);
  }, 60_000);
});
