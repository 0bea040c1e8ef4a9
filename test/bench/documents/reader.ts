import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../browser/chromium.ts';
import { ANA, signerOf } from '../../browser/documents/action-page/files.ts';
import { largePdf } from '../../browser/documents/reader/pdfs.ts';
import { platformOf } from '../../browser/platform.ts';
import { cleanUp, startEngineProcess } from '../../infra/local/engine/engine-process.ts';
import { type Figure, median } from '../measure/figures.ts';

const PAGES = 300;
const FILE_BYTES = 10_000_000;
const ROUNDS = 3;
// A phone's connection. Without a limit both would measure the processor.
const CONNECTION = {
  offline: false,
  latency: 50,
  downloadThroughput: 2_000_000,
  uploadThroughput: 2_000_000,
};

/** The first page of a large PDF at the signing page, nothing of it in a cache, against fetching the file alone. */
export async function figures(): Promise<Figure[]> {
  const engine = await startEngineProcess({ env: { Log__Level: 'ERROR' } });
  await engine.ready();
  const browser = await openBrowser();
  try {
    const platform = platformOf(engine);
    const file = {
      bytes: await largePdf(PAGES, FILE_BYTES),
      name: 'large.pdf',
      type: 'application/pdf',
    };
    const id = await platform.document(file, [signerOf(ANA)]);
    const { url } = await platform.links(id, { identifier: ANA });
    const [shown, fetched]: number[][] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      shown?.push(await msUntilShown(browser, url));
      fetched?.push(await msOfFetch(browser, url));
    }
    const [reader = 0, alone = 0] = [shown, fetched].map((times = []) => median(times));
    return [
      {
        name: `the first page of a PDF of ${PAGES} pages and 10 MB, from its link on, against fetching the file alone`,
        ratio: reader / alone,
        promised: { atMost: 1.5 },
        detail: `${(reader / 1000).toFixed(1)} and ${(alone / 1000).toFixed(1)} s at 16 Mbit/s`,
      },
    ];
  } finally {
    await browser.close();
    await cleanUp();
  }
}

async function onConnection<T>(browser: Browser, act: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.emulateNetworkConditions', CONNECTION);
  try {
    return await act(page);
  } finally {
    await context.close();
  }
}

const msUntilShown = (browser: Browser, url: string): Promise<number> =>
  onConnection(browser, async (page) => {
    const startedAt = performance.now();
    await page.goto(url);
    await page.locator('[data-page="1"] canvas').waitFor({ timeout: 120_000 });
    return performance.now() - startedAt;
  });

/** From a page of the same host, whose policy allows it. */
const msOfFetch = (browser: Browser, url: string): Promise<number> =>
  onConnection(browser, async (page) => {
    const content = url.replace('/document/key/', '/api/documents/keys/').replace('/action?', '/content?');
    await page.goto(`${new URL(url).origin}/documents/verification`);
    const startedAt = performance.now();
    await page.evaluate(`fetch(${JSON.stringify(content)}).then((answer) => answer.arrayBuffer())`);
    return performance.now() - startedAt;
  });
