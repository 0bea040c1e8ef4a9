import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShownReport } from '../../../functions/documents/pages/browser/verification/report.ts';
import type { VerificationReport } from '../../../shared/signing/verification/report.ts';
import {
  comparable,
  makeSamples,
  reportByCommand,
  type Sample,
  type Signing,
} from '../../cli/verify/samples.ts';
import { sharedEngine } from '../../servers/shared-engine.ts';
import { barriers, barriersInBothSchemes } from '../barriers.ts';
import { click, describeInChromium, openBrowser, openPageAt, takePicture, watch } from '../chromium.ts';
import { expectFits, PHONE_IN_PORTUGUESE } from '../look.ts';

describeInChromium('the verification page in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-verification-'));
  let url: string;
  let browser: Browser;
  let samples: Sample[];
  let signing: Signing;

  beforeAll(async () => {
    const [opened, engine] = await Promise.all([openBrowser(), sharedEngine()]);
    browser = opened;
    url = engine.url;
    signing = {
      pki: (...path) => join(engine.dataDir, 'pki', ...path),
      path: (name) => join(folder, name),
    };
    samples = await makeSamples(signing);
  }, 120_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true });
  });

  const openPage = (options: BrowserContextOptions = {}): Promise<Page> =>
    openPageAt(browser, `${url}/documents/verification`, options);

  const choose = async (page: Page, ...names: string[]): Promise<void> => {
    await page.setInputFiles('#files', names.map(signing.path));
    await done(page);
  };
  const done = (page: Page) => page.locator('body[aria-busy=false] .result').first().waitFor();

  /** What the page shows of each file: what it comes to, and the same of each signature with its verdict. */
  const shown = (page: Page): Promise<unknown> =>
    page.locator('.result').evaluateAll((results) =>
      results.map((result) => ({
        file: result.querySelector('.file')?.textContent,
        outcome: result.className.split(' ').at(-1),
        signatures: [...result.querySelectorAll('.signature')].map((card) => [
          card.className.split(' ').at(-1),
          card.querySelector('.details dd')?.textContent,
        ]),
      })),
    );

  test('page, operation and command line agree on the same files', async () => {
    const page = await openPage();
    const seen = watch(page, url);
    for (const sample of samples) {
      const { file, content } = sample;
      const chosen = [file, ...(content ? [content] : [])].map((path) => basename(path));
      const [response] = await Promise.all([
        page.waitForResponse((one) => one.url().endsWith('/api/verification')),
        choose(page, ...chosen),
      ]);
      const answered = (await response.json()) as ShownReport;
      const byCommand = await reportByCommand(sample, signing);
      const { outcome, verdict, reasons } = byCommand;
      expect(answered).toMatchObject({ outcome, verdict, reasons });
      expect(
        comparable(answered as VerificationReport).signatures.map(({ covers, changes }) => ({
          covers,
          changes,
        })),
      ).toEqual(byCommand.signatures.map(({ covers, changes }) => ({ covers, changes })));
      expect(await shown(page)).toEqual([
        {
          file: basename(file),
          outcome,
          signatures: byCommand.signatures.map((one) => [
            one.outcome,
            [one.verdict, ...one.reasons].join(' · '),
          ]),
        },
      ]);
    }
    expect(seen).toEqual({ outside: [], errors: [] });
    await page.context().close();
  });

  test('says who signed, when, what is covered and what came after, with no whole CPF', async () => {
    const page = await openPage({ locale: 'pt-BR' });
    await choose(page, 'both.pdf');
    await page.getByRole('heading', { name: 'As assinaturas são válidas' }).waitFor();
    const [first, second] = await page.locator('.signature').allInnerTexts();
    expect(first).toMatch(/\*\*\*\.982\.247-\*\*[\s\S]*Tal como foi assinado[\s\S]*Outra assinatura/);
    expect(second).toMatch(/\*\*\*\.633\.618-\*\*[\s\S]*O arquivo inteiro[\s\S]*Nada[\s\S]*Válido/);
    expect(first).toContain('Não provado: o certificado diz que sim');
    expect(await page.content()).not.toMatch(/52998224725|47363361886/);
    await click(page.getByRole('link', { name: 'English' }));
    await page.getByText('Nothing is kept: the file is read to answer you, and forgotten.').waitFor();
    await page.context().close();
  });

  test('takes files that are dropped, and says of each what is wrong with it', async () => {
    const page = await openPage();
    const dropped = ['revoked.p7m', 'pin'].map((name) => ({
      name,
      base64: readFileSync(signing.path(name)).toString('base64'),
    }));
    await page.evaluate(`{
      const dataTransfer = new DataTransfer();
      for (const { name, base64 } of ${JSON.stringify(dropped)})
        dataTransfer.items.add(new File([Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))], name));
      const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('#drop').dispatchEvent(event);
    }`);
    await done(page);
    expect(await page.locator('.result h2').allInnerTexts()).toEqual([
      'Do not rely on this file',
      'It is no signed PDF, XML document or CMS file, so there is no signature to verify.',
    ]);
    await page
      .getByText('The certificate was revoked, and nothing proves that it was signed before.')
      .waitFor();
    await page.context().close();
  });

  test('says in words why a signature does not stand, and of which part nobody answers', async () => {
    cpSync('test/shared/signing/cms/foreign/gnutls-p256-no-attributes.p7m', signing.path('plain.p7m'));
    cpSync(signing.path('valid.pdf'), signing.path('appended.pdf'));
    appendFileSync(signing.path('appended.pdf'), '% more');
    // The signed element twice: which one was signed cannot be told.
    const element = readFileSync(signing.path('element.xml'), 'utf8');
    writeFileSync(signing.path('doubled.xml'), element.replace('<party', '<party Id="p1">Mario</party>$&'));
    const page = await openPage();
    await choose(page, 'appended.pdf', 'plain.p7m', 'doubled.xml', 'element.xml', 'contract.xml');
    expect(await page.locator('.why').allInnerTexts()).toEqual([
      'The document was changed after it was signed.',
      'The certificate leads to no authority that is trusted here. Nothing that was signed says whose certificate it is: ask for a CAdES or XAdES signature, which does.',
      'The signature does not fit the document: something was moved, doubled, added or left out.',
    ]);
    // Of the document that is signed in part, and not of the one that is not signed.
    expect(await page.getByText('Anyone may have written the rest.').count()).toBe(1);
    await page.context().close();
  });

  test.each([
    [
      'en-US',
      [
        'The file is broken or cut short. Ask its sender for it again.',
        'Valid, with comments that nobody signed',
        'Something that may hide content or show another came after signing',
        'Do not rely on this file',
      ],
    ],
    [
      'pt-BR',
      [
        'O arquivo está quebrado ou incompleto. Peça-o de novo ao remetente.',
        'Válida, com comentários que ninguém assinou',
        'Algo que pode esconder conteúdo ou mostrar outro veio depois da assinatura',
        'Não confie neste arquivo',
      ],
    ],
  ])('says in the heading what a person must know first, in %s', async (locale, headings) => {
    const page = await openPage({ locale });
    await choose(page, 'cut.pdf', 'commented.pdf', 'overlaid.pdf', 'covered.pdf');
    expect(await page.locator('.result h2').allInnerTexts()).toEqual(headings);
    await page.context().close();
  });

  test('asks for the content of a detached signature, by the keyboard too', async () => {
    const page = await openPage();
    await choose(page, 'data.bin.p7s');
    await page.getByRole('heading', { name: 'The signed content is missing' }).waitFor();
    // The result has the focus, and the chooser is the next stop.
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H2');
    await page.keyboard.press('Tab');
    await page.locator(':focus').setInputFiles(signing.path('data.bin'));
    await page.getByRole('heading', { name: 'The signature is valid' }).waitFor();
    expect(await page.locator('.signature').textContent()).toContain('data.bin');
    await page.context().close();
  });

  test('reads a verified file from the browser’s own copy, and sends it nowhere again', async () => {
    const page = await openPage();
    const seen = watch(page, url);
    const sent: string[] = [];
    const [sample] = samples.filter(({ file }) => file.endsWith('.pdf'));
    await choose(page, basename(sample?.file ?? ''));
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.getByRole('button', { name: 'Read the document' }).click();
    await page.locator('.reader-page canvas').first().waitFor();
    expect(sent.filter((one) => !one.startsWith('GET /documents/assets/'))).toEqual([]);
    expect(await barriers(page)).toEqual([]);
    await takePicture(page, 'verification-reader');
    expect(seen).toEqual({ outside: [], errors: [] });
    await page.context().close();
  });

  test('says that the server could not be reached, and works again', async () => {
    const page = await openPage();
    await page.route('**/api/**', (route) => route.abort());
    await choose(page, 'valid.pdf');
    await page.getByText('The server could not be reached.').waitFor();
    await page.unroute('**/api/**');
    await choose(page, 'valid.pdf');
    await page.getByRole('heading', { name: 'The signature is valid' }).waitFor();
    await page.context().close();
  });

  test('reads well and has no barrier', async () => {
    const page = await openPage(PHONE_IN_PORTUGUESE);
    await choose(page, 'both.pdf', 'changed.xml', 'element.xml', 'data.bin.p7s', 'pin');
    for (const details of await page.locator('summary').all()) await click(details);
    expect(await barriersInBothSchemes(page)).toEqual([]);
    await takePicture(page, 'verification-phone');
    await expectFits(page, 'verification', [320, 768, 1280]);
    await page.context().close();
  });

  test('says how large a file may be, before and after one is chosen', async () => {
    writeFileSync(signing.path('large.pdf'), Buffer.alloc(26_214_401, '%'));
    const page = await openPage();
    await page.getByText('At most 26.2 MB each.').waitFor();
    await choose(page, 'large.pdf');
    await page.getByText('The file is too large to be verified here: at most 26.2 MB are.').waitFor();
    await page.context().close();
  });

  test('says when a file was checked and its hash, on paper too, where nothing else stands', async () => {
    const page = await openPage({ timezoneId: 'Asia/Tokyo' });
    await choose(page, 'valid.pdf');
    const sha256 = createHash('sha256')
      .update(readFileSync(signing.path('valid.pdf')))
      .digest('hex');
    await page.emulateMedia({ media: 'print' });
    await page.getByText(`SHA-256 ${sha256}`).first().waitFor();
    expect(await page.locator('.banner').textContent()).toMatch(/Checked on .* GMT-3/);
    expect(await page.locator('#verify').isVisible()).toBe(false);
    expect(await page.locator('.banner .mark .icon').isVisible()).toBe(true);
    const colours = `getComputedStyle(document.querySelector('.banner .mark')).printColorAdjust`;
    expect(await page.evaluate(colours)).toBe('exact');
    await takePicture(page, 'verification-print');
    await page.context().close();
  });

  test('shows times in Brasília and says so, wherever the browser is', async () => {
    const page = await openPage({ timezoneId: 'Asia/Tokyo', locale: 'pt-BR' });
    await choose(page, 'valid.pdf');
    expect(await page.locator('.signature').textContent()).toMatch(/às \d\d:\d\d:\d\d GMT-3/);
    expect(await page.locator('.result').textContent()).not.toMatch(/UTC|\dZ/);
    await page.context().close();
  });

  test('without JavaScript, says that it needs it, and has no button that does nothing', async () => {
    const page = await openPage({ javaScriptEnabled: false });
    expect(await page.locator('noscript p').textContent()).toContain('This page needs JavaScript');
    expect(await page.locator('#drop').isVisible()).toBe(false);
    await page.context().close();
  });
});
