import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { BrowserContextOptions, CDPSession, Page, Request } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { sharedEngine } from '../../servers/shared-engine.ts';
import { barriers, barriersInBothSchemes } from '../barriers.ts';
import { describeInChromium, openBrowser, takePicture } from '../chromium.ts';
import { platformOf } from '../platform.ts';
import { ANA, RUI, signerOf, text } from './action-page/files.ts';
import { type Place, visit } from './action-page/visitor.ts';
import { contract, damaged, encrypted, largePdf, SCANS, scannedPdf } from './reader/pdfs.ts';

const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE: BrowserContextOptions & { viewport: { width: number } } = {
  ...{ locale: 'pt-BR', colorScheme: 'dark', isMobile: true, hasTouch: true, deviceScaleFactor: 3 },
  viewport: { width: 390, height: 844 },
};

type Bytes = Uint8Array<ArrayBuffer>;

describeInChromium('the reader of documents, in Chromium', () => {
  let place: Place;
  // What is kept in memory depends on the number of its pages and their size on the screen.
  let large: Bytes;

  beforeAll(async () => {
    large = await largePdf(300, 4_000_000);
    const [browser, engine] = await Promise.all([openBrowser(), sharedEngine()]);
    place = { url: engine.url, browser, platform: platformOf(engine) };
  }, 120_000);

  /** Somebody at the signing page of a file. */
  async function reading(
    file: { readonly bytes: Bytes; readonly name: string; readonly type: string },
    options: BrowserContextOptions = {},
    flow: object[] = [signerOf(ANA)],
  ) {
    const id = await place.platform.document(file, flow);
    return visit(place, (await place.platform.links(id, { identifier: ANA })).url, {
      ...DESKTOP,
      ...options,
    });
  }
  const pdf = (bytes: Bytes) => ({ bytes, name: 'Contrato.pdf', type: 'application/pdf' });
  const drawn = (page: Page, number: number) => page.locator(`[data-page="${number}"] canvas`).waitFor();
  const shownPage = (page: Page) => page.locator('.reader-number').inputValue();
  test('leads to the person’s own place, finds, zooms and selects', async () => {
    const mark = { page: 2, x: 100, y: 150, width: 200, height: 60 };
    const other = { ...mark, x: 350 };
    const flow = [
      signerOf(ANA, { prePositionedMarks: [mark] }),
      signerOf(RUI, { prePositionedMarks: [other] }),
    ];
    // The second page is rotated: its places count from the corner that is below on the left when it is shown.
    const visitor = await reading(pdf(await contract([0, 90, 180])), PHONE, flow);
    const { page } = visitor;
    await drawn(page, 1);

    await page.getByRole('button', { name: 'Mostrar onde você assina' }).click();
    const yours = page.locator('.reader-mark.yours');
    await drawn(page, 2);
    expect(await yours.textContent()).toBe('Você assina aqui');
    const sheet = await page.locator('[data-page="2"]').boundingBox();
    const frame = await yours.boundingBox();
    if (!sheet || !frame) throw new Error('The mark has no place.');
    const point = sheet.width / 842;
    expect(sheet.height / point).toBeCloseTo(595, 0);
    expect((frame.x - sheet.x) / point).toBeCloseTo(100, 0);
    expect((sheet.y + sheet.height - frame.y - frame.height) / point).toBeCloseTo(150, 0);
    expect(frame.width / point).toBeCloseTo(200, 0);
    expect(await page.locator('.reader-mark:not(.yours)').textContent()).toBe(`Signer ${RUI}`);
    const list = await page.getByRole('region', { name: 'Páginas do documento' }).boundingBox();
    expect(frame.y).toBeGreaterThan(list?.y ?? 0);
    expect(await shownPage(page)).toBe('2');
    expect(await barriersInBothSchemes(page)).toEqual([]);
    await takePicture(page, 'reader-phone');

    const found = page.locator('.reader-found');
    const find = async (wanted: string) => {
      await page.getByRole('searchbox', { name: 'Buscar no documento' }).fill(wanted);
      await page.getByRole('button', { name: 'Próxima' }).click();
    };
    await find('ACAO e da reacao');
    await expect.poll(() => found.textContent()).toBe('1 de 3');
    await expect
      .poll(() => page.evaluate(`[...(CSS.highlights.get('reader-found') ?? [])].map(String).join()`))
      .toBe('Ação e da reação');
    await find('penhora');
    await expect.poll(() => found.textContent()).toBe('Nada encontrado');
    await find('clausula 3');
    await expect.poll(() => shownPage(page)).toBe('3');

    const width = async () => (await page.locator('[data-page="3"]').boundingBox())?.width ?? 0;
    const before = await width();
    await page.getByRole('button', { name: 'Aumentar' }).click();
    expect((await width()) / before).toBeCloseTo(1.25, 1);
    await page.getByRole('region', { name: 'Páginas do documento' }).press('0');
    expect(await width()).toBeCloseTo(before, 0);
    await page.getByRole('region', { name: 'Páginas do documento' }).press('Control+f');
    expect(await page.evaluate('document.activeElement.className')).toBe('reader-find');

    // A page that is drawn anew, because it was zoomed, ends what was selected in it.
    const select = async (): Promise<number> => {
      await page.locator('[data-page="3"] .reader-text span').first().dblclick();
      return page.evaluate('getSelection().toString().trim().length');
    };
    await expect.poll(select).toBeGreaterThan(1);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.viewport.width);
    expect(visitor.seen).toEqual({ outside: [], errors: [] });
    await visitor.close();
  });

  /** Two fingers on the pages that move apart. */
  async function pinch(cdp: CDPSession, { x, y }: { x: number; y: number }, from: number, to: number) {
    const touch = (type: string, apart: number) =>
      cdp.send('Input.dispatchTouchEvent', {
        type: type as 'touchStart',
        touchPoints: type === 'touchEnd' ? [] : [-1, 1].map((side) => ({ x: x + side * apart, y })),
      });
    await touch('touchStart', from);
    for (let step = 1; step <= 5; step++) await touch('touchMove', from + ((to - from) * step) / 5);
    await touch('touchEnd', to);
  }

  test('300 pages stay usable on a phone: few pages keep a canvas, each of a bounded size', async () => {
    const visitor = await reading(pdf(large), PHONE);
    const { page } = visitor;
    await drawn(page, 1);
    // The list is as long as the whole document from the beginning.
    expect(await page.locator('.reader-page').count()).toBe(300);
    for (const number of [250, 40, 300]) {
      await page.locator('.reader-number').fill(String(number));
      await page.keyboard.press('Enter');
      await drawn(page, number);
    }
    const canvases = (): Promise<number[]> =>
      page.evaluate(
        `[...document.querySelectorAll('.reader-page canvas')].map(({ width, height }) => width * height)`,
      );
    const list = page.locator('.reader-pages');
    for (let step = 0; step < 8; step++) {
      await list.evaluate((box) => box.scrollBy(0, -box.clientHeight * 2));
      await expect.poll(async () => (await canvases()).length).toBeGreaterThan(0);
    }
    const box = await list.boundingBox();
    if (!box) throw new Error('The list is not there.');
    const sheetWidth = async () => (await page.locator('.reader-page').first().boundingBox())?.width ?? 0;
    const before = await sheetWidth();
    const cdp = await page.context().newCDPSession(page);
    await pinch(cdp, { x: box.x + box.width / 2, y: box.y + box.height / 2 }, 20, 80);
    // The last move of the fingers is drawn with the next frame.
    await expect.poll(async () => Math.round((await sheetWidth()) / before)).toBe(4);
    // The page around it is not zoomed.
    expect(await page.evaluate('visualViewport.scale')).toBe(1);
    await expect.poll(async () => Math.max(...(await canvases()))).toBeGreaterThan(7_000_000);
    expect(Math.max(...(await canvases()))).toBeLessThanOrEqual(8_000_000);
    // What is kept, and the visible pages with it.
    expect((await canvases()).reduce((sum, pixels) => sum + pixels, 0)).toBeLessThanOrEqual(40_000_000);
    expect(visitor.seen).toEqual({ outside: [], errors: [] });
    await visitor.close();
  });

  test('the first page of a large file is there before the file is: one stream, and a few parts ahead', async () => {
    const id = await place.platform.document(pdf(large), [signerOf(ANA)]);
    const context = await place.browser.newContext(DESKTOP);
    const page = await context.newPage();
    const [asked, ended]: Request[][] = [[], []];
    page.on('request', (request) => request.url().includes('/content?') && asked?.push(request));
    page.on('requestfinished', (request) => ended?.push(request));
    const cdp = await context.newCDPSession(page);
    // A connection of 3 Mbit/s, which takes ten seconds for the file.
    const slow = { offline: false, latency: 20, downloadThroughput: 400_000, uploadThroughput: 400_000 };
    await cdp.send('Network.emulateNetworkConditions', slow);
    await page.goto((await place.platform.links(id, { identifier: ANA })).url);
    await drawn(page, 1);
    const [stream, ...parts] = asked ?? [];
    expect(stream?.headers().range).toBeUndefined();
    expect(ended).not.toContain(stream);
    expect(parts.length).toBeGreaterThan(0);
    expect(parts.length).toBeLessThanOrEqual(8);
    for (const part of parts) expect(part.headers().range).toMatch(/^bytes=\d+-\d+$/);
    await context.close();
  });

  test('scans need no script from text: decoders, fonts and character maps are files of this host', async () => {
    const visitor = await reading(pdf(scannedPdf()));
    const { page } = visitor;
    await drawn(page, 1);
    const colorAt = (x: number, y: number): Promise<number[]> =>
      page.evaluate(`(() => {
        const canvas = document.querySelector('[data-page="1"] canvas');
        const [left, top] = [(${x} / 595) * canvas.width, ((842 - ${y}) / 842) * canvas.height];
        return [...canvas.getContext('2d').getImageData(left, top, 1, 1).data];
      })()`);
    const middle = ({ x, y }: { x: number; y: number }) => colorAt(x + 80, y + 40);
    expect(await middle(SCANS.fax)).toEqual([0, 0, 0, 255]);
    expect(await middle(SCANS.jbig2)).toEqual([0, 0, 0, 255]);
    const [gray = 0] = await middle(SCANS.jpeg2000);
    expect(Math.abs(gray - 128)).toBeLessThan(3);
    const assets = visitor.requests.map((request) => request.url().split('/assets/')[1] ?? '');
    for (const name of ['jbig2_nowasm', 'openjpeg_nowasm', 'UniJIS-UCS2-H.bcmap'])
      expect(assets.filter((asset) => asset.includes(name))).not.toEqual([]);
    expect(visitor.seen).toEqual({ outside: [], errors: [] });
    await visitor.close();
  });

  test('a PDF with an empty password opens; one with a password and a damaged one are told, with the file', async () => {
    // Whoever only approves may get a PDF that nobody can sign.
    const approvers = [{ ...signerOf(ANA), type: 'Approver' }];
    const open = await reading(pdf(await encrypted('')), {}, approvers);
    await drawn(open.page, 1);
    await open.close();
    for (const [bytes, locale, told] of [
      [await encrypted('segredo'), 'en-US', 'This PDF has a password and cannot be shown here.'],
      [damaged(), 'pt-BR', 'Este PDF está danificado e não pode ser mostrado aqui.'],
    ] as const) {
      const visitor = await reading(pdf(bytes), { locale }, approvers);
      await visitor.page.getByText(told).waitFor();
      expect(await visitor.page.locator('.reader-file a[download="Contrato.pdf"]').isVisible()).toBe(true);
      await visitor.close();
    }
  });

  const xmlOf = (content: string, name = 'Nota.xml') => ({
    bytes: Uint8Array.from(Buffer.from(content)),
    name,
    type: 'application/xml',
  });

  test('XML is shown indented with nothing left out, text as it is, and a degree as what it says', async () => {
    const xml = await reading(
      xmlOf('<?xml version="1.0"?><!--n--><nota a="1"><valor>1 &lt; 2</valor><x/></nota>'),
    );
    const plain = xml.page.locator('.reader-plain');
    await plain.waitFor();
    expect(await plain.textContent()).toBe(
      '<!--n-->\n<nota a="1">\n  <valor>1 &lt; 2</valor>\n  <x/>\n</nota>',
    );
    await xml.close();

    const note = await reading(text());
    expect(await note.page.locator('.reader-plain').textContent()).toBe('olá, mundo\n');
    await note.close();

    const student = '<Aluno><Nome>Maria da Silva</Nome><NomeSocial/></Aluno><Curso>Engenharia Civil</Curso>';
    const rest = '<IESEmissora>Universidade</IESEmissora><DataConclusao>2026-03-02</DataConclusao>';
    const degree = await reading(xmlOf(`<Diploma>${student}${rest}</Diploma>`), PHONE);
    const facts = degree.page.locator('.reader-facts');
    await facts.waitFor();
    expect(await facts.locator('dt, dd').allTextContents()).toEqual([
      ...['Documento', 'Diploma', 'Aluno', 'Maria da Silva', 'Curso', 'Engenharia Civil'],
      ...['Instituição emissora', 'Universidade', 'Concluído em', '2 de março de 2026'],
    ]);
    await degree.page.getByText('O arquivo como ele é (XML)').click();
    expect(await degree.page.locator('.reader-plain').isVisible()).toBe(true);
    expect(await barriers(degree.page)).toEqual([]);
    await takePicture(degree.page, 'reader-degree');
    expect(degree.seen).toEqual({ outside: [], errors: [] });
    await degree.close();
  });

  test('any other file is there by its name, its size, its hash and its link', async () => {
    const bytes = Uint8Array.from(Buffer.from('PK\u0003\u0004'));
    const visitor = await reading({ bytes, name: 'dados.zip', type: 'application/zip' });
    const hash = createHash('sha256').update(bytes).digest('hex');
    await visitor.page.getByText(hash).waitFor();
    expect(await visitor.page.locator('.reader-file').textContent()).toMatch(/dados\.zip\s+4 bytes/);
    expect(await barriers(visitor.page)).toEqual([]);
    await visitor.close();
  });

  test('a connection that is lost is told, and nothing of it is taken for a damaged file', async () => {
    const id = await place.platform.document(pdf(await contract([0])), [signerOf(ANA)]);
    const context = await place.browser.newContext({ locale: 'en-US' });
    const page = await context.newPage();
    await page.route('**/content?**', (route) => route.abort());
    await page.goto((await place.platform.links(id, { identifier: ANA })).url);
    await page.getByText('The document could not be loaded.').waitFor();
    await context.close();
  });

  test('the signing page takes at most 60 KB without the reader, and nothing of the reader for another file', async () => {
    const visitor = await reading(text());
    await visitor.page.locator('.reader-plain').waitFor();
    const sizes = await Promise.all(
      visitor.requests
        .filter((request) => !/\/content\?|\/reader-|favicon/.test(request.url()))
        .map(async (request) => {
          const response = await request.response();
          const isPage = request.resourceType() === 'document';
          // The local engine does not compress pages; a gateway in front of it does.
          return isPage
            ? gzipSync((await response?.body()) ?? '').length
            : (await request.sizes()).responseBodySize;
        }),
    );
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(60_000);
    expect(visitor.requests.filter((request) => /\/pdf/.test(request.url()))).toEqual([]);
    await visitor.close();
  });
});
