import type { Browser, BrowserContextOptions } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { sharedEngine } from '../../servers/shared-engine.ts';
import { barriersInBothSchemes } from '../barriers.ts';
import { click, describeInChromium, openBrowser, takePicture, watch } from '../chromium.ts';

describeInChromium('the login page of operators, in Chromium', () => {
  let url: string;
  let browser: Browser;

  beforeAll(async () => {
    [browser, { url }] = await Promise.all([openBrowser(), sharedEngine()]);
  }, 120_000);

  async function visit(options: BrowserContextOptions = {}, path = '/batch/login?ReturnUrl=/login') {
    const context = await browser.newContext({ locale: 'en-US', ...options });
    const page = await context.newPage();
    const seen = watch(page, url);
    await page.goto(`${url}${path}`);
    return { context, page, seen, close: () => context.close() };
  }

  test('logs an operator in and out without a script', async () => {
    const { context, page, seen, close } = await visit({ locale: 'pt-BR', javaScriptEnabled: false });
    await page.getByLabel('Chave do operador').fill(SANDBOX_KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Você já entrou' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/batch/login');
    const [cookie, ...others] = await context.cookies(`${url}/batch/`);
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({
      name: 'lbs-auth',
      path: '/batch',
      httpOnly: true,
      sameSite: 'Lax',
      expires: -1,
    });
    expect(await context.cookies(`${url}/documents/`)).toEqual([]);
    const stateOf = () => context.request.get(`${url}/batch/api/pipeline/state`);
    expect((await stateOf()).status()).toBe(200);

    await click(page.getByRole('button', { name: 'Sair' }));
    await page.getByRole('button', { name: 'Entrar' }).waitFor();
    expect(await context.cookies(`${url}/batch/`)).toEqual([]);
    await context.addCookies(cookie ? [cookie] : []);
    expect((await stateOf()).status()).toBe(401);
    expect(seen).toEqual({ outside: [], errors: [] });
    await close();
  });

  test('shows the form again after a wrong key, and leads to the same place after the right one', async () => {
    const { page, close } = await visit();
    await page.getByLabel('Operator key').fill('another-operator-key');
    await click(page.getByRole('button', { name: 'Log in' }));
    expect(await page.getByRole('alert').textContent()).toContain('The key is wrong.');
    expect(await page.getByLabel('Operator key').inputValue()).toBe('');
    await click(page.getByRole('link', { name: 'Português' }));
    await page.getByLabel('Chave do operador').fill(SANDBOX_KEY);
    await click(page.getByRole('button', { name: 'Entrar' }));
    await page.waitForURL(`${url}/batch/login`);
    await close();
  });

  test('lets no page of another port change anything with the cookie', async () => {
    const { page, close } = await visit();
    await page.getByLabel('Operator key').fill(SANDBOX_KEY);
    await click(page.getByRole('button', { name: 'Log in' }));
    await page.getByRole('button', { name: 'Log out' }).waitFor();
    const action = `${url}/batch/api/pipeline/resume`;
    // Of the same site, so that SameSite=Lax alone would let it pass.
    const other = `http://localhost:${Number(new URL(url).port) + 1}/`;
    await page.route(other, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${action}"><button>Go</button></form>`,
      }),
    );
    await page.goto(other);
    const answered = page.waitForResponse(action);
    await click(page.getByRole('button', { name: 'Go' }));
    const response = await answered;
    expect([response.status(), await response.json()]).toMatchObject([403, { code: 'auth.cross-origin' }]);
    expect((await response.request().allHeaders()).cookie).toContain('lbs-auth=');
    await close();
  });

  test('has no barrier that axe finds, and fits a phone without scrolling sideways', async () => {
    const viewport = { width: 320, height: 700 };
    const { page, close } = await visit({ viewport, isMobile: true, locale: 'pt-BR' });
    const look = async (name: string) => {
      expect([name, await barriersInBothSchemes(page)]).toEqual([name, []]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      await takePicture(page, `operator-${name}`);
    };
    const send = async (key: string) => {
      await page.getByLabel('Chave do operador').fill(key);
      await click(page.getByRole('button', { name: 'Entrar' }));
    };
    await look('login');
    await send('another-operator-key');
    await page.getByRole('alert').waitFor();
    await look('refused');
    await send(SANDBOX_KEY);
    await page.waitForURL(`${url}/batch/login`);
    await look('logged-in');
    await close();
  });
});
