import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { portalLinkOf } from '../../../functions/batch/approvals/domain/portal-link.ts';
import { knownApprovers } from '../../../functions/batch/profiles/domain/approvers.ts';
import { readEngine } from '../../../infra/local/engine/engine-file.ts';
import { useStores } from '../../../infra/local/stores/endpoints.ts';
import { personOf } from '../../functions/batch/approvals/approval-stage.ts';
import { codeAt, hasOathtool } from '../../functions/batch/approvals/oathtool.ts';
import { cleanUp, startEngineProcess } from '../../infra/local/engine/engine-process.ts';
import { barriersInBothSchemes } from '../barriers.ts';
import { click, describeInChromiumWith, openBrowser, openPageAt, takePicture, watch } from '../chromium.ts';
import { look, PHONE_IN_PORTUGUESE } from '../look.ts';

const SETTINGS = {
  ApproverSecondFactor__Enabled: 'true',
  ApproverPortal__LinkSecret: 'a-link-secret-of-32-characters-01',
};

describeInChromiumWith(hasOathtool)('the second factor of an approver, in Chromium', () => {
  let url: string;
  let browser: Browser;
  let people = 0;

  beforeAll(async () => {
    const engine = await startEngineProcess({ env: SETTINGS });
    [browser] = await Promise.all([openBrowser(), engine.ready()]);
    url = engine.url;
    for (const [name, value] of Object.entries({ ...SETTINGS, Http__PublicUrl: url }))
      vi.stubEnv(name, value);
    useStores(readEngine(engine.dataDir)?.env ?? {});
  }, 120_000);
  afterAll(async () => {
    vi.unstubAllEnvs();
    await cleanUp();
  });

  /** Opens the page as somebody who came by their link. */
  async function visit(options: BrowserContextOptions): Promise<Page> {
    const { email: address, name, cpf } = personOf(++people);
    await knownApprovers.put({ address, name, cpf });
    const page = await openPageAt(browser, portalLinkOf(address) ?? '', options);
    await page.goto(`${url}/batch/approvals/second-factor`);
    return page;
  }

  const keyOn = async (page: Page): Promise<string> =>
    ((await page.locator('.key').textContent()) ?? '').replaceAll(/\s/g, '');

  function wrongFor(secret: string): string {
    const right = [-30_000, 0, 30_000, 60_000].map((shift) => codeAt(secret, Date.now() + shift));
    return ['000000', '111111', '222222', '333333', '444444'].find((code) => !right.includes(code)) ?? '';
  }

  test('is set up with the key on the page and a code of another program', async () => {
    const page = await visit(PHONE_IN_PORTUGUESE);
    const seen = watch(page, url);
    await look(page, 'factor-none');
    await click(page.getByRole('button', { name: 'Configurar' }));
    await page.getByLabel('Código de seis dígitos').waitFor();
    const secret = await keyOn(page);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(await page.locator('a[href^="otpauth://totp/Sinete:"]').getAttribute('href')).toContain(secret);
    await look(page, 'factor-pending');
    expect(seen).toEqual({ outside: [], errors: [] });

    await page.getByLabel('Código de seis dígitos').fill(wrongFor(secret));
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').textContent()).toContain('approval.second-factor-invalid-code');
    expect(await page.getByLabel('Código de seis dígitos').getAttribute('aria-describedby')).toBe('refusal');
    await look(page, 'factor-refused', barriersInBothSchemes);

    await page.getByLabel('Código de seis dígitos').fill(codeAt(secret, Date.now()));
    await click(page.getByRole('button', { name: 'Confirmar' }));
    await page.waitForURL(`${url}/batch/approvals?enrolled=true`);
    await page.getByRole('status').getByText('Seu segundo fator está configurado').waitFor();
    await page.goto(`${url}/batch/approvals/second-factor`);
    await page.getByText('Configurado em').waitFor();
    expect(await page.content()).not.toContain(secret);
    await look(page, 'factor-enrolled');
    expect(seen.outside).toEqual([]);
    await page.context().close();
  });

  test('is locked by the fifth wrong code, for the right one too', async () => {
    const page = await visit({ locale: 'en-US', javaScriptEnabled: false });
    await click(page.getByRole('button', { name: 'Set up' }));
    await page.getByLabel('Code of six digits').waitFor();
    const secret = await keyOn(page);
    const send = async (code: string): Promise<string> => {
      await page.getByLabel('Code of six digits').fill(code);
      await Promise.all([
        page.waitForResponse(`${url}/batch/approvals/second-factor/confirmation`),
        page.getByRole('button', { name: 'Confirm' }).click(),
      ]);
      await page.waitForLoadState();
      return (await page.locator('#refusal code').textContent()) ?? '';
    };
    const wrong = wrongFor(secret);
    const shown: string[] = [];
    for (const code of [wrong, wrong, wrong, wrong, wrong, codeAt(secret, Date.now())])
      shown.push(await send(code));
    const [invalid, locked] = ['approval.second-factor-invalid-code', 'approval.second-factor-locked-out'];
    expect(shown).toEqual([invalid, invalid, invalid, invalid, locked, locked]);
    await takePicture(page, 'factor-locked');
    await page.context().close();
  });
});
