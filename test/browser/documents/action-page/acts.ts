import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { writePkcs12 } from '../../../../shared/pki/pkcs12/write.ts';
import { createJudge } from '../../../../shared/pki/verdict/verdict.ts';
import { verifyPdf } from '../../../../shared/signing/pades/verify/verify-pdf.ts';
import { testKey } from '../../../certificates/pki.ts';
import { click } from '../../chromium.ts';
import { tracesOf } from '../../platform.ts';
import { ANA, approver, pdf, RUI, signerOf, text, xml } from './files.ts';
import { type Place, visit } from './visitor.ts';

const PIN = '1234';

async function downloaded(page: Page): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('.closed a.button')]);
  return { name: download.suggestedFilename(), bytes: await buffer(await download.createReadStream()) };
}

/** What a person does at the page when all goes well. */
export function acts(place: () => Place): void {
  describe('signing', () => {
    test('a PDF, and taking it home', async () => {
      const { platform } = place();
      const id = await platform.document(await pdf(), [signerOf(ANA), signerOf(RUI)]);
      const { url } = await platform.links(id, { identifier: ANA });
      const visitor = await visit(place(), url, { locale: 'pt-BR' });
      const { page } = visitor;
      await visitor.chooseCertificate(platform.holderFile(ANA), PIN);
      await click(page.getByRole('button', { name: 'Assinar o documento' }));
      expect(await visitor.outcome()).toBe('Você assinou este documento');
      expect(await page.evaluate('document.activeElement.id')).toBe('closed');
      expect((await platform.read(id)).flowActions.map(({ status }) => status)).toEqual([
        'Completed',
        'Pending',
      ]);

      await page.getByRole('link', { name: 'Baixar o arquivo assinado' }).waitFor();
      const { name, bytes } = await downloaded(page);
      expect(name).toBe('Contrato-signed.pdf');
      const judge = createJudge({
        anchors: (await platform.holder(ANA)).chain.slice(-1),
        revocation: 'skip',
      });
      const { signatures } = await verifyPdf(bytes, { judge, atMs: Date.now() });
      expect(signatures).toHaveLength(1);
      expect(visitor.seen).toEqual({ outside: [], errors: [] });
      await visitor.close();
    });

    test('XML, as XAdES, with a file that has a P-384 key', async () => {
      const { platform } = place();
      const id = await platform.document(xml(), [signerOf(ANA)]);
      const visitor = await visit(place(), (await platform.links(id, { identifier: ANA })).url);
      // pkcs12.test.ts opens files of every other kind.
      const file = await writePkcs12(await platform.certified(testKey('p384', 'ec'), ANA), PIN, 10);
      await visitor.chooseCertificate(
        { name: 'ana.pfx', mimeType: 'application/x-pkcs12', buffer: file },
        PIN,
      );
      expect(await visitor.page.locator('.chosen').textContent()).toBe('ana.pfx');
      await visitor.submit();
      expect(await visitor.outcome()).toBe('You signed this document');
      expect((await downloaded(visitor.page)).name).toBe('Nota-signed.xml');
      expect(visitor.seen).toEqual({ outside: [], errors: [] });
      await visitor.close();
    });

    test('sends the certificate and the signature, and nothing of the key, its file or its password', async () => {
      const { platform } = place();
      const password = 'a Senha-çã do Arquivo 99';
      const holder = await platform.holder(ANA);
      const file = await writePkcs12(holder, password, 10);
      const id = await platform.document(text(), [signerOf(ANA)]);
      const visitor = await visit(place(), (await platform.links(id, { identifier: ANA })).url);
      await visitor.chooseCertificate(
        { name: 'ana.p12', mimeType: 'application/x-pkcs12', buffer: file },
        password,
      );
      await visitor.submit();
      await visitor.outcome();

      const bodies = visitor.requests.map((request) => `${request.url()} ${request.postData() ?? ''}`);
      const [started, completed, ...others] = visitor.requests.filter(
        (request) => request.method() !== 'GET',
      );
      // What else waits for them is asked with the token of this signature, which is used up.
      expect(others.map((request) => new URL(request.url()).pathname.split('/').at(-1))).toEqual(['others']);
      expect(Object.keys(started?.postDataJSON()).toSorted()).toEqual([
        'certificate',
        'flowActionId',
        'ticket',
      ]);
      expect(Object.keys(completed?.postDataJSON()).toSorted()).toEqual(['signature', 'ticket', 'token']);
      const secrets = [password, encodeURIComponent(password), file.toString('base64').slice(200, 240)];
      for (const secret of [...secrets, ...tracesOf(holder.privateKey)]) {
        expect(secret.length).toBeGreaterThan(10);
        expect(bodies.filter((body) => body.includes(secret))).toEqual([]);
      }
      expect(
        await visitor.page.evaluate(
          'JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])',
        ),
      ).toBe('[{},{},""]');
      await visitor.close();
    });

    test('a text, as CAdES, twice by two clicks is signing once', async () => {
      const { platform } = place();
      const id = await platform.document(text(), [signerOf(ANA)]);
      const visitor = await visit(place(), (await platform.links(id, { identifier: ANA })).url);
      await visitor.chooseCertificate(platform.holderFile(ANA), PIN);
      await visitor.page.evaluate(`
        const form = document.querySelector('#sign');
        for (let i = 0; i < 3; i++) form.requestSubmit();
      `);
      expect(await visitor.outcome()).toBe('You signed this document');
      expect([visitor.starts().length, visitor.completions().length]).toEqual([1, 1]);
      expect((await downloaded(visitor.page)).name).toBe('Nota.txt.p7s');
      await visitor.close();
    });
  });

  describe('without a certificate', () => {
    test('approving', async () => {
      const { platform } = place();
      const id = await platform.document(text(), [approver('Eva')]);
      const { url } = await platform.links(id, { emailAddress: 'eva@example.com' });
      const visitor = await visit(place(), url, { locale: 'pt-BR' });
      await click(visitor.page.getByRole('button', { name: 'Aprovar o documento' }));
      expect(await visitor.outcome()).toBe('Você aprovou este documento');
      expect((await platform.read(id)).flowActions).toMatchObject([{ status: 'Completed' }]);
      expect(visitor.seen).toEqual({ outside: [], errors: [] });
      await visitor.close();
    });

    test('refusing with a reason and not without; turning back leaves everything as it was', async () => {
      const { platform } = place();
      const id = await platform.document(text(), [signerOf(ANA)]);
      const visitor = await visit(place(), (await platform.links(id, { identifier: ANA })).url);
      const { page } = visitor;
      const dialog = page.getByRole('dialog');
      await click(page.getByRole('button', { name: 'Refuse…' }));
      await click(dialog.getByRole('button', { name: 'Go back' }));
      expect(await page.locator('dialog').isVisible()).toBe(false);
      expect(await platform.read(id)).toMatchObject({ status: 'Pending' });
      await click(page.getByRole('button', { name: 'Refuse…' }));
      await click(dialog.getByRole('button', { name: 'Refuse', exact: true }));
      expect(await visitor.problem()).toBe('Say why you refuse.');
      expect(visitor.posted('/refusal')).toEqual([]);
      await dialog.getByRole('textbox').fill('O preço está errado: <b>10</b>.');
      await click(dialog.getByRole('button', { name: 'Refuse', exact: true }));
      expect(await visitor.outcome()).toBe('You refused this document');
      expect(await platform.read(id)).toMatchObject({ status: 'Refused' });
      expect(visitor.seen).toEqual({ outside: [], errors: [] });
      await visitor.close();
    });
  });
}
