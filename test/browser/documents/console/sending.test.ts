import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ORGANIZATION_ID, SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { certificatesFromPem } from '../../../../shared/pki/pem.ts';
import { type SharedEngine, sharedEngine } from '../../../servers/shared-engine.ts';
import { missingTools, openJudges } from '../../../shared/signing/pades/judges.ts';
import { barriersInBothSchemes } from '../../barriers.ts';
import { click, describeInChromium, openBrowser, openPageAt, takePicture, watch } from '../../chromium.ts';
import { DESKTOP, look, PHONE_IN_PORTUGUESE } from '../../look.ts';
import { ANA, pdf } from '../action-page/files.ts';

describeInChromium('sending from the console, in Chromium', () => {
  let browser: Browser;
  let engine: SharedEngine;
  beforeAll(async () => {
    [browser, engine] = await Promise.all([openBrowser(), sharedEngine()]);
  }, 120_000);
  afterAll(async () => {
    // As the sandbox begins, for the files that share the engine.
    await fetch(`${engine.url}/documents/api/organizations/${ORGANIZATION_ID}/mail`, {
      method: 'PUT',
      headers: { 'x-api-key': SANDBOX_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ enabled: false }),
    });
  });

  /** The console of the sandbox's owner. */
  async function enter(options: BrowserContextOptions, open: string): Promise<Page> {
    const page = await openPageAt(browser, engine.url, options);
    await click(page.getByRole('button', { name: open }));
    return page;
  }

  /** Drops a file as a mouse does; on a phone it is chosen. */
  async function give(page: Page, name: string, isDropped: boolean): Promise<void> {
    const { bytes, type } = await pdf();
    // No two are the same file.
    const content = Buffer.concat([bytes, Buffer.from(`\n%${name}\n`)]);
    if (!isDropped) return page.locator('#chosen').setInputFiles({ name, mimeType: type, buffer: content });
    const transfer = await page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(new File([Uint8Array.from(atob('${content.toString('base64')}'), (c) => c.charCodeAt(0))], '${name}', { type: '${type}' })); return data; })()`,
    );
    await page.locator('#drop').dispatchEvent('drop', { dataTransfer: transfer });
  }

  test('from the home page to a signed file, without a call of the API', async () => {
    const name = `Contrato ${randomBytes(4).toString('hex')}`;
    const address = `ana.${randomBytes(4).toString('hex')}@sandbox.example`;
    const page = await enter(PHONE_IN_PORTUGUESE, 'Abrir o painel');
    const seen = watch(page, engine.url);
    await click(page.getByRole('navigation').getByRole('link', { name: 'Enviar', exact: true }));
    await takePicture(page, 'console-start');
    await give(page, `${name}.pdf`, true);
    await page.locator('#draft').waitFor();
    const row = page.locator('.person-row').first();
    await row.getByLabel('E-mail').fill(address);
    await row.getByLabel('Nome', { exact: true }).fill('Ana Prado');
    await row.getByLabel('CPF ou CNPJ').fill(ANA);
    await look(page, 'console-draft');
    await click(page.getByRole('button', { name: 'Posicionar as marcas' }));
    await page.locator('.reader-page canvas').first().waitFor();
    await page.getByRole('button', { name: 'Assinatura: Ana Prado', exact: true }).click();
    await page.getByText('As marcas estão salvas.').waitFor();
    await look(page, 'console-marks');
    await click(page.getByRole('link', { name: 'Revisar e enviar' }));
    // The organization of the sandbox has mail off until somebody turns it on: the page says so.
    const turnOn = page.getByRole('button', { name: 'Ligar o e-mail' });
    if ((await turnOn.count()) > 0) await click(turnOn);
    await look(page, 'console-review');
    await click(page.locator('main').getByRole('button', { name: 'Enviar', exact: true }));
    await page.getByRole('heading', { level: 1, name }).waitFor();
    const documentUrl = page.url();

    const mail = await openMail(page, address);
    await mail.locator('#certificate').setInputFiles(join(engine.dataDir, 'pki/holders', `${ANA}.p12`));
    await mail.locator('#password').fill('1234');
    await mail.locator('#sign button[type=submit]').click();
    await mail.locator('#closed').waitFor();

    await page.goto(documentUrl.split('?')[0] ?? '');
    // It is concluded in the background, and the page shows it by itself.
    await page.locator('#facts').getByText('Concluído', { exact: true }).waitFor();
    await page.locator('.reader-page canvas').first().waitFor();
    await look(page, 'console-document', barriersInBothSchemes);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Arquivo assinado' }).click(),
    ]);
    expectValid(readFileSync((await download.path()) ?? ''));
    await click(page.getByRole('link', { name: 'Verificar as assinaturas' }));
    await page.getByText('Válida', { exact: true }).waitFor();
    expect([seen.outside, seen.errors]).toEqual([[], []]);
    await page.context().close();
  }, 120_000);

  /** The page that the link of a mail leads to, by way of the sandbox's mailbox. */
  async function openMail(page: Page, address: string): Promise<Page> {
    const mailbox = `${engine.url}/sandbox/mailbox/${address}`;
    const mails = async () => (await fetch(mailbox, { headers: { accept: 'application/json' } })).text();
    await expect.poll(mails).toContain('/action?');
    await page.goto(mailbox);
    await click(page.locator('main h2 a').first());
    const link = await page.locator('.links a[href*="/action?"]').first().getAttribute('href');
    return openPageAt(browser, link ?? '', { locale: 'en-US' });
  }

  function expectValid(bytes: Buffer): void {
    const [root] = certificatesFromPem(readFileSync(join(engine.dataDir, 'pki/root.crt'), 'utf8'));
    if (!root || missingTools().length > 0) return;
    const judges = openJudges(root, '-no-ocsp');
    try {
      expect(new Set(judges.judge(bytes).signatures)).toEqual(new Set(['Signature is Valid.']));
    } finally {
      judges.close();
    }
  }

  test('Tab goes through the page of a draft in the order that it is read', async () => {
    const page = await enter(DESKTOP, 'Open the console');
    await page.goto(`${engine.url}/documents/console/send`);
    await give(page, `Order ${randomBytes(4).toString('hex')}.pdf`, false);
    await page.locator('#draft').waitFor();
    await page.locator('#chosen').focus();
    const focused = `(({ name, value, tagName, id }) =>
      tagName === 'BUTTON' ? 'button ' + (value || id) : tagName === 'SUMMARY' ? 'summary' : name || id)(document.activeElement)`;
    const order: string[] = [];
    for (let at = 0; at < 18; at++) {
      await page.keyboard.press('Tab');
      const name = (await page.evaluate(focused)) as string;
      // A date has several parts, each of which the focus stops at.
      if (name !== order.at(-1)) order.push(name);
    }
    expect(order.slice(0, 14).map((each) => each.replace(/:.*/, ''))).toEqual([
      ...['fileTitle', 'button remove-file'],
      ...['personEmail', 'personName', 'personIdentifier', 'personRole', 'summary', 'button save'],
      ...['folderId', 'deadline', 'language', 'message', 'button marks', 'button review'],
    ]);
    await page.context().close();
  }, 60_000);

  test('without scripts a draft is made, filled in and sent by its forms alone', async () => {
    const page = await openPageAt(browser, engine.url, { ...DESKTOP, javaScriptEnabled: false });
    await click(page.getByRole('button', { name: 'Open the console' }));
    await click(page.getByRole('navigation').getByRole('link', { name: 'Send', exact: true }));
    const name = `Plain ${randomBytes(4).toString('hex')}`;
    await give(page, `${name}.pdf`, false);
    await click(page.getByRole('button', { name: 'Upload' }));
    for (const [at, who] of ['Ana', '<i>Bia</i>'].entries()) {
      await page.locator('[name=personName]').nth(at).fill(who);
      await page.locator('[name=personEmail]').nth(at).fill(`p${at}@sandbox.example`);
      await click(page.getByRole('button', { name: 'Add a person' }));
    }
    await page.locator('[name=personRole]').nth(1).selectOption('approve');
    await click(page.getByRole('button', { name: 'Review and send' }));
    expect(await page.locator('.flow-box').allTextContents()).toEqual([
      expect.stringContaining('Ana'),
      expect.stringContaining('<i>Bia</i>'),
    ]);
    await click(page.locator('main').getByRole('button', { name: 'Send', exact: true }));
    expect(await page.locator('h1').textContent()).toBe(name);
    await page.context().close();
  }, 60_000);

  test('two windows on one draft: the later is told, and what was typed is kept in both', async () => {
    const page = await enter(DESKTOP, 'Open the console');
    await page.goto(`${engine.url}/documents/console/send`);
    await give(page, `Both ${randomBytes(4).toString('hex')}.pdf`, false);
    await page.locator('#draft').waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await page.getByLabel('Message').fill('of the first');
    await page.getByText('The draft is saved.').waitFor();
    await other.getByLabel('Message').fill('of the second');
    await other.getByText('has changed this draft meanwhile').waitFor();
    await click(other.getByRole('button', { name: 'Save the draft' }));
    expect(await other.getByLabel('Message').inputValue()).toBe('of the second');
    expect(await other.locator('#conflict').textContent()).toContain('has changed this draft meanwhile');
    await click(other.getByRole('button', { name: 'Save mine over it' }));
    await page.reload();
    expect(await page.getByLabel('Message').inputValue()).toBe('of the second');
    await page.context().close();
  }, 60_000);
});
