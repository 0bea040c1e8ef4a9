import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { type SharedEngine, sharedEngine } from '../../servers/shared-engine.ts';
import { plainPdf } from '../../shared/signing/pades/documents.ts';
import { barriers, barriersInBothSchemes } from '../barriers.ts';
import { click, describeInChromium, openBrowser, takePicture, watch } from '../chromium.ts';

const RETURN = 'http://localhost:9999/return';
const CPF = '52998224725';

type Session = { readonly sessionId: string; readonly redirectUrl: string };

let engine: SharedEngine;
let browser: Browser;

const ask = async <T>(path: string, json?: object): Promise<T> => {
  const answer = await fetch(`${engine.url}/pki/api/signature-sessions${path}`, {
    headers: { 'X-API-Key': SANDBOX_KEY, 'Content-Type': 'application/json' },
    ...(json && { method: 'POST', body: JSON.stringify(json) }),
  });
  return (await answer.json()) as T;
};

const aSession = async (): Promise<Session> => {
  const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64');
  const documents = [
    { name: 'contrato de prestação de serviços.pdf', content: base64(await plainPdf('table')) },
    { name: 'nota.xml', contentType: 'application/xml', content: base64('<nota><valor>10</valor></nota>') },
    { name: 'anexo.txt', contentType: 'text/plain', content: base64('anexo') },
  ];
  return ask('', { returnUrl: RETURN, documents });
};

/** Somebody who is sent to a session, and whose way back is seen. */
async function visit(url: string, locale = 'en-US', width = 1100) {
  const context = await browser.newContext({ locale, viewport: { width, height: 900 } });
  const page = await context.newPage();
  await page.route(`${RETURN}**`, (route) => route.fulfill({ body: 'back' }));
  const seen = watch(page, engine.url);
  await page.goto(url);
  return { page, seen, close: () => context.close() };
}

async function sign(page: Page, password: string): Promise<void> {
  await page.setInputFiles('#certificate', join(engine.dataDir, 'pki/holders', `${CPF}.p12`));
  await page.fill('#password', password);
  await page.click('#sign button[type=submit]');
}

describeInChromium('the page of a signature session, in Chromium', () => {
  beforeAll(async () => {
    [browser, engine] = await Promise.all([openBrowser(), sharedEngine()]);
  }, 120_000);

  test('signs every document with a certificate that stays in the browser, and sends the person back', async () => {
    const { sessionId, redirectUrl } = await aSession();
    const { page, seen, close } = await visit(redirectUrl);
    await page.locator('#documents li').nth(2).waitFor();
    expect(await page.locator('#asks').textContent()).toBe(
      'sandbox asks you to sign these 3 documents. Afterwards you return to localhost:9999.',
    );
    await page.getByText('You sign as the holder of the certificate that you choose.').waitFor();

    // Every document is read in the page, with the token in a header.
    await page.getByRole('button', { name: 'Read contrato de prestação de serviços.pdf' }).click();
    await page.locator('.reader-page canvas').first().waitFor();
    await page.getByRole('button', { name: 'Read nota.xml' }).click();
    await page.getByText('<valor>10</valor>').waitFor();
    expect(await barriersInBothSchemes(page)).toEqual([]);
    await takePicture(page, 'signature-session-en');

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download anexo.txt' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('anexo.txt');

    await sign(page, '9999');
    await page.locator('.problem:visible').waitFor();
    expect(await page.locator('.problem:visible').textContent()).toContain('password does not open');
    await sign(page, '1234');
    await page.waitForURL(`${RETURN}**`);
    expect(page.url()).toBe(`${RETURN}?signatureSessionId=${sessionId}`);
    expect(seen.errors).toEqual([]);
    expect(seen.outside).toEqual([page.url()]);
    const ended = await ask<{ status: string; documents: { status: string }[] }>(`/${sessionId}`);
    expect([ended.status, ...ended.documents.map(({ status }) => status)]).toEqual([
      'Completed',
      'Completed',
      'Completed',
      'Completed',
    ]);
    await close();

    const again = await visit(redirectUrl, 'pt-BR');
    await again.page.locator('#closed:visible').waitFor();
    expect(await again.page.locator('#closed h2').textContent()).toBe('Os documentos estão assinados');
    await again.close();
  });

  test('is read in Portuguese on a phone, is cancelled there, and keeps its token over a change of language', async () => {
    const { sessionId, redirectUrl } = await aSession();
    const { page, close } = await visit(redirectUrl, 'en-US', 320);
    await click(page.getByRole('link', { name: 'Português' }));
    await page.getByRole('heading', { name: 'Documentos', exact: true }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await takePicture(page, 'signature-session-pt-320');
    await page.click('#cancel-open');
    expect(await barriers(page)).toEqual([]);
    await click(page.getByRole('button', { name: 'Não assinar' }));
    await page.waitForURL(`${RETURN}**`);
    expect((await ask<{ status: string }>(`/${sessionId}`)).status).toBe('UserCancelled');
    await close();
  });

  test('signs no document that was added after the person looked, and shows it first', async () => {
    const { sessionId, redirectUrl } = await aSession();
    const { page, close } = await visit(redirectUrl);
    await page.locator('#documents li').nth(2).waitFor();
    await ask(`/${sessionId}/documents`, { name: 'added.txt', content: 'YQ==' });

    await sign(page, '1234');
    await page.locator('.problem:visible').waitFor();
    expect(await page.locator('.problem:visible').textContent()).toContain('The documents have changed');
    expect(await page.locator('#documents li').count()).toBe(4);
    const { documents } = await ask<{ documents: { status: string }[] }>(`/${sessionId}`);
    expect(documents.map(({ status }) => status)).toEqual(Array(4).fill('PendingSignature'));

    await page.route('**/content**', (route) => route.abort());
    await click(page.getByRole('button', { name: 'Download added.txt' }));
    await page.getByText('It could not be downloaded').waitFor();
    await page.unroute('**/content**');
    await sign(page, '1234');
    await page.waitForURL(`${RETURN}**`);
    await close();
  });

  test('takes files of the person where the application gave none, and hands out the signed ones', async () => {
    const certificateRequirements = [{ type: 'Cpf', argument: CPF }];
    const { sessionId, redirectUrl } = await ask<Session>('', { certificateRequirements });
    const { page, seen, close } = await visit(redirectUrl);
    await page.getByText('sandbox asks you to sign files of your own.').waitFor();
    expect(await page.locator('#signature').isVisible()).toBe(false);
    const text = (name: string, bytes: Buffer) => ({ name, mimeType: 'text/plain', buffer: bytes });
    await page.setInputFiles('#own-files', [
      { name: 'meu.pdf', mimeType: 'application/pdf', buffer: Buffer.from(await plainPdf('table')) },
      text('errado.txt', Buffer.from('errado')),
      text('grande.txt', Buffer.alloc(5_000_000, 'a')),
    ]);
    await page.locator('#documents li').nth(2).waitFor();
    await page.getByText('a certificate of the CPF ***.982.247-**').waitFor();
    await page.setInputFiles('#own-files', [text('vazio.txt', Buffer.alloc(0))]);
    await page.getByText('vazio.txt is empty').waitFor();
    await click(page.getByRole('button', { name: 'Remove errado.txt' }));
    await page.locator('#documents li').nth(2).waitFor({ state: 'detached' });
    await takePicture(page, 'signature-session-own-files');
    await sign(page, '1234');
    await page.getByText('Keep the signed files:').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download grande.txt.p7m' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('grande.txt.p7m');
    expect(await barriers(page)).toEqual([]);
    await takePicture(page, 'signature-session-own-files-signed');
    expect(seen.outside).toEqual([]);
    expect((await ask<{ status: string }>(`/${sessionId}`)).status).toBe('Completed');
    await close();
  });

  test('closes the tab that it has to itself, offers no download, and asks for the right certificate', async () => {
    const documents = [{ file: { name: 'a.txt', content: 'YQ==' } }];
    const device = [{ type: 'CryptoDevice' }];
    const refused = await ask<Session>('', {
      documents,
      certificateRequirements: device,
      disableDownloads: true,
    });
    const { page, close } = await visit(refused.redirectUrl);
    await page.locator('#documents li').waitFor();
    expect(await page.getByRole('button', { name: 'Download a.txt' }).count()).toBe(0);
    await sign(page, '1234');
    await page.locator('.problem:visible').waitFor();
    expect(await page.locator('.problem:visible').textContent()).toContain('type A3 or A4');
    const { redirectUrl } = await ask<Session>('', { documents, disableDownloads: true });
    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(`void window.open(${JSON.stringify(redirectUrl)})`),
    ]);
    await tab.locator('#documents li').waitFor();
    await Promise.all([tab.waitForEvent('close'), sign(tab, '1234').catch(() => undefined)]);
    await close();
  });

  test('lets a person go on where another window signed one of the documents', async () => {
    const { redirectUrl } = await aSession();
    const [one, other] = await Promise.all([visit(redirectUrl), visit(redirectUrl)]);
    let held: (() => void) | undefined;
    const begun = new Promise<void>((resolve) => {
      one.page.route('**/signature', async (route) => {
        resolve();
        await new Promise<void>((release) => {
          held = release;
        });
        await route.continue();
      });
    });
    let starts = 0;
    await other.page.route('**/signature', (route) => (starts++ === 0 ? route.continue() : route.abort()));
    for (const { page } of [one, other]) await page.locator('#documents li').nth(2).waitFor();
    await sign(one.page, '1234');
    await begun;
    await sign(other.page, '1234');
    await other.page.locator('.problem:visible').waitFor();
    await one.page.unroute('**/signature');
    held?.();
    await one.page.locator('.problem:visible').waitFor();
    expect(await one.page.locator('#documents li').first().textContent()).toContain('Signed');
    await sign(one.page, '1234');
    await one.page.waitForURL(`${RETURN}**`);
    await Promise.all([one.close(), other.close()]);
  });

  test('says so where a link opens nothing, until the whole link is opened', async () => {
    const { redirectUrl } = await aSession();
    for (const link of [redirectUrl.split('#')[0] ?? '', `${redirectUrl.slice(0, -1)}?`]) {
      const { page, close } = await visit(link);
      await page.locator('#closed:visible').waitFor();
      expect(await page.locator('#closed h2').textContent()).toBe('This link opens no documents');
      await page.goto(redirectUrl); // the whole link, in the same window
      await page.locator('#documents li').nth(2).waitFor();
      await close();
    }
  });
});
