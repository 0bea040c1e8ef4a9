import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { sharedEngine } from '../../servers/shared-engine.ts';
import { barriers, barriersInBothSchemes } from '../barriers.ts';
import { click, describeInChromium, openBrowser, watch } from '../chromium.ts';
import { look, PHONE_IN_PORTUGUESE } from '../look.ts';

const PERSON = '52998224725';
const COMPANY = '11222333000181';

describeInChromium('the page of a cloud provider, in Chromium', () => {
  let url: string;
  let browser: Browser;

  beforeAll(async () => {
    [browser, { url }] = await Promise.all([openBrowser(), sharedEngine()]);
  }, 120_000);

  const hub = (path: string, body?: object) =>
    fetch(`${url}/hub/api/sessions${path}`, {
      headers: { 'x-api-key': SANDBOX_KEY, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });

  /** Where the hub sends somebody to, at one provider. */
  async function linkTo(provider: string, more: object = {}): Promise<string> {
    const redirectUri = `${url}/sandbox/client/return`;
    const answer = await hub(`/services/${provider}`, { redirectUri, ...more });
    return ((await answer.json()) as { authUrl: string }).authUrl;
  }

  async function visit(link: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ locale: 'en-US', ...options });
    const page = await context.newPage();
    const seen = watch(page, url);
    await page.goto(link);
    return { page, seen, close: () => context.close() };
  }

  /** What the client was given when the holder came back. */
  async function returned(page: Page): Promise<Record<string, string>> {
    await page.waitForURL(/\/sandbox\/client\/return\?/);
    return Object.fromEntries(new URL(page.url()).searchParams);
  }

  test.each([
    ['en-US', 'alpha', PERSON, 'Allow the use of your certificate?', 'Allow'],
    ['pt-BR', 'beta', COMPANY, 'Permitir o uso do seu certificado?', 'Permitir'],
  ])('in %s lets the hub have a session at %s', async (locale, provider, identifier, title, button) => {
    const { page, seen, close } = await visit(await linkTo(provider, { identifier }), { locale });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
    await click(page.getByRole('button', { name: button, exact: true }));
    const { session = '', ...others } = await returned(page);
    expect(others).toEqual({});
    const certificate = await hub(`/certificate?session=${encodeURIComponent(session)}`);
    const der = Buffer.from((await certificate.json()) as string, 'base64');
    expect(der.toString('latin1')).toContain(`SANDBOX HOLDER ${identifier}`);
    expect(seen).toEqual({ outside: [], errors: [] });
    await close();
  });

  test('sends a holder who does not want it back without a session', async () => {
    const { page, close } = await visit(await linkTo('alpha'), { locale: 'pt-BR' });
    await click(page.getByRole('button', { name: 'Não permitir', exact: true }));
    const values = await returned(page);
    expect(values.error).toBe('access_denied');
    expect(values.session).toBeUndefined();
    await close();
  });

  test('needs no script and no mouse, and in the other language is still the same request', async () => {
    const { page, close } = await visit(await linkTo('alpha'), { locale: 'pt-BR', javaScriptEnabled: false });
    await click(page.getByRole('link', { name: 'English' }));
    await page.getByRole('button', { name: 'Allow', exact: true }).focus();
    await page.keyboard.press('Enter');
    expect((await returned(page)).session).toBeDefined();
    await close();
  });

  test('has no barrier that axe finds, and fits a phone without scrolling sideways', async () => {
    const asked = await linkTo('alpha', { type: 'SignatureSession', lifetimeInSeconds: 7200 });
    const pages = {
      asks: asked,
      'has-nothing': await linkTo('alpha', { identifier: COMPANY }),
      untrusted: asked.replace('client_id=sinete-hub', 'client_id=another'),
    };
    const { page, close } = await visit(asked, PHONE_IN_PORTUGUESE);
    for (const [name, link] of Object.entries(pages)) {
      await page.goto(link);
      await look(page, `provider-${name}`, name === 'asks' ? barriersInBothSchemes : barriers);
    }
    await close();
  });
});
