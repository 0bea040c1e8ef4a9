import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../infra/local/engine/ports.ts';
import { registerValue, unregisterValue } from '../../../shared/access/administration.ts';
import { certificatesFromPem } from '../../../shared/pki/pem.ts';
import { joinEngine } from '../../infra/local/engine/crowd.ts';
import { type SharedEngine, sharedEngine } from '../../servers/shared-engine.ts';
import { type Judges, missingTools, openJudges } from '../../shared/signing/pades/judges.ts';
import { click, describeInChromiumWith, openBrowser, takePicture } from '../chromium.ts';

const CONTRACT = 'examples/two-signers/contract.pdf';
const hasTools = missingTools().length === 0;

describeInChromiumWith(hasTools)('the example that signs with a cloud certificate, in Chromium', () => {
  let engine: SharedEngine;
  let browser: Browser;
  let judges: Judges;
  let app: ChildProcess;
  let url: string;

  beforeAll(async () => {
    [browser, engine] = await Promise.all([openBrowser(), sharedEngine()]);
    const pki = join(engine.dataDir, 'pki');
    const [root] = certificatesFromPem(readFileSync(join(pki, 'root.crt'), 'utf8'));
    if (!root) throw new Error('The engine has written no root.');
    judges = openJudges(root, '-no-ocsp');

    const port = await freePort();
    url = `http://localhost:${port}`;
    joinEngine(engine.dataDir);
    await registerValue('hub', 'sandbox', 'redirectUris', `${url}/return`);
    const given = {
      PORT: String(port),
      HUB_URL: `${engine.url}/hub`,
      CHAIN: join(pki, 'intermediate.crt'),
    };
    app = spawn(process.execPath, ['--conditions=sinete-source', 'examples/cloud-signature/main.ts'], {
      env: { ...process.env, ...given },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (app.stdout) await once(app.stdout, 'data');
  }, 120_000);

  afterAll(async () => {
    app?.kill();
    judges?.close();
    await unregisterValue('hub', 'sandbox', 'redirectUris', `${url}/return`);
  });

  async function begin(page: Page, identifier: string): Promise<void> {
    await page.goto(url);
    await page.setInputFiles('#file', CONTRACT);
    await page.fill('#identifier', identifier);
    await click(page.getByRole('button', { name: 'Find my certificate' }));
    await page.getByRole('heading', { name: 'Where is your certificate?' }).waitFor();
  }
  const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();
  const opened = async () => (await browser.newContext({ locale: 'en-US' })).newPage();

  test.each([
    ['a person', '52998224725', 'Alpha Certificates (alpha)'],
    ['a company', '11222333000181', 'Beta Trust Services (beta)'],
  ])('gives %s a PDF that pdfsig calls valid and trusted', async (_, identifier, provider) => {
    const page = await opened();
    await begin(page, identifier);
    expect(await page.getByRole('link').allTextContents()).toEqual([provider]);
    await click(page.getByRole('link', { name: provider }));
    await click(page.getByRole('button', { name: 'Allow', exact: true }));
    await page.waitForURL(/\/documents\//);
    expect(await page.getByRole('main').textContent()).toContain(`SANDBOX HOLDER ${identifier}`);
    await takePicture(page, `cloud-signature-${identifier}`);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link').first().click(),
    ]);
    const signed = readFileSync(await download.path());
    expect(signed.subarray(0, readFileSync(CONTRACT).length)).toEqual(readFileSync(CONTRACT));
    expect(judges.judge(signed)).toEqual({
      signatures: ['Signature is Valid.'],
      certificates: ['Certificate is Trusted.'],
      coverage: ['Total document signed'],
      complaints: '',
    });
    await page.context().close();
  });

  test('signs nothing for a holder who does not allow it', async () => {
    const page = await opened();
    await begin(page, '529.982.247-25');
    await click(page.getByRole('link'));
    await click(page.getByRole('button', { name: 'Do not allow' }));
    await page.waitForURL(/\/return\?/);
    expect(await heading(page)).toBe('It was not signed');
    expect(await page.getByRole('alert').textContent()).toBe('The use of the certificate was not allowed.');
    await page.goto(`${url}/return?error=provider_error`);
    expect(await page.getByRole('alert').textContent()).toContain('The provider failed.');
    await page.context().close();
  });

  // The link that one browser was sent to is opened, and allowed, in another.
  test('signs nothing in a browser that gave no document', async () => {
    const [one, other] = [await opened(), await opened()];
    await begin(one, '52998224725');
    await other.goto((await one.getByRole('link').getAttribute('href')) ?? '');
    await click(other.getByRole('button', { name: 'Allow', exact: true }));
    await other.waitForURL(/\/return\?session=/);
    expect(await heading(other)).toBe('It was not signed');
    await one.context().close();
    await other.context().close();
  });

  test('says so where no provider keeps a certificate, and where the number is none', async () => {
    const page = await opened();
    await begin(page, '20406080100');
    expect(await page.getByRole('main').textContent()).toContain('No provider keeps a certificate');
    await page.goto(url);
    await page.setInputFiles('#file', CONTRACT);
    await page.fill('#identifier', '<b>1</b>');
    await click(page.getByRole('button', { name: 'Find my certificate' }));
    await page.getByRole('alert').waitFor();
    expect(await heading(page)).toBe('It was not signed');
    await page.context().close();
  });
});
