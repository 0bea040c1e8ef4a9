import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedEngine } from '../../servers/shared-engine.ts';
import { plainPdf } from '../../shared/signing/pades/documents.ts';
import { barriers, barriersInBothSchemes } from '../barriers.ts';
import {
  click,
  describeInChromium,
  openBrowserWithCamera,
  openPageAt,
  takePicture,
  watch,
} from '../chromium.ts';
import { acts } from '../pki/bio/visitor.ts';
import { type Platform, platformOf } from '../platform.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: 'dark' } as const;
const HERE = { latitude: -23.550521, longitude: -46.633309, accuracy: 12.3 };

describeInChromium('an electronic signature in Chromium', () => {
  let url: string;
  let browser: Browser;
  let platform: Platform;
  beforeAll(async () => {
    const [opened, engine] = await Promise.all([openBrowserWithCamera('allowed'), sharedEngine()]);
    [url, browser, platform] = [engine.url, opened, platformOf(engine)];
  });
  afterAll(() => browser?.close());

  /** A document of the sandbox that asks somebody for this factor, and the link that an application gives them. */
  async function asking(factor: object) {
    const emailAddress = `rita-${randomUUID()}@sandbox.example`;
    const user = { name: 'Rita Prado', identifier: null, emailAddress };
    const file = {
      ...{ bytes: new Uint8Array(await plainPdf('table')), name: 'Contrato.pdf', type: 'application/pdf' },
    };
    const id = await platform.document(file, [
      { type: 'Signer', allowElectronicSignature: true, user, ...factor },
    ]);
    return { id, link: (await platform.links(id, { emailAddress })).url };
  }
  const looked = async (page: Page, name: string, find = barriers) => {
    expect([name, await find(page)]).toEqual([name, []]);
    await takePicture(page, `electronic-${name}`);
  };
  const electronic = (page: Page) => page.locator('#electronic');
  const evidenceOf = async (id: string) => (await platform.signatures(id)).signers[0]?.evidences;

  test('by a code of an app that is set up here, with a name as image and a location, and found by its code', async () => {
    const { id, link } = await asking({ requireAuthenticatorAppToSignElectronically: true });
    const page = await openPageAt(browser, link, { permissions: ['geolocation'], geolocation: HERE });
    const seen = watch(page, url);
    await looked(page, 'app');
    await click(page.getByRole('button', { name: 'Set up the app' }));
    const secret = (await electronic(page).locator('code').textContent()) ?? '';
    await page.fill('#typed-name', 'Rita Prado');
    await page.getByRole('checkbox', { name: 'Record where I am, too' }).check();
    const status = page.locator('#location-status');
    await expect.poll(() => status.textContent()).toContain('-23.55052, -46.63331, within 13 m');
    await looked(page, 'app-secret', barriersInBothSchemes);
    await page.fill('#appCode', '000000');
    await page.getByRole('checkbox', { name: 'I have read the document' }).check();
    await click(page.getByRole('button', { name: 'Sign the document' }));
    expect(await page.getByRole('alert').first().textContent()).toContain('5 attempts are left');

    // What was ticked and typed stays, and the code is typed again.
    const where = page.getByRole('checkbox', { name: 'Record where I am, too' });
    const agreed = page.getByRole('checkbox', { name: 'I have read the document' });
    expect([await where.isChecked(), await agreed.isChecked()]).toEqual([true, true]);
    expect([await page.inputValue('#typed-name'), await page.inputValue('#appCode')]).toEqual([
      'Rita Prado',
      '',
    ]);
    expect(await status.textContent()).toContain('within 13 m');
    await page.fill('#appCode', new TOTP({ secret: Secret.fromBase32(secret) }).generate());
    await click(page.getByRole('button', { name: 'Sign the document' }));
    await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
    await expect.poll(async () => (await platform.read(id)).status).toBe('Concluded');
    expect(await evidenceOf(id)).toMatchObject({
      authenticationTypes: ['Application', 'AuthenticatorApp'],
      geolocation: { latitude: -23.55052, longitude: -46.63331, accuracy: 13 },
    });

    const { key } = await platform.signatures(id);
    await page.goto(`${url}/documents/verification?code=${key}`);
    const card = page.locator('.card.electronic');
    await card.waitFor();
    await looked(page, 'by-code');
    const text = (await card.textContent()) ?? '';
    expect(text).toContain('Rita Prado');
    expect(text).toContain('Simple electronic signature (Lei 14.063/2020, art. 4, I)');
    expect(text).not.toContain('Certificate');
    // The only signature of the file is the seal.
    const signatures = page.locator('.card.signature:not(.electronic)');
    expect([await signatures.count(), await signatures.textContent()]).toEqual([
      1,
      expect.stringContaining('11.222.333/0001-81'),
    ]);
    expect(await page.content()).not.toContain('-23.55');
    expect(seen).toEqual({ outside: [], errors: [] });
    await page.context().close();
  });

  test('by the face, on a phone in Portuguese, and without the location that the browser does not give', async () => {
    const { id, link } = await asking({ requireLivenessAuthenticationToSignElectronically: true });
    const page = await openPageAt(browser, link, { ...PHONE, locale: 'pt-BR' });
    const seen = watch(page, url);
    await looked(page, 'face');
    await click(page.getByRole('button', { name: 'Abrir a câmera' }));
    const person = acts(page);
    await person.lookIntoCamera();
    await person.attempt();
    await page.waitForURL(/\/document\/key\/[^/]+\/action\?/);
    const where = page.getByRole('checkbox', { name: 'Registrar também onde estou' });
    // It is refused at once, so the box is not seen ticked.
    await where.click();
    await expect.poll(() => page.locator('#location-status').textContent()).toContain('assinar sem ela');
    expect(await where.isChecked()).toBe(false);
    await looked(page, 'face-passed');
    await page.getByRole('checkbox', { name: 'Li o documento' }).check();
    await click(page.getByRole('button', { name: 'Assinar o documento' }));
    await page.getByRole('heading', { name: 'Você assinou este documento' }).waitFor();
    expect(await evidenceOf(id)).toMatchObject({
      authenticationTypes: ['Application', 'Liveness'],
      livenessData: { sessionId: expect.stringMatching(/^[\da-f-]{36}$/) },
      geolocation: null,
    });
    expect(seen).toEqual({ outside: [], errors: [] });
    await page.context().close();
  });

  test('on a phone a wrong code keeps what was drawn, in sight of what is wrong, and a tab that is loaded again costs no attempt', async () => {
    const { id, link } = await asking({ requireAuthenticatorAppToSignElectronically: true });
    const page = await openPageAt(browser, link, { ...PHONE, locale: 'pt-BR' });
    const seen = watch(page, url);
    await click(page.getByRole('button', { name: 'Configurar o aplicativo' }));
    const secret = (await electronic(page).locator('code').textContent()) ?? '';
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    const canvas = page.locator('canvas[role=img]');
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    const { x = 0, y = 0 } = box ?? {};
    await page.mouse.move(x + 20, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + 120, y + 60, { steps: 5 });
    await page.mouse.up();
    const inked = (): Promise<number> =>
      page.evaluate(
        `document.querySelector('canvas[role=img]').getContext('2d').getImageData(0, 0, 600, 200).data.filter((value, at) => at % 4 === 3 && value > 0).length`,
      );
    const before = await inked();
    expect(before).toBeGreaterThan(100);
    await page.getByRole('checkbox', { name: 'Li o documento' }).check();
    await page.fill('#appCode', '000000');
    await click(page.getByRole('button', { name: 'Assinar o documento' }));
    const alert = page.locator('#electronic [role=alert]');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('Restam 5 tentativas');
    expect(await inked()).toBe(before);
    expect(await page.getByRole('checkbox', { name: 'Li o documento' }).isChecked()).toBe(true);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('appCode');
    const within = await alert.boundingBox();
    expect(within && within.y >= 0 && within.y + within.height <= PHONE.viewport.height).toBe(true);
    await looked(page, 'wrong-code');

    // As a telephone does with a tab that it has dropped.
    await page.reload();
    expect(await alert.textContent()).toContain('Restam 5 tentativas');
    await page.fill('#appCode', code());
    await page.getByRole('checkbox', { name: 'Li o documento' }).check();
    await click(page.getByRole('button', { name: 'Assinar o documento' }));
    await page.getByRole('heading', { name: 'Você assinou este documento' }).waitFor();
    await expect.poll(async () => (await platform.read(id)).status).toBe('Concluded');
    expect(seen).toEqual({ outside: [], errors: [] });
    await page.context().close();
  });
});
