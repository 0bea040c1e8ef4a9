import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { putProfile, setKey } from '../../functions/batch/profiles/domain/change-profile.ts';
import { parseProfileFields } from '../../functions/batch/profiles/domain/fields.ts';
import { SANDBOX_KEY } from '../../functions/sandbox/sandbox-data.ts';
import { openPkcs12 } from '../../shared/pki/pkcs12/open.ts';
import { batchClient } from '../bench/measure/batch-client.ts';
import { complement, fileOf, payment, remittance } from '../functions/batch/jobs/cnab240/remittance.ts';
import { joinEngine } from '../infra/local/engine/crowd.ts';
import { secondsUntil } from '../infra/local/engine/killed-work.ts';
import { LINK_SECRET, type SharedEngine, sharedEngine } from '../shared-engine.ts';
import { barriers } from './barriers.ts';
import { click, describeInChromium, openBrowser, takePicture, watch } from './chromium.ts';

const PROFILE = 'portal-pages';
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const DESKTOP = { viewport: { width: 1280, height: 900 } };

// Addresses of their own: other tests put files into the lists of the sandbox's people.
const RITA = { name: 'Rita Prado', email: 'rita@portal.example', cpf: '52998224725' };
const SAUL = { name: 'Saul Melo', email: 'saul@portal.example', cpf: '47363361886' };
const TINA = { name: 'Tina Abreu', email: 'tina@portal.example', cpf: '11144477735' };

describeInChromium('the approver portal, in Chromium', () => {
  let engine: SharedEngine;
  let browser: Browser;

  beforeAll(async () => {
    [browser, engine] = await Promise.all([openBrowser(), sharedEngine()]);
    joinEngine(engine.dataDir);
    const approval = { quorum: 2, approvers: [RITA, SAUL, TINA], expiresAfter: 172_800 };
    const fields = { name: PROFILE, checkCnab240: true, preserveFileExtension: true, approval };
    await putProfile('test', parseProfileFields(fields), Date.now());
    const file = readFileSync(join(engine.dataDir, 'pki/holders', '52998224725.p12'));
    const [entry] = (await openPkcs12(file, '1234')).entries;
    if (entry) await setKey('test', PROFILE, entry, Date.now());
  }, 120_000);
  afterAll(() => browser?.close());

  const linkOf = (email: string) =>
    `${engine.url}/batch/approvals/link/${createHmac('sha256', LINK_SECRET).update(email).digest('base64url')}`;

  /** A file that waits for the three people. */
  async function park(name: string, details: readonly string[]): Promise<string> {
    const file = fileOf(remittance(details));
    const id = await batchClient(engine.url).upload(name, [file], `?profile=${PROFILE}`);
    const headers = { 'x-api-key': SANDBOX_KEY };
    await secondsUntil(async () => {
      const answer = await fetch(`${engine.url}/batch/api/jobs/${id}`, { headers });
      return ((await answer.json()) as { status: string }).status === 'AwaitingApproval';
    }, 60);
    return id;
  }

  const wages = (count = 3): string[] =>
    Array.from({ length: count }, (_, n) => [
      payment('A', { value: 123_456 + n }, { 44: `JOÃO DA CONCEIÇÃO ${n}`.padEnd(30), 42: '7', 29: '5' }),
      complement('B'),
    ]).flat();

  const mixed = [
    ...wages(2),
    payment('J', { value: 250_000_00 }),
    payment('O', { value: 98_765, movement: '9' }),
    payment('N', { value: 1_543_21 }),
  ];

  async function visit(email: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ locale: 'en-US', ...DESKTOP, ...options });
    const page = await context.newPage();
    const seen = watch(page, engine.url);
    await page.goto(linkOf(email));
    return { context, page, seen, close: () => context.close() };
  }

  /** No barrier, nothing wider than the screen, and a picture for people. */
  async function look(page: Page, name: string): Promise<void> {
    await takePicture(page, `portal-${name}`);
    expect([name, await barriers(page)]).toEqual([name, []]);
    const width = page.viewportSize()?.width ?? 0;
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  }

  const EN = {
    ...{
      locale: 'en-US',
      waiting: 'Waiting for you',
      approve: /^Approve R\$/,
      confirm: /^Yes, approve R\$/,
      approved: 'Your approval was recorded.',
    },
    ...{ reject: 'Reject…', why: 'Why do you reject it?', send: 'Reject this file', decided: 'Decided' },
    ...{ rejected: 'Your rejection was recorded.', search: 'Payee, document, account or value' },
  };
  const PT = {
    ...{ locale: 'pt-BR', waiting: 'Aguardando você', approve: /^Aprovar R\$/ },
    confirm: /^Sim, aprovar R\$/,
    ...{ approved: 'Sua aprovação foi registrada.', reject: 'Rejeitar…', why: 'Por que você rejeita?' },
    ...{ send: 'Rejeitar este arquivo', decided: 'Decididas', rejected: 'Sua rejeição foi registrada.' },
    search: 'Favorecido, documento, conta ou valor',
  };

  test.each([
    ['en-US', 'Read the file as it is', DESKTOP, 'light'],
    ['pt-BR', 'Ler o arquivo como ele é', PHONE, 'dark'],
  ] as const)('shows the file as it will be signed, in %s', async (locale, open, screen, colorScheme) => {
    const name = `arquivo-${randomUUID().slice(0, 8)}.rem`;
    const id = await park(name, mixed);
    const { page, seen, close } = await visit(SAUL.email, { ...screen, colorScheme, locale });
    await page.goto(`${engine.url}/batch/approvals/jobs/${id}`);
    const file = page.locator('.approval-file .reader-plain');
    expect(await file.count()).toBe(0);
    await page.getByText(open).click();
    await file.waitFor();
    expect(await file.textContent()).toBe(fileOf(remittance(mixed)).toString('latin1'));
    await look(page, `file-${locale}`);
    expect(seen).toEqual({ outside: [], errors: [] });
    await close();
  });

  test.each([
    ['a desktop', 'en-US', EN, DESKTOP, 'light'],
    ['a phone', 'pt-BR', PT, PHONE, 'dark'],
  ] as const)(
    'leads from the link to a decision without a script, on %s, in %s',
    async (_device, locale, words, screen, colorScheme) => {
      const name = `pagamentos-${randomUUID().slice(0, 8)}.rem`;
      await park(name, mixed);
      const options = { ...screen, colorScheme, locale, javaScriptEnabled: false };
      const { page, seen, close } = await visit(RITA.email, options);
      const looks = `${locale}-${screen === PHONE ? 'phone' : 'desktop'}-${colorScheme}`;
      expect(new URL(page.url()).pathname).toBe('/batch/approvals');
      await page.getByRole('heading', { name: words.waiting }).waitFor();
      const row = page.getByRole('row').filter({ hasText: name });
      expect(await row.textContent()).toContain('R$ 254.012,34');
      await takePicture(page, `portal-list-${looks}`);

      await click(row.getByRole('link'));
      await takePicture(page, `portal-job-${looks}`);
      const amount = await page.getByText('R$ 254.012,34').first().boundingBox();
      expect(amount?.y ?? Number.POSITIVE_INFINITY).toBeLessThan(500);
      await page.getByLabel(words.search).fill('conceicao 1');
      await page.keyboard.press('Enter');
      await page.waitForURL(/[?&]q=/);
      expect(await page.getByRole('row').filter({ hasText: 'CONCEIÇÃO' }).count()).toBe(1);
      // One tap approves nothing: the second button is beside what it means.
      expect(await page.getByRole('button', { name: words.confirm }).isVisible()).toBe(false);
      await page.getByText(words.approve).click();
      await takePicture(page, `portal-confirm-${looks}`);
      await click(page.getByRole('button', { name: words.confirm }));
      await page.getByText(words.approved).waitFor();
      expect(await page.getByText(words.approve).count()).toBe(0);
      await takePicture(page, `portal-approved-${looks}`);
      await click(page.getByRole('link', { name: words.decided, exact: true }));
      await page.getByRole('row').filter({ hasText: name }).waitFor();
      expect(seen).toEqual({ outside: [], errors: [] });
      await close();
    },
  );

  test('lets a person reject with a reason by the keyboard alone', async () => {
    const id = await park(`teclado-${randomUUID().slice(0, 8)}.rem`, wages());
    const { page, close } = await visit(SAUL.email);
    await page.goto(`${engine.url}/batch/approvals/jobs/${id}`);
    const focused = () => page.evaluate('document.activeElement?.textContent?.trim()');
    for (let presses = 0; (await focused()) !== EN.reject && presses < 40; presses++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('The third payee is unknown.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText(EN.rejected).waitFor();
    expect(await page.locator('q').textContent()).toBe('The third payee is unknown.');
    await close();
  });

  test.each([
    [EN, 'light', DESKTOP],
    [PT, 'dark', PHONE],
  ] as const)(
    'has no barrier that axe finds, and fits the screen, in $locale',
    async (words, colorScheme, screen) => {
      const id = await park(`olhar-${randomUUID().slice(0, 8)}.rem`, mixed);
      const { page, close } = await visit(TINA.email, { locale: words.locale, colorScheme, ...screen });
      const looks = `${words.locale}-${screen === PHONE ? 'phone' : 'desktop'}-${colorScheme}`;
      const at = (path: string) => page.goto(`${engine.url}/batch/${path}`);
      await look(page, `waiting-${looks}`);
      await at(`approvals/jobs/${id}`);
      await click(page.getByText(words.reject));
      await page.getByLabel(words.why).fill('   ');
      await click(page.getByRole('button', { name: words.send }));
      await page.getByRole('alert').waitFor();
      await look(page, `no-reason-${looks}`);
      await page.getByLabel(words.why).fill('Fornecedor desconhecido.');
      await click(page.getByRole('button', { name: words.send }));
      await page.getByText(words.rejected).waitFor();
      await look(page, `rejected-${looks}`);
      await at('approvals/decided');
      await look(page, `decided-${looks}`);
      await at(`approvals/jobs/${randomUUID()}`);
      await look(page, `not-found-${looks}`);
      await at(`approve/${id}`);
      await look(page, `anonymous-${looks}`);
      await close();
    },
  );

  test('lists payments a hundred a page, and leads on to the next page of a search', async () => {
    const id = await park(`paginas-${randomUUID().slice(0, 8)}.rem`, [...wages(103), ...mixed.slice(4)]);
    const { page, close } = await visit(SAUL.email, PHONE);
    await page.goto(`${engine.url}/batch/approvals/jobs/${id}?q=jo%C3%A3o`);
    await page.getByText('103 found').waitFor();
    await click(page.getByRole('link', { name: 'Next' }));
    await page.getByText('Page 2 of 2').waitFor();
    expect(await page.getByText('JOÃO DA CONCEIÇÃO').count()).toBe(3);
    await look(page, 'page-2');
    await close();
  });

  test('keeps the language that was chosen by its link', async () => {
    const { page, close } = await visit(SAUL.email);
    await click(page.getByRole('link', { name: 'Português' }));
    await click(page.getByRole('link', { name: PT.decided, exact: true }));
    expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR');
    await close();
  });

  test('is where the page of a job leads whoever knows its address, who decides nothing unseen', async () => {
    const id = await park(`anonimo-${randomUUID().slice(0, 8)}.rem`, wages());
    const context = await browser.newContext({ locale: 'en-US', javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${engine.url}/batch/approve/${id}`);
    expect(await page.getByRole('textbox').count()).toBe(0);
    await click(page.getByRole('link', { name: 'See the file and decide' }));
    await page.getByRole('heading', { name: 'Sign in to see your approvals' }).waitFor();
    await page.goto(linkOf(TINA.email));
    await page.goto(`${engine.url}/batch/approve/${id}`);
    await click(page.getByRole('link', { name: 'See the file and decide' }));
    await page.getByText(EN.approve).waitFor();
    await context.close();
  });

  test('warns of a file whose content waits in another one', async () => {
    const details = wages(4);
    const [first, second] = [`um-${randomUUID().slice(0, 8)}.rem`, `dois-${randomUUID().slice(0, 8)}.rem`];
    await park(first, details);
    const id = await park(second, details);
    const { page, close } = await visit(SAUL.email, { ...PHONE, locale: 'pt-BR' });
    const row = page.getByRole('row').filter({ hasText: second });
    await row.getByText('Mesmo conteúdo de outro arquivo').waitFor();
    await page.goto(`${engine.url}/batch/approvals/jobs/${id}`);
    await page.getByRole('heading', { name: 'Outro arquivo tem o mesmo conteúdo' }).waitFor();
    await page.getByRole('link', { name: first }).waitFor();
    await look(page, 'same-content');
    await close();
  });

  test('lets no page of another port decide with the cookie', async () => {
    const id = await park(`outro-${randomUUID().slice(0, 8)}.rem`, wages());
    const { page, close } = await visit(RITA.email);
    const action = `${engine.url}/batch/approvals/jobs/${id}/decision`;
    // Of the same site, so that SameSite=Lax alone would let it pass.
    const other = `http://localhost:${Number(new URL(engine.url).port) + 1}/`;
    await page.route(other, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${action}"><input name="decision" value="approved"><button>Go</button></form>`,
      }),
    );
    await page.goto(other);
    const answered = page.waitForResponse(action);
    await click(page.getByRole('button', { name: 'Go' }));
    const response = await answered;
    expect(response.status()).toBe(403);
    expect((await response.request().allHeaders()).cookie).toContain('lbs-approver=');
    await page.goto(`${engine.url}/batch/approvals/jobs/${id}`);
    await page.getByText(EN.approve).waitFor();
    await close();
  });
});
