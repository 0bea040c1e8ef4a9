import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { sharedEngine } from '../../servers/shared-engine.ts';
import { barriers, barriersInBothSchemes } from '../barriers.ts';
import { describeInChromium, openBrowser, openPageAt, takePicture, watch } from '../chromium.ts';
import { pdf } from './action-page/files.ts';

type Mark = { readonly pageNumber: number; readonly topLeftX: number; readonly topLeftY: number } & Record<
  'width' | 'height',
  number
>;

describeInChromium('the page that places marks, in Chromium', () => {
  let browser: Browser;
  let url: string;
  beforeAll(async () => {
    const [opened, engine] = await Promise.all([openBrowser(), sharedEngine()]);
    browser = opened;
    url = engine.url;
  }, 120_000);

  const headers = { 'x-api-key': SANDBOX_KEY };
  const ask = async <T>(path: string, body?: FormData | object): Promise<T> => {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${url}/documents/api/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { ...headers, ...(!isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as T;
  };

  async function session(prePositionedMarks: readonly object[] = []) {
    const { bytes, name, type } = await pdf();
    const form = new FormData();
    form.set('file', new Blob([bytes], { type }), name);
    const { id: upload } = await ask<{ id: string }>('uploads', form);
    const made = await ask<{ id: string; embedUrl: string }>('marks-sessions', {
      files: [{ id: upload }],
      flowActions: [
        {
          type: 'Signer',
          user: { name: 'Ana Souza' },
          signatureInitialsMode: 'Optional',
          prePositionedMarks,
        },
        { type: 'Approver', user: { name: '<b>Bruno</b> Lima' } },
      ],
    });
    const marks = async (): Promise<Mark[][]> => {
      type Read = { data: { flowActions: { prePositionedMarks: Mark[] }[] } };
      const { data } = await ask<Read>(`marks-sessions/${made.id}`);
      return data.flowActions.map((action) => action.prePositionedMarks);
    };
    return { ...made, marks };
  }

  const save = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Save the marks' }).click();
    await page.getByText('The marks are saved.').waitFor();
  };
  const placed = (page: Page): Locator => page.locator('.placed');

  /** Drags with the mouse, from the middle of one thing by so much, or to a point. */
  async function drag(
    page: Page,
    from: { x: number; y: number },
    to: { x: number; y: number },
  ): Promise<void> {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
    await page.mouse.move(to.x, to.y);
    await page.mouse.up();
  }
  const boxOf = async (what: Locator) => (await what.boundingBox()) ?? expect.fail('It is not shown.');
  const middleOf = async (what: Locator) => {
    const { x, y, width, height } = await boxOf(what);
    return { x: x + width / 2, y: y + height / 2 };
  };

  test('a mark is dragged onto a page, moved, resized, copied to all pages and saved', async () => {
    const { embedUrl, marks } = await session();
    const page = await openPageAt(browser, embedUrl);
    const seen = watch(page, url);
    await page.locator('.reader-page canvas').first().waitFor();
    const sheet = await boxOf(page.locator('.reader-page').first());
    const ana = page.getByRole('button', { name: 'Signature: Ana Souza' });
    await drag(page, await middleOf(ana), { x: sheet.x + sheet.width / 2, y: sheet.y + 150 });
    await placed(page).waitFor();
    const before = await boxOf(placed(page));
    // The middle of the mark is where the pointer was.
    expect(before.x + before.width / 2).toBeCloseTo(sheet.x + sheet.width / 2, -0.5);
    const at = await middleOf(placed(page));
    await drag(page, at, { x: at.x - 60, y: at.y + 40 });
    const moved = await boxOf(placed(page));
    expect([moved.x - before.x, moved.y - before.y].map(Math.round)).toEqual([-60, 40]);
    const corner = { x: moved.x + moved.width - 4, y: moved.y + moved.height - 4 };
    await drag(page, corner, { x: corner.x + 50, y: corner.y + 20 });
    const resized = await boxOf(placed(page));
    expect(Math.round(resized.width - moved.width)).toBe(50);
    await page.getByRole('button', { name: 'Copy to all pages: Signature: Ana Souza, page 1' }).click();
    const pages = await page.locator('.reader-page').count();
    await expect.poll(() => placed(page).count()).toBe(pages);
    await takePicture(page, 'marks-desktop');
    expect(await barriers(page)).toEqual([]);
    await save(page);
    const [ofAna = [], ofBruno] = await marks();
    expect(ofAna.map(({ pageNumber }) => pageNumber)).toEqual(Array.from({ length: pages }, (_, n) => n + 1));
    expect(ofBruno).toEqual([]);
    expect(ofAna[0]?.width).toBeGreaterThan(180);
    expect(seen).toEqual({ outside: [], errors: [] });
    await page.context().close();
  }, 60_000);

  test('by keyboard alone: placed, moved, resized, taken to another page and deleted, and each is announced', async () => {
    const given = { page: 1, x: 72, y: 72, width: 180, height: 60 };
    const { embedUrl, marks } = await session([given]);
    const page = await openPageAt(browser, embedUrl, {
      locale: 'en-US',
      viewport: { width: 1280, height: 900 },
    });
    const status = page.locator('.placing-panel [role=status]');
    await placed(page).waitFor();
    const top = Number(
      (await page.locator('.reader-page').first().getAttribute('style'))?.match(/--height: ([\d.]+)/)?.[1],
    );
    await page.getByRole('button', { name: 'Initials: Ana Souza' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => placed(page).count()).toBe(2);
    // The new mark has the focus.
    for (const key of ['ArrowRight', 'Shift+ArrowDown', 'PageDown']) await page.keyboard.press(key);
    await expect.poll(() => status.textContent()).toMatch(/^Page 2, /);
    await page.locator('.placed').first().focus();
    await page.keyboard.press('Alt+ArrowLeft');
    await expect
      .poll(() => status.textContent())
      .toBe(`Page 1, 71 points from the left, ${Math.round(top - 132)} from the top.`);
    await save(page);
    const [ofAna = []] = await marks();
    expect(ofAna.map(({ pageNumber, topLeftX, height }) => [pageNumber, topLeftX, height])).toEqual([
      [1, 71, 60],
      [2, expect.any(Number), 40],
    ]);
    await page.locator('.placed').first().focus();
    await page.keyboard.press('Delete');
    await expect.poll(() => status.textContent()).toBe('The mark was removed.');
    expect(await placed(page).count()).toBe(1);
    await page.context().close();
  }, 60_000);

  test('on a phone in Portuguese, a finger places it, and nothing is wider than the screen', async () => {
    const { embedUrl, marks } = await session();
    const page = await openPageAt(browser, embedUrl, {
      ...{ locale: 'pt-BR', viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
      colorScheme: 'dark',
    });
    await page.locator('.reader-page canvas').first().waitFor();
    await page.getByRole('button', { name: 'Aprovação: <b>Bruno</b> Lima' }).tap();
    await placed(page).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await takePicture(page, 'marks-phone-dark');
    expect(await barriersInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Salvar as marcas' }).tap();
    await page.getByText('As marcas foram salvas.').waitFor();
    expect((await marks()).map(({ length }) => length)).toEqual([0, 1]);
    await page.context().close();
  }, 60_000);

  test('the page around the frame is told that the marks are placed', async () => {
    const { id, embedUrl } = await session();
    const text = `<!doctype html><title>x</title><link rel="icon" href="data:,"><div id="here" style="height: 800px"></div>
<script type="module">import { openSigning } from '${url}/documents/embed.js';
window.told = [];
openSigning('${embedUrl}', { container: document.querySelector('#here'), onEvent: (event) => told.push(event) });</script>`;
    const site = createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(text),
    );
    await new Promise<void>((ready) => site.listen(0, 'localhost', ready));
    const page = await openPageAt(browser, `http://localhost:${(site.address() as AddressInfo).port}`);
    await page.frameLocator('iframe').getByRole('button', { name: 'Save the marks' }).click();
    await expect
      .poll(() => page.evaluate('told'))
      .toEqual([
        { type: 'ready', sessionId: id },
        { type: 'placed', sessionId: id },
      ]);
    await page.context().close();
    site.close();
  }, 60_000);
});
