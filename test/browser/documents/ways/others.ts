import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { TokenAsked, WayLook } from '../../../../shared/ways/contract.ts';
import { partsOf } from '../../../functions/documents/endpoints/signing/calls.ts';
import { barriers } from '../../barriers.ts';
import { click, takePicture } from '../../chromium.ts';
import { ANA } from '../action-page/files.ts';
import { DESKTOP, PHONE, PIN, type Stage } from './stage.ts';

/** Several documents that wait for one person. */
export function others(stage: () => Stage): void {
  describe('many documents', () => {
    test('whoever signed with a file reads the others, chooses, and signs them with the same certificate', async () => {
      // A person of this test: the engine has documents of other tests for the others.
      const { cpf, p12 } = await stage().tokenHolder();
      const names = [1, 2].map((n) => `outro ${n} ${randomUUID().slice(0, 8)}`);
      const ids = await Promise.all(names.map((name) => stage().waitingNamed(name, cpf)));
      const { link } = await stage().waiting(cpf);
      const visitor = await stage().visit(link, PHONE);
      const { page } = visitor;
      await page.setInputFiles('#certificate', p12);
      await page.fill('#password', PIN);
      await visitor.submit();
      const [chosen, left] = names.map((name) => page.locator('.others li').filter({ hasText: name }));
      await chosen?.getByText('Ler').waitFor();
      expect(await barriers(page)).toEqual([]);
      await takePicture(page, 'ways-others-phone-dark');
      const [read] = await Promise.all([
        visitor.context.waitForEvent('page'),
        chosen?.getByRole('link', { name: /^Ler/ }).click(),
      ]);
      await read.getByRole('heading', { name: names[0] ?? '' }).waitFor();
      await read.close();
      await chosen?.getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Assinar os escolhidos' }).click();
      await chosen?.getByText('Assinado', { exact: true }).waitFor();
      expect(await left?.getByRole('checkbox').isChecked()).toBe(false);
      await stage().expectValid(ids[0] ?? '');
      expect((await stage().platform.read(ids[1] ?? '')).status).toBe('Pending');

      // The same link again, here or by whoever it was passed on to, shows none of them.
      await page.reload();
      await page.locator('#closed').waitFor();
      expect(await page.locator('.others').count()).toBe(0);
      await visitor.close();
    });

    test('in the cloud one permission signs all that the person chose', async () => {
      const own = await stage().ownOrganization();
      const [first, second, third, fourth] = [
        await own.waiting('primeiro', ANA),
        await own.waiting('segundo', ANA),
        await own.waiting('terceiro', ANA),
        await own.waiting('quarto', ANA),
      ];
      const visitor = await stage().visit(first.link, PHONE);
      const { page } = visitor;
      await visitor.choose('cloud');
      await visitor.submit();
      await click(page.getByRole('button', { name: 'Permitir', exact: true }));
      await visitor.says('cloud', /Você assina como/);
      await visitor.submit();
      for (const name of ['segundo', 'terceiro']) await page.getByRole('checkbox', { name }).check();
      await page.getByRole('button', { name: 'Assinar os escolhidos' }).click();

      await page.getByText('Você assina também').waitFor();
      await page.getByRole('button', { name: 'Procurar meu certificado' }).click();
      await click(page.getByRole('button', { name: 'Permitir', exact: true }));
      await visitor.says('cloud', /Você assina como/);
      await takePicture(page, 'ways-together-cloud-phone-dark');
      await page.getByRole('button', { name: 'Assinar os 2 documentos' }).click();
      await page.locator('.others li').filter({ hasText: 'terceiro' }).getByText('Assinado').waitFor();
      expect(await barriers(page)).toEqual([]);
      await takePicture(page, 'ways-together-signed-phone-dark');
      for (const { id } of [first, second, third]) await stage().expectValid(id, own.key);
      expect((await own.read(fourth.id)).status).toBe('Pending');
      // The permission is given up with the last of them.
      const left = (await visitor.context.cookies()).filter(({ name }) => name.startsWith('sinete-cloud-'));
      expect(left).toEqual([]);
      await visitor.close();
    });

    test('with a token one PIN signs all that the agent lists: those of the same person and sender', async () => {
      const agent = await stage().workstation();
      const own = await stage().ownOrganization();
      await own.brand({ displayName: 'Marca <b>' });
      const [first, second, third] = [
        await own.waiting('primeiro', agent.cpf),
        await own.waiting('segundo', agent.cpf),
        await own.waiting('terceiro', agent.cpf),
      ];
      const visitor = await stage().visit(first.link, DESKTOP);
      const { page } = visitor;
      await visitor.choose('token');
      await visitor.says('token', 'You sign as PESSOA DE TESTE.');
      await visitor.submit();
      // By the name that the page shows, and by the one that the platform has.
      expect(await agent.shows(/primeiro/)).toContain('Marca &lt;b&gt; (Own) asks you to sign');
      await agent.confirm(PIN);
      const go = page.getByRole('button', { name: 'Sign the chosen documents' });
      await go.waitFor();
      expect(await go.isDisabled()).toBe(true);
      for (const name of ['segundo', 'terceiro']) await page.getByRole('checkbox', { name }).check();
      await go.click();
      await page.getByText('You sign these too').waitFor();
      await visitor.says('token', 'You sign as PESSOA DE TESTE.');

      // Somebody with links to documents of others cannot have them listed here.
      const { key, ticket } = partsOf(second.link);
      const ask = async <T>(path: string, body: object): Promise<T> => {
        const answer = await fetch(`${stage().url}/documents/api/documents/keys/${key}/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ticket, ...body }),
        });
        return (await answer.json()) as T;
      };
      const { certificates } = await ask<WayLook>('certificate', { way: 'token' });
      const foreign = [await own.waiting('de outra pessoa', ANA), await stage().waiting(agent.cpf), second];
      const asked = await ask<TokenAsked>('token', {
        sha256: certificates[0]?.sha256,
        others: foreign.map(({ link }) => partsOf(link)),
      });
      expect(asked.documents.map(({ name }) => name)).toEqual(['segundo']);

      await page.getByRole('button', { name: 'Sign the 2 documents' }).click();
      await page.locator('.codes code').nth(1).waitFor();
      const shown = await agent.shows(/terceiro/);
      for (const text of ['segundo', ...(await page.locator('.codes code').allTextContents())])
        expect(shown).toContain(text);
      await takePicture(page, 'ways-together-token-desktop');
      await agent.confirm(PIN);
      await page.getByText('You signed this document').waitFor();
      for (const { id } of [first, second, third]) await stage().expectValid(id, own.key);
      expect(await page.locator('.others').count()).toBe(0);
      await visitor.close();
    });
  });
}
