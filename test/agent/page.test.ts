import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Holder, holderOf } from '../../agent/holder/holder.ts';
import { type HolderPage, servePage } from '../../agent/holder/page-server.ts';
import type { KeyStore } from '../../agent/keys/key-store.ts';
import { DEFAULT_TIMES, type PinKeeper, pinKeeper } from '../../agent/pin-keeper.ts';

const presented: string[] = [];
let holder: Holder;
let keeper: PinKeeper;
let page: HolderPage;
let origin: string;

beforeAll(async () => {
  const store = {
    present: async (pin: string) => {
      presented.push(pin);
      return pin === '4321' ? { kind: 'accepted', certificates: [] } : { kind: 'rejected' };
    },
    lock: () => undefined,
  } as unknown as KeyStore;
  keeper = pinKeeper(store, DEFAULT_TIMES);
  holder = holderOf(keeper, { onUnlocked: () => undefined });
  page = await servePage({
    holder,
    keeper,
    server: 'https://sign.example/session',
    store: 'ana.p12',
    port: 0,
    lastTry: () => false,
    status: () => ({}),
    printError: (line) => {
      throw new Error(line);
    },
  });
  ({ origin } = new URL(page.url));
});
afterAll(() => page.close());

const ask = (application = 'acme') =>
  holder.ask({ reason: { kind: 'request', application }, holder: 'ANA', endsAtMs: Date.now() + 20_000 });

async function form(): Promise<{ form: string; question: string }> {
  const text = await (await fetch(page.url)).text();
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
  return { form: field('form'), question: field('question') };
}

const post = (fields: Record<string, string>, headers: Record<string, string> = { origin }) =>
  fetch(`${page.url}answer`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });

/** As fetch will not: with another Host. */
const statusWithHost = (host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port, pathname: path } = new URL(page.url);
    request({ hostname, port, path, headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

describe('the holder’s page', () => {
  test('is on this machine only, at an address that nobody guesses', async () => {
    expect(page.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/);
    for (const path of [
      '/',
      '/answer',
      '/status.json',
      `/${'A'.repeat(32)}/`,
      `${new URL(page.url).pathname}other`,
    ])
      expect((await fetch(`${origin}${path}`)).status).toBe(404);
  });

  test('answers by its own name alone, so that no other name can be made to lead to it', async () => {
    const { host } = new URL(page.url);
    expect(await statusWithHost(host)).toBe(200);
    expect(await statusWithHost('evil.example')).toBe(404);
    expect(await statusWithHost(host.replace('127.0.0.1', 'localhost'))).toBe(404);
  });

  test('loads and runs nothing but its own, is in no frame, and is not kept', async () => {
    const { headers } = await fetch(page.url);
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      "base-uri 'none'",
    ])
      expect(policy).toContain(rule);
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
  });

  test('takes no form from another page: of another origin, of none, or without what only this page holds', async () => {
    const asking = ask();
    const right = { ...(await form()), action: 'confirm', pin: '4321' };
    const foreign = [{ origin: 'https://evil.example' }, { origin: 'null' }, {}] as Record<string, string>[];
    for (const headers of foreign) expect((await post(right, headers)).status).toBe(404);
    for (const fields of [
      { ...right, form: '' },
      { ...right, form: 'A'.repeat(32) },
    ])
      expect((await post(fields)).status).toBe(404);
    const asJson = {
      method: 'POST',
      headers: { origin, 'content-type': 'text/plain' },
      body: String(new URLSearchParams(right)),
    };
    expect((await fetch(`${page.url}answer`, asJson)).status).toBe(404);
    const query = String(new URLSearchParams(right));
    expect((await fetch(`${page.url}answer?${query}`)).status).toBe(404);
    expect(presented).toEqual([]);
    expect((await post({ ...right, action: 'decline' })).status).toBe(303);
    expect(await asking).toBe('declined');
  });

  test('takes no form that is larger than a form', async () => {
    expect((await post({ ...(await form()), action: 'confirm', pin: 'x'.repeat(5_000) })).status).toBe(404);
  });

  test('shows what an application is called as text', async () => {
    const asking = ask('<script>alert(1)</script>');
    const text = await (await fetch(page.url, { headers: { 'accept-language': 'en' } })).text();
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toContain('<script>');
    await post({ ...(await form()), action: 'decline' });
    await asking;
  });

  test('answers one question with the PIN, and all others that wait for it', async () => {
    const asking = [ask('one'), ask('two')];
    await post({ ...(await form()), action: 'confirm', pin: '4321' });
    expect(await Promise.all(asking)).toEqual(['accepted', 'accepted']);
    expect(keeper.inUse()).toBe('4321');
  });

  test('lets the holder take the PIN out of use, and put it in use when nobody asks', async () => {
    await post({ ...(await form()), action: 'forget' });
    expect(keeper.inUse()).toBeUndefined();
    const unlocking = await (await fetch(`${page.url}?unlock=yes`)).text();
    const [, token = ''] = /name="form" value="([^"]*)"/.exec(unlocking) ?? [];
    await post({ form: token, question: '', action: 'confirm', pin: '4321' });
    expect(keeper.inUse()).toBe('4321');
  });
});
