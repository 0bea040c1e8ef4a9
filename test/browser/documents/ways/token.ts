import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { allAgents } from '../../../../functions/session/domain/workstations/agent.ts';
import { recentTasks, tasks } from '../../../../functions/session/domain/workstations/task.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { barriers } from '../../barriers.ts';
import { takePicture } from '../../chromium.ts';
import { pdf } from '../action-page/files.ts';
import { DESKTOP, PHONE, PIN, type Stage } from './stage.ts';

const WRONG = 'planted-wrong-pin-93ab';

/** Loses the first request for the holder's answer, and the answer itself on its way back. */
async function loseAnswers(page: Page): Promise<() => readonly string[]> {
  const lost: string[] = [];
  await page.route('**/token/answer', async (route) => {
    if (lost.length === 0) {
      lost.push('request');
      return route.abort();
    }
    const response = await route.fetch();
    if (lost.length > 1 || (await response.json()).state !== 'signed') return route.fulfill({ response });
    lost.push('answer');
    return route.abort();
  });
  return () => lost;
}

/** A person who signs with a token, through the agent of their workstation. */
export function token(stage: () => Stage): void {
  describe('in a token', () => {
    test('the page says that no agent runs, that the one that runs is another’s, and signs once it is there', async () => {
      const [holder] = await Promise.all([stage().tokenHolder(), stage().workstation()]);
      const { id, link } = await stage().waiting(holder.cpf, { file: await pdf() });
      const visitor = await stage().visit(link, PHONE);
      const { page } = visitor;
      await visitor.choose('token');
      await visitor.says(
        'token',
        /Nenhum agente tem um certificado do seu CPF.*o token dele é de outra pessoa/,
      );
      expect(await barriers(page)).toEqual([]);
      await takePicture(page, 'ways-token-none-phone-dark');

      const agent = await holder.startAgent();
      await page.getByRole('button', { name: 'Procurar meu token' }).click();
      await visitor.says('token', 'Você assina como PESSOA DE TESTE.');
      const lost = await loseAnswers(page);
      await visitor.submit();
      const code = await page.locator('.codes code').textContent();
      expect(code).toMatch(/^[0-9A-F]{4} [0-9A-F]{4}$/);
      const shown = await agent.shows(/asks you to sign/);
      for (const text of ['Sandbox Organization', 'Contrato', code ?? '', 'PESSOA DE TESTE'])
        expect(shown).toContain(text);
      expect(await barriers(page)).toEqual([]);
      await takePicture(page, 'ways-token-asked-phone-dark');
      await agent.confirm(PIN);
      await page.getByText('Você assinou este documento').waitFor();
      expect(lost()).toEqual(['request', 'answer']);
      await stage().expectValid(id);

      // The PIN reached nobody but the agent.
      const sent = visitor.requests.map((each) => `${each.url()} ${each.postData() ?? ''}`).join('\n');
      expect(sent).not.toContain(PIN);
      expect(agent.printed()).not.toContain(PIN);
      await visitor.close();
      await agent.stop();
    });

    test('a person whose CPF nobody gave is told so', async () => {
      const { platform } = stage();
      const flow = [{ type: 'Signer', user: { name: 'Ana', email: 'ana@sandbox.example' } }];
      const file = { bytes: Uint8Array.from(Buffer.from('olá')), name: 'Nota.txt', type: 'text/plain' };
      const id = await platform.document(file, flow);
      const { url } = await platform.links(id, { emailAddress: 'ana@sandbox.example' });
      const visitor = await stage().visit(url, DESKTOP);
      await visitor.choose('token');
      await visitor.says('token', /the sender gave none for you/);
      await visitor.choose('cloud');
      await visitor.submit();
      // Nobody is asked who holds what: the person chooses.
      await visitor.page.getByRole('link', { name: /Alpha/ }).waitFor();
      expect(await barriers(visitor.page)).toEqual([]);
      await visitor.close();
    });
  });
}

/** What a person is told when it does not go well. The agent of the others is stopped at the end. */
export function tokenProblems(stage: () => Stage): void {
  describe('in a token', () => {
    test('declined, wrong PINs, no answer, a replaced question and an agent that stopped are told, and nothing is signed', async () => {
      const agent = await stage().workstation();
      const { id, link } = await stage().waiting(agent.cpf);
      const visitor = await stage().visit(link, DESKTOP);
      // The agent shows one question after another: each by its own code.
      const ask = async ({ page, submit }: typeof visitor) => {
        await submit();
        await agent.shows(new RegExp((await page.locator('.codes code').textContent()) ?? ''));
      };
      await visitor.choose('token');
      await visitor.says('token', 'You sign as PESSOA DE TESTE.');
      await takePicture(visitor.page, 'ways-token-ready-desktop');

      await ask(visitor);
      await agent.decline();
      expect(await visitor.problem()).toContain('The signature was declined at the workstation');

      // Two minutes later.
      await ask(visitor);
      const [mine] = (await allAgents()).filter(({ cpf }) => cpf === agent.cpf);
      await retryOnConflict(async () => {
        // The question before may not be deleted yet, and has no content.
        const open = (await recentTasks(mine?.id ?? '', Date.now())).findLast((task) => task.ask);
        if (!open) throw new Error('There is no question.');
        await tasks.change(open, { expiresAtMs: Date.now() });
      });
      expect(await visitor.problem()).toContain('Nobody answered at the workstation in time');

      // The same link in another window: the newer question takes the place of the older.
      await ask(visitor);
      const again = await stage().visit(link, DESKTOP);
      await again.choose('token');
      await again.says('token', 'You sign as PESSOA DE TESTE.');
      await ask(again);
      expect(await visitor.problem()).toContain('replaced by a newer one');

      for (const _ of [1, 2, 3]) await agent.confirm(WRONG);
      expect(await again.problem()).toContain('The PIN was wrong too often at the workstation');
      expect((await stage().platform.read(id)).status).toBe('Pending');
      stage().keepOut(WRONG);
      await agent.stop();
      await again.page.reload();
      await again.says('token', /The agent with your certificate is not running/);
      await Promise.all([visitor.close(), again.close()]);
    });
  });
}
