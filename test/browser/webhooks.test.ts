import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOrganization } from '../../functions/documents/domain/places/organization-roster.ts';
import { PERSONAL_ORGANIZATION_ID, SANDBOX_KEY } from '../../functions/sandbox/sandbox-data.ts';
import { registerValue, unregisterValue } from '../../shared/access/administration.ts';
import { joinEngine } from '../infra/local/engine/crowd.ts';
import { type Server, startServer } from '../shared/net/a-server.ts';
import { sharedEngine } from '../shared-engine.ts';
import { barriers } from './barriers.ts';
import { click, describeInChromium, openBrowser, openPageAt, takePicture, watch } from './chromium.ts';

// What a hostile receiver would answer to whoever reads its answers.
const HOSTILE = '<img src=x onerror="document.title=\'taken\'"><script>document.title="taken"</script>';

const NAME = 'Organization of the Webhooks Page';
const ANY_ORGANIZATION = '44444444-4444-4444-8444-444444444444';

describeInChromium('the webhooks page in Chromium', () => {
  let url: string;
  // Its own: every test removes the webhooks of those before.
  let organizationId: string;
  let browser: Browser;
  let receiver: Server;
  let status = 200;
  const api = (path: string, method = 'GET', body?: object) =>
    fetch(`${url}/documents/api/organizations/${organizationId}${path}`, {
      method,
      headers: { 'x-api-key': SANDBOX_KEY, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });

  beforeAll(async () => {
    receiver = await startServer((request, response) => {
      request.resume().on('end', () => response.writeHead(status).end(HOSTILE));
    });
    const [opened, engine] = await Promise.all([openBrowser(), sharedEngine()]);
    [browser, url] = [opened, engine.url];
    joinEngine(engine.dataDir);
    const owner = { id: 'webhooks-page', name: 'Maria' };
    const company = { name: NAME, identifier: '11222333000181', owner };
    ({ id: organizationId } = await createOrganization(company, Date.now()));
    await registerValue('documents', 'sandbox', 'organizations', organizationId);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await receiver?.stop();
    await unregisterValue('documents', 'sandbox', 'organizations', organizationId);
  });

  beforeEach(async () => {
    status = 200;
    const { webhooks } = (await (await api('')).json()) as { webhooks: { id: string }[] };
    for (const { id } of webhooks) await api(`/webhooks/${id}`, 'DELETE');
    await api('/webhooks', 'POST', {
      url: `${receiver.url}/hook`,
      authType: 'Bearer',
      token: 'hidden-token',
    });
  });

  const openPage = (options: BrowserContextOptions = {}): Promise<Page> =>
    openPageAt(browser, `${url}/documents/webhooks`, options);

  async function connect(page: Page, key = SANDBOX_KEY, organization = organizationId): Promise<void> {
    await page.locator('#key').fill(key);
    await page.locator('#organization-id').fill(organization);
    await click(page.locator('#open'));
  }

  const row = (page: Page) => page.locator('#deliveries-rows tr').first();
  const shoot = (page: Page, name: string) => takePicture(page, `webhooks-${name}`);

  test('shows the webhooks of an organization, sends a test event and shows that it was confirmed', async () => {
    const page = await openPage();
    const seen = watch(page, url);
    await connect(page);
    await page.getByRole('heading', { name: NAME }).waitFor();
    await page.getByText(`${receiver.url}/hook`).waitFor();
    await page.getByText('There is nothing to show.').waitFor();

    await click(page.getByRole('button', { name: 'Send a test event' }));
    await page.getByText('The test event is on its way.').waitFor();
    await page.getByText('The receiver confirmed it.').waitFor();
    await row(page).getByText('Confirmed').waitFor();
    expect(await row(page).textContent()).toMatch(/WebhookTest[\s\S]*HTTP 200/);
    expect(await page.locator('body').textContent()).not.toContain('hidden-token');
    await shoot(page, 'confirmed');
    expect(seen).toEqual({ outside: [], errors: [] });
    await page.context().close();
  });

  test('shows what a failed attempt was answered, as text, and sends it again', async () => {
    status = 503;
    const page = await openPage();
    const seen = watch(page, url);
    await connect(page);
    await click(page.getByRole('button', { name: 'Send a test event' }));
    await page.getByText('It was not confirmed: HTTP 503').waitFor();
    await row(page).getByText('Failed for good').waitFor();

    await click(page.getByRole('button', { name: 'Details of WebhookTest' }));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Attempt 1').waitFor();
    await dialog.getByText('HTTP 503').waitFor();
    await click(dialog.getByText('Answered'));
    expect(await dialog.locator('.attempts pre').textContent()).toBe(HOSTILE);
    expect(await dialog.locator('#delivery-body').textContent()).toContain('"type": "WebhookTest"');
    expect(await barriers(page)).toEqual([]);
    await shoot(page, 'failed-details');

    await click(dialog.getByRole('button', { name: 'Send again' }));
    await dialog.getByText('It is on its way again.').waitFor();
    await dialog.getByText('Attempt 2').waitFor();
    // Replayed, it has its ten attempts, so it waits for the next.
    await dialog.getByText('Next attempt').waitFor();
    await click(dialog.getByRole('button', { name: 'Close' }));
    expect(await row(page).textContent()).toMatch(/Pending[\s\S]*in \d+ seconds/);
    await shoot(page, 'pending');
    expect(await page.title()).toBe('Webhooks · Sinete');
    expect(seen).toEqual({ outside: [], errors: [] });
    await page.context().close();
  });

  test('filters by state, and sends all that failed again', async () => {
    const page = await openPage();
    await connect(page);
    const test = page.getByRole('button', { name: 'Send a test event' });
    await click(test);
    await row(page).getByText('Confirmed').waitFor();
    status = 500;
    await click(test);
    await row(page).getByText('Failed for good').waitFor();

    await click(page.getByRole('button', { name: 'Failed for good' }));
    await expect.poll(() => page.locator('#deliveries-rows tr').count()).toBe(1);
    status = 204;
    await click(page.getByRole('button', { name: 'Send all failed again' }));
    await page.getByText('1 delivery is on its way again.').waitFor();
    await page.getByText('There is nothing to show.').waitFor();
    await click(page.getByRole('button', { name: 'All', exact: true }));
    await expect
      .poll(async () => {
        await click(page.getByRole('button', { name: 'Refresh' }));
        return page.locator('#deliveries-rows .badge.confirmed').count();
      })
      .toBe(2);
    await page.context().close();
  });

  test('shows more than a page of deliveries when asked', async () => {
    const { webhooks } = (await (await api('')).json()) as { webhooks: { id: string }[] };
    const [webhook] = webhooks;
    for (let n = 0; n < 21; n++) await api(`/webhooks/${webhook?.id}/test`, 'POST');
    const page = await openPage();
    await connect(page);
    await expect.poll(() => page.locator('#deliveries-rows tr').count()).toBe(20);
    await click(page.getByRole('button', { name: 'Show more' }));
    await expect.poll(() => page.locator('#deliveries-rows tr').count()).toBe(21);
    await page.context().close();
  });

  test('keeps the key in the tab alone, and forgets it when asked', async () => {
    const page = await openPage();
    const carrying: string[] = [];
    page.on('request', (request) => {
      const { 'x-api-key': key, ...headers } = request.headers();
      const elsewhere = `${request.url()} ${request.postData() ?? ''} ${JSON.stringify(headers)}`;
      if (elsewhere.includes('sinete-local-key')) carrying.push(elsewhere);
      if (key && !request.url().startsWith(`${url}/documents/api/`)) carrying.push(request.url());
    });
    await connect(page);
    await page.getByRole('heading', { name: NAME }).waitFor();
    expect(carrying).toEqual([]);
    expect(page.url()).toBe(`${url}/documents/webhooks`);
    expect(await page.locator('#key').inputValue()).toBe('');
    const kept = () => page.evaluate('({ tab: sessionStorage.length, browser: localStorage.length })');
    expect(await kept()).toEqual({ tab: 1, browser: 0 });
    expect(await page.context().cookies()).toEqual([]);

    await page.reload();
    await page.getByRole('heading', { name: NAME }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${url}/documents/webhooks`);
    await other.locator('#key').waitFor();

    await click(page.getByRole('button', { name: 'Forget the key' }));
    await page.locator('#key').waitFor();
    expect(await kept()).toEqual({ tab: 0, browser: 0 });
    await page.context().close();
  });

  test.each([
    [
      'revoked|sinete-local-key',
      ANY_ORGANIZATION,
      'The API key is not accepted. Check it, or ask for another one.',
    ],
    ['não é chave', ANY_ORGANIZATION, 'The API key is not accepted. Check it, or ask for another one.'],
    [SANDBOX_KEY, '.. admin', 'This key opens no organization by this id.'],
    [SANDBOX_KEY, PERSONAL_ORGANIZATION_ID, 'A personal organization has no webhooks.'],
  ])('says in words what is wrong: %s %s', async (key, organization, text) => {
    const page = await openPage();
    await connect(page, key, organization);
    await page.getByText(text).waitFor();
    await page.context().close();
  });

  test('says that the server could not be reached', async () => {
    const page = await openPage();
    await page.route('**/api/**', (route) => route.abort());
    await connect(page);
    await page.getByText('The server could not be reached.').waitFor();
    await page.context().close();
  });

  test('speaks Portuguese to a browser that asks for it, and English by its link', async () => {
    status = 500;
    const page = await openPage({ locale: 'pt-BR' });
    await connect(page);
    await click(page.getByRole('button', { name: 'Enviar evento de teste' }));
    await row(page).getByText('Falhou de vez').waitFor();
    await shoot(page, 'pt');
    await click(page.getByRole('link', { name: 'English' }));
    await page.getByRole('button', { name: 'Send a test event' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await page.context().close();
  });

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('reads well and can be reached by everybody: %s, %i px wide', async (colorScheme, width) => {
    const page = await openPage({ colorScheme, viewport: { width, height: 844 } });
    await page.locator('#key').waitFor();
    await shoot(page, `connect-${colorScheme}-${width}`);
    expect(await barriers(page)).toEqual([]);
    await connect(page);
    await click(page.getByRole('button', { name: 'Send a test event' }));
    await row(page).getByText('Confirmed').waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await takePicture(page, `webhooks-${colorScheme}-${width}`);
    await page.context().close();
  });

  test('without JavaScript, says that it needs it', async () => {
    const page = await openPage({ javaScriptEnabled: false });
    await page.locator('noscript p').waitFor();
    expect(await page.locator('noscript p').textContent()).toContain('This page needs JavaScript');
    await page.context().close();
  });
});
