import type { Browser, BrowserContextOptions } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedEngine } from '../../servers/shared-engine.ts';
import { barriers, barriersInBothSchemes } from '../barriers.ts';
import { describeInChromium, openBrowser, openPageAt, takePicture, watch } from '../chromium.ts';
import { platformOf } from '../platform.ts';
import { ANA, approver, pdf, signerOf } from './action-page/files.ts';
import { type Place, visit } from './action-page/visitor.ts';

const PHONE: BrowserContextOptions = {
  ...{ viewport: { width: 390, height: 844 }, locale: 'pt-BR', colorScheme: 'dark' },
};

describeInChromium('after a signature, in Chromium', () => {
  let browser: Browser;
  let place: Place;
  beforeAll(async () => {
    const [opened, engine] = await Promise.all([openBrowser(), sharedEngine()]);
    browser = opened;
    place = { url: engine.url, browser, platform: platformOf(engine) };
  }, 120_000);

  test('a person is led from their signature to the page that verifies it', async () => {
    const { platform, url } = place;
    const id = await platform.document(await pdf(), [signerOf(ANA), approver('Eva', { step: 2 })]);
    const { url: link } = await platform.links(id, { identifier: ANA });
    const person = await visit(place, link, PHONE);
    await person.chooseCertificate(platform.holderFile(ANA), '1234');
    await person.submit();
    expect(await person.outcome()).toBe('Você assinou este documento');
    expect(await barriersInBothSchemes(person.page)).toEqual([]);
    await takePicture(person.page, 'signed-phone');
    const [verification] = await Promise.all([
      person.page.waitForEvent('popup'),
      person.page.getByRole('link', { name: 'Verificar as assinaturas' }).click(),
    ]);
    const seen = watch(verification, url);
    await verification.locator('body[aria-busy=false] .result').first().waitFor();
    const titles = await verification.locator('.result h2').allTextContents();
    expect(titles).toEqual([
      'O documento ainda não está completo',
      expect.stringMatching(/assinatura é válida/),
    ]);
    expect(await verification.locator('.signature.valid').count()).toBe(1);
    expect(await verification.locator('main').textContent()).toContain('***.982.247-**');
    // The document is not complete: nobody gets the file by its code yet.
    expect(await verification.locator('a[download]').count()).toBe(0);
    expect(await barriers(verification)).toEqual([]);
    await takePicture(verification, 'code-phone');
    expect([seen.outside, seen.errors]).toEqual([[], []]);
    await person.close();
  }, 60_000);

  describe('the page for codes', () => {
    test('takes what somebody types from paper, and keeps it in the other language', async () => {
      const id = await place.platform.document(await pdf(), [signerOf(ANA)]);
      const { key } = (await place.platform.read(id)) as unknown as { key: string };
      const page = await openPageAt(browser, `${place.url}/documents/verification`);
      await page.getByLabel('Verification code').fill(` ${key.toLowerCase()} `);
      await page.keyboard.press('Enter');
      const title = page.locator('.result h2');
      await title.waitFor();
      expect(await title.textContent()).toBe('The document is not complete yet');
      await page.getByLabel('Verification code').fill('00000-00000-00000-00000');
      await page.keyboard.press('Enter');
      await page.getByText('No document has this code.').waitFor();
      await page.goto(`${place.url}/documents/verification?code=${key}`);
      await page.getByRole('link', { name: 'Português' }).click();
      await page.getByText('O documento ainda não está completo').waitFor();
      await page.context().close();
    });
  });
});
