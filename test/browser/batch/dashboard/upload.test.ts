import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { jobs } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { joinEngine } from '../../../infra/local/engine/crowd.ts';
import { type SharedEngine, sharedEngine } from '../../../servers/shared-engine.ts';
import { click, describeInChromium, openBrowser } from '../../chromium.ts';
import { PHONE_IN_PORTUGUESE } from '../../look.ts';
import { operatorVisits } from './visits.ts';

describeInChromium('the upload page of the dashboard, in Chromium', () => {
  let engine: SharedEngine;
  let browser: Browser;
  let at: ReturnType<typeof operatorVisits>;

  beforeAll(async () => {
    [browser, engine] = await Promise.all([openBrowser(), sharedEngine()]);
    joinEngine(engine.dataDir);
    at = operatorVisits(browser, engine.url);
  }, 120_000);

  const fileOf = (name: string, bytes = 1_000) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(bytes, name),
  });
  const rowOf = (page: Page, name: string) => page.locator('#uploads li', { hasText: name });
  const send = (page: Page) => click(page.locator('#send'));
  const jobOf = async (page: Page, name: string) => {
    const href = await rowOf(page, name).getByRole('link').getAttribute('href');
    return jobs.get(href?.split('/').at(-1) ?? '');
  };

  test('sends several files and says in words why one is refused', async () => {
    const { page, seen, close } = await at.visit('upload', PHONE_IN_PORTUGUESE);
    const id = randomUUID().slice(0, 8);
    const names = [`<b>um-${id}.bin`, `dois-${id}.bin`, `vazio-${id}.bin`] as const;
    await page.setInputFiles('#files', [fileOf(names[0]), fileOf(names[1]), fileOf(names[2], 0)]);
    await at.look(page, 'upload-ready');
    // Hundreds of files stay in sight.
    expect((await rowOf(page, names[1]).boundingBox())?.height).toBeLessThan(70);
    await send(page);
    await rowOf(page, 'um-').getByText('Recebido').waitFor();
    await rowOf(page, names[1]).getByText('Recebido').waitFor();
    await rowOf(page, names[2]).getByText('O arquivo não foi enviado ou está vazio.').waitFor();
    expect((await jobOf(page, names[1]))?.fileName).toBe(names[1]);
    await page.setInputFiles('#files', [fileOf(names[1])]);
    await send(page);
    await rowOf(page, names[1])
      .last()
      .getByText(/já tem este nome|está com este arquivo/)
      .waitFor();
    await at.look(page, 'upload-sent');
    await click(rowOf(page, 'um-').getByRole('link'));
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(seen.outside).toEqual([]);
    await close();
  });

  test('puts a large file into the store by a link, with its progress, and follows its job', async () => {
    const { page, seen, close } = await at.visit('upload');
    await page.evaluate("document.getElementById('upload').dataset.maxFormBytes = '1000'");
    const shown = page.evaluate(`new Promise((resolve) => {
      const values = new Set();
      new MutationObserver(() => {
        const bar = document.querySelector('#uploads progress');
        if (bar && !bar.hidden) values.add(bar.value);
        if (bar?.value === 1) resolve([...values]);
      }).observe(document.getElementById('uploads'), { subtree: true, childList: true, attributes: true, characterData: true });
    })`) as Promise<number[]>;
    const name = `grande-${randomUUID()}.bin`;
    const put = page.waitForRequest((request) => request.method() === 'PUT');
    await page.setInputFiles('#files', [fileOf(name, 4_000_000)]);
    await send(page);
    expect((await put).url()).toContain('/presigned/');
    expect((await shown).at(-1)).toBe(1);
    await rowOf(page, name).getByText('Taken in').waitFor();
    expect((await jobOf(page, name))?.found?.length).toBe(4_000_000);
    // Until the job is there, the question for it is answered 404, which Chromium complains of.
    expect(seen.errors.filter((text) => !text.includes('404'))).toEqual([]);
    await close();
  });

  test('waits where uploads are too many, and loses none; a lost connection can be tried again', async () => {
    const { page, close } = await at.visit('upload');
    let calls = 0;
    let most = 0;
    let open = 0;
    await page.route(/\/api\/files\?/, async (route) => {
      calls += 1;
      if (calls === 2) return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, body: '{}' });
      if (calls === 3) return route.abort();
      open += 1;
      most = Math.max(most, open);
      await route.continue();
      open -= 1;
    });
    const id = randomUUID().slice(0, 8);
    const names = Array.from({ length: 6 }, (_, n) => `fila-${n}-${id}.bin`);
    await page.setInputFiles(
      '#files',
      names.map((name) => fileOf(name)),
    );
    await send(page);
    await page.getByText('the next is sent in 1 s').first().waitFor();
    await click(page.getByRole('button', { name: /Try again/ }));
    await page.getByText('6 of 6 files taken in').waitFor();
    expect([calls, most <= 3]).toEqual([8, true]);
    await close();
  });

  test('says that the session has ended, and goes on after the login', async () => {
    const { context, page, close } = await at.visit('upload');
    await context.request.post(`${engine.url}/batch/api/auth/logout`, { maxRedirects: 0 });
    const name = `sessao-${randomUUID()}.bin`;
    await page.setInputFiles('#files', [fileOf(name)]);
    await send(page);
    await rowOf(page, name).getByText('Your session has ended.').waitFor();
    await at.logIn(context);
    await click(page.getByRole('button', { name: /Try again/ }));
    await rowOf(page, name).getByText('Taken in').waitFor();
    await close();
  });

  test('says that it needs a script', async () => {
    const { page, close } = await at.visit('upload', { javaScriptEnabled: false });
    await page.locator('noscript p', { hasText: 'turn JavaScript on' }).waitFor();
    expect(await page.locator('#files').isVisible()).toBe(false);
    await close();
  });
});
