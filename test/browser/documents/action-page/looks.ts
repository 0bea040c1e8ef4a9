import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { barriers, barriersInBothSchemes } from '../../barriers.ts';
import { takePicture } from '../../chromium.ts';
import { expectFits, PHONE_IN_PORTUGUESE } from '../../look.ts';
import { ANA, approver, pdf, RUI, signerOf, text } from './files.ts';
import { type Place, visit } from './visitor.ts';

/** How the page looks, to whom, and where. */
export function looks(place: () => Place): void {
  const linkTo = async (
    flow: object[] = [signerOf(ANA), approver('Eva'), signerOf(RUI, { step: 2 })],
    file = pdf,
  ) => {
    const { platform } = place();
    const id = await platform.document(await file(), flow, {
      description: 'Leia o anexo B antes de assinar.',
      expirationDate: '2099-01-31',
    });
    return platform.links(id, { identifier: ANA });
  };

  test('has no barrier that axe finds', async () => {
    const { url } = await linkTo();
    const visitor = await visit(place(), url, { locale: 'pt-BR' });
    const { page } = visitor;
    expect(await barriersInBothSchemes(page)).toEqual([]);
    await takePicture(page, 'action');
    await visitor.chooseCertificate(place().platform.holderFile(ANA), '9999');
    await visitor.submit();
    await visitor.problem();
    await page.click('#refuse-open');
    expect(await barriers(page)).toEqual([]);
    await page.click('#refuse-close');
    await page.fill('#password', '1234');
    await visitor.submit();
    await visitor.outcome();
    await visitor.close();
  });

  test('has none either where a link opens nothing', async () => {
    const visitor = await visit(place(), `${place().url}/documents/document/key/x/action?ticket=x`);
    expect(visitor.status).toBe(404);
    expect(await barriers(visitor.page)).toEqual([]);
    await visitor.close();
  });

  test('fits a phone without scrolling sideways', async () => {
    const { url } = await linkTo([signerOf(ANA, { title: 'x'.repeat(120) })], async () => ({
      ...text(),
      name: `${'muito-longo-'.repeat(15)}.txt`,
    }));
    const visitor = await visit(place(), url, PHONE_IN_PORTUGUESE);
    await expectFits(visitor.page, 'action', [320, 768]);
    await takePicture(visitor.page, 'action-phone');
    await visitor.close();
  });

  test('can be walked through and acted on with the keyboard alone', async () => {
    const visitor = await visit(place(), (await linkTo([signerOf(ANA)], async () => text())).url);
    const { page } = visitor;
    await page.setInputFiles('#certificate', place().platform.holderFile(ANA));
    await page.focus('#certificate');
    await page.keyboard.press('Tab');
    await page.keyboard.type('1234');
    await page.keyboard.press('Enter');
    expect(await visitor.outcome()).toBe('You signed this document');
    await visitor.close();
  });

  test('can be read without scripts, and says what they are needed for', async () => {
    const { url } = await linkTo();
    const visitor = await visit(place(), url, { javaScriptEnabled: false });
    const { page } = visitor;
    await page.getByRole('heading', { level: 1, name: 'Contrato' }).waitFor();
    await page.locator('noscript .note').waitFor();
    expect(await page.getByRole('link', { name: 'Download the document' }).isVisible()).toBe(true);
    expect(await page.locator('#password').isVisible()).toBe(false);
    await visitor.close();
  });

  test('is not shown in a frame of another site', async () => {
    // Other ports of localhost may show the one for frames, on the local stage.
    const links = await linkTo();
    const frames = [links.url, links.embedUrl].map((src) => `<iframe src="${src}"></iframe>`).join('');
    const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(frames));
    await new Promise<void>((ready) => site.listen(0, '127.0.0.2', ready));
    const page = await place().browser.newPage();
    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    await page.goto(`http://127.0.0.2:${(site.address() as AddressInfo).port}`);
    expect(refused.filter((message) => message.includes('frame-ancestors'))).toHaveLength(2);
    await page.close();
    site.close();
  });
}
