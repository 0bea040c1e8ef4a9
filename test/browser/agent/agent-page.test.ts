import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Holder, holderOf } from '../../../agent/holder/holder.ts';
import { type HolderPage, servePage } from '../../../agent/holder/page-server.ts';
import type { KeyStore } from '../../../agent/keys/key-store.ts';
import { DEFAULT_TIMES, pinKeeper } from '../../../agent/pin-keeper.ts';
import { barriers, barriersInBothSchemes } from '../barriers.ts';
import { describeInChromium, openBrowser, takePicture, watch } from '../chromium.ts';

describeInChromium('the holder’s page in Chromium', () => {
  let browser: Browser;
  let served: HolderPage;
  let holder: Holder;
  beforeAll(async () => {
    const store = {
      present: async (pin: string) =>
        pin === '4321' ? { kind: 'accepted', certificates: [] } : { kind: 'rejected' },
      lock: () => undefined,
    } as unknown as KeyStore;
    const keeper = pinKeeper(store, DEFAULT_TIMES);
    holder = holderOf(keeper, { onUnlocked: () => undefined });
    const server = 'https://sign.example/session';
    const port = 0;
    const page = { holder, keeper, server, port, store: 'ana.p12' };
    served = await servePage({
      ...page,
      lastTry: () => false,
      status: () => ({}),
      printError: console.error,
    });
    browser = await openBrowser();
  });
  afterAll(async () => {
    served?.close();
  });

  const ask = () => {
    // A test that fails leaves nothing open for the next.
    onTestFinished(() => holder.questions.settleAll('declined'));
    return holder.ask({
      reason: { kind: 'request', application: 'acme' },
      holder: 'ANA DE TESTE',
      endsAtMs: Date.now() + 60_000,
    });
  };

  async function opened(locale: string): Promise<{ page: Page; seen: ReturnType<typeof watch> }> {
    const context = await browser.newContext({ locale });
    const page = await context.newPage();
    const seen = watch(page, new URL(served.url).origin);
    await page.goto(served.url);
    return { page, seen };
  }

  /** What axe finds wrong. It is put in by the test's own hand: the page's policy lets no script in. */
  async function violations(url: string, find = barriers): Promise<string[]> {
    const context = await browser.newContext({ locale: 'pt-BR', bypassCSP: true });
    const page = await context.newPage();
    await page.goto(url);
    const found = await find(page);
    await context.close();
    return found;
  }

  test('shows a request by itself while it is open, and sends the form with the keyboard alone', async () => {
    const { page, seen } = await opened('en-US');
    await expect(page.textContent('h1')).resolves.toBe('Nothing is asked of you now');
    const asking = ask();
    await page.waitForSelector('text=acme asks to sign with your certificate');
    await page.waitForSelector('#pin:focus');
    await page.keyboard.type('1111');
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=The PIN was not accepted.');
    await page.waitForSelector('#pin:focus');
    await page.keyboard.type('4321');
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=The PIN was accepted.');
    expect(await asking).toBe('accepted');
    expect(page.url()).not.toContain('4321');
    await page.click('text=Forget the PIN');
    await page.waitForSelector('text=The PIN was forgotten.');
    expect(seen).toEqual({ outside: [], errors: [] });
    await page.context().close();
  });

  test('declines in Portuguese', async () => {
    const asking = ask();
    const { page } = await opened('pt-BR');
    await expect(page.textContent('h1')).resolves.toBe('acme pede para assinar com o seu certificado');
    expect(await page.textContent('dl')).toMatch(/Responda até\s*\d\d\/\d\d\/\d{4}, \d\d:\d\d:\d\d GMT-3/);
    await takePicture(page, 'agent-pt-BR');
    await page.click('text=Recusar');
    await page.waitForSelector('text=Você recusou. Nada foi assinado.');
    expect(await asking).toBe('declined');
    await page.context().close();
  });

  test('has nothing that axe finds wrong', async () => {
    const asking = ask();
    expect(await violations(served.url, barriersInBothSchemes)).toEqual([]);
    holder.questions.settleAll('declined');
    await asking;
    expect(await violations(served.url)).toEqual([]);
    expect(await violations(`${served.url}?unlock=yes&note=rejected`)).toEqual([]);
  });
});
