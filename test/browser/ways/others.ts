import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { barriers } from '../barriers.ts';
import { takePicture } from '../chromium.ts';
import { PHONE, type Stage } from './stage.ts';

const PASSWORD = 'planted-password-44c0';

/** Several documents that wait for one person. */
export function others(stage: () => Stage): void {
  describe('many documents', () => {
    test('whoever signed with a file reads the others, chooses, and signs them with the same certificate', async () => {
      // A person of this test: the engine has documents of other tests for the others.
      const { cpf, p12 } = await stage().tokenHolder(PASSWORD);
      const names = [1, 2].map((n) => `outro ${n} ${randomUUID().slice(0, 8)}`);
      const ids = await Promise.all(names.map((name) => stage().waitingNamed(name, cpf)));
      const { link } = await stage().waiting(cpf);
      const visitor = await stage().visit(link, PHONE);
      const { page } = visitor;
      await page.setInputFiles('#certificate', p12);
      await page.fill('#password', PASSWORD);
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
  });
}
