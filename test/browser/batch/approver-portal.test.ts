import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { putProfile, setKey } from '../../../functions/batch/profiles/domain/change-profile.ts';
import { parseProfileFields } from '../../../functions/batch/profiles/domain/fields.ts';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { openPkcs12 } from '../../../shared/pki/pkcs12/open.ts';
import { batchClient } from '../../bench/measure/batch-client.ts';
import { complement, fileOf, payment, remittance } from '../../functions/batch/jobs/cnab240/remittance.ts';
import { joinEngine } from '../../infra/local/engine/crowd.ts';
import { secondsUntil } from '../../infra/local/engine/kills/killed-work.ts';
import { LINK_SECRET, type SharedEngine, sharedEngine } from '../../servers/shared-engine.ts';
import { barriersInBothSchemes } from '../barriers.ts';
import { click, describeInChromium, openBrowser, takePicture, watch } from '../chromium.ts';
import { DESKTOP, expectFits, look, PHONE, PHONE_IN_PORTUGUESE } from '../look.ts';

const PROFILE = 'portal-pages';

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

  test('shows the file as it will be signed', async () => {
    const name = `arquivo-${randomUUID().slice(0, 8)}.rem`;
    const id = await park(name, mixed);
    const { page, seen, close } = await visit(SAUL.email, PHONE_IN_PORTUGUESE);
    await page.goto(`${engine.url}/batch/approvals/jobs/${id}`);
    const file = page.locator('.approval-file .reader-plain');
    expect(await file.count()).toBe(0);
    await page.getByText('Ler o arquivo como ele é').click();
    await file.waitFor();
    expect(await file.textContent()).toBe(fileOf(remittance(mixed)).toString('latin1'));
    await look(page, 'portal-file');
    expect(seen).toEqual({ outside: [], errors: [] });
    await close();
  });

  test('leads from the link to a decision without a script', async () => {
    const name = `pagamentos-${randomUUID().slice(0, 8)}.rem`;
    await park(name, mixed);
    const options = { ...PHONE_IN_PORTUGUESE, javaScriptEnabled: false };
    const { page, seen, close } = await visit(RITA.email, options);
    expect(new URL(page.url()).pathname).toBe('/batch/approvals');
    await page.getByRole('heading', { name: 'Aguardando você' }).waitFor();
    const row = page.getByRole('row').filter({ hasText: name });
    expect(await row.textContent()).toContain('R$ 254.012,34');
    await takePicture(page, 'portal-list');

    await click(row.getByRole('link'));
    await takePicture(page, 'portal-job');
    const amount = await page.getByText('R$ 254.012,34').first().boundingBox();
    expect(amount?.y ?? Number.POSITIVE_INFINITY).toBeLessThan(500);
    await page.getByLabel('Favorecido, documento, conta ou valor').fill('conceicao 1');
    await page.keyboard.press('Enter');
    await page.waitForURL(/[?&]q=/);
    expect(await page.getByRole('row').filter({ hasText: 'CONCEIÇÃO' }).count()).toBe(1);
    // One tap approves nothing: the second button is beside what it means.
    expect(await page.getByRole('button', { name: /^Sim, aprovar R\$/ }).isVisible()).toBe(false);
    await page.getByText(/^Aprovar R\$/).click();
    await takePicture(page, 'portal-confirm');
    await click(page.getByRole('button', { name: /^Sim, aprovar R\$/ }));
    await page.getByText('Sua aprovação foi registrada.').waitFor();
    expect(await page.getByText(/^Aprovar R\$/).count()).toBe(0);
    await takePicture(page, 'portal-approved');
    await click(page.getByRole('link', { name: 'Decididas', exact: true }));
    await page.getByRole('row').filter({ hasText: name }).waitFor();
    expect(seen).toEqual({ outside: [], errors: [] });
    await close();
  });

  test('lets a person reject with a reason by the keyboard alone', async () => {
    const id = await park(`teclado-${randomUUID().slice(0, 8)}.rem`, wages());
    const { page, close } = await visit(SAUL.email);
    await page.goto(`${engine.url}/batch/approvals/jobs/${id}`);
    const focused = () => page.evaluate('document.activeElement?.textContent?.trim()');
    for (let presses = 0; (await focused()) !== 'Reject…' && presses < 40; presses++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('The third payee is unknown.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Your rejection was recorded.').waitFor();
    expect(await page.locator('q').textContent()).toBe('The third payee is unknown.');
    await close();
  });

  test('has no barrier that axe finds, and fits every screen', async () => {
    const id = await park(`olhar-${randomUUID().slice(0, 8)}.rem`, mixed);
    const { page, close } = await visit(TINA.email, PHONE_IN_PORTUGUESE);
    const at = (path: string) => page.goto(`${engine.url}/batch/${path}`);
    await look(page, 'portal-waiting', barriersInBothSchemes);
    await at(`approvals/jobs/${id}`);
    await click(page.getByText('Rejeitar…'));
    await page.getByLabel('Por que você rejeita?').fill('   ');
    await click(page.getByRole('button', { name: 'Rejeitar este arquivo' }));
    await page.getByRole('alert').waitFor();
    await look(page, 'portal-no-reason');
    await page.getByLabel('Por que você rejeita?').fill('Fornecedor desconhecido.');
    await click(page.getByRole('button', { name: 'Rejeitar este arquivo' }));
    await page.getByText('Sua rejeição foi registrada.').waitFor();
    await expectFits(page, 'portal-rejected');
    await at('approvals/decided');
    await expectFits(page, 'portal-decided');
    await at(`approvals/jobs/${randomUUID()}`);
    await look(page, 'portal-not-found');
    await at(`approve/${id}`);
    await look(page, 'portal-anonymous');
    await close();
  });

  test('lists payments a hundred a page, and leads on to the next page of a search', async () => {
    const id = await park(`paginas-${randomUUID().slice(0, 8)}.rem`, [...wages(103), ...mixed.slice(4)]);
    const { page, close } = await visit(SAUL.email, PHONE);
    await page.goto(`${engine.url}/batch/approvals/jobs/${id}?q=jo%C3%A3o`);
    await page.getByText('103 found').waitFor();
    await click(page.getByRole('link', { name: 'Next' }));
    await page.getByText('Page 2 of 2').waitFor();
    expect(await page.getByText('JOÃO DA CONCEIÇÃO').count()).toBe(3);
    await expectFits(page, 'portal-page-2');
    await close();
  });

  test('keeps the language that was chosen by its link', async () => {
    const { page, close } = await visit(SAUL.email);
    await click(page.getByRole('link', { name: 'Português' }));
    await click(page.getByRole('link', { name: 'Decididas', exact: true }));
    expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR');
    await close();
  });

  test('is where the page of a job leads whoever knows its address, and who may decide there unseen', async () => {
    const id = await park(`anonimo-${randomUUID().slice(0, 8)}.rem`, wages());
    const context = await browser.newContext({ locale: 'en-US', javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${engine.url}/batch/approve/${id}`);
    await page.getByLabel('Your e-mail address').fill('eve@evil.example');
    await page.getByLabel('Approve: the file may be signed').check();
    await click(page.getByRole('button', { name: 'Record the decision' }));
    await page.getByText('This address may not decide on this file.').waitFor();
    await page.getByLabel('Your e-mail address').fill(SAUL.email);
    await page.getByLabel('Approve: the file may be signed').check();
    await click(page.getByRole('button', { name: 'Record the decision' }));
    await page.getByRole('heading', { name: 'Your decision was recorded' }).waitFor();
    await page.goto(`${engine.url}/batch/approve/${id}`);
    await click(page.getByRole('link', { name: 'See the file and decide' }));
    await page.getByRole('heading', { name: 'Sign in to see your approvals' }).waitFor();
    await page.goto(linkOf(TINA.email));
    await page.goto(`${engine.url}/batch/approve/${id}`);
    await click(page.getByRole('link', { name: 'See the file and decide' }));
    await page.getByText(/^Approve R\$/).waitFor();
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
    await look(page, 'portal-same-content');
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
    await page.getByText(/^Approve R\$/).waitFor();
    await close();
  });
});
