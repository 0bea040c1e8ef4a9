import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { newVerificationCode } from '../../../functions/credentials/items/domain/verification-code.ts';
import { files } from '../../../shared/files/files.ts';
import type { SigningKey } from '../../../shared/signing/key.ts';
import {
  keyIn,
  signedKeyOf,
  storeCredential,
} from '../../functions/credentials/verification/stored-credentials.ts';
import { joinEngine } from '../../infra/local/engine/crowd.ts';
import { type SharedEngine, sharedEngine } from '../../servers/shared-engine.ts';
import { barriersInBothSchemes } from '../barriers.ts';
import { click, describeInChromium, openBrowser, openPageAt, watch } from '../chromium.ts';
import { expectFits, look, PHONE_IN_PORTUGUESE } from '../look.ts';

// Markup, a text that turns the reading direction, NUL, a word wider than any screen, a CPF.
const HOSTILE =
  '</dd><script>document.title="owned"</script><img src=x onerror=alert(1)>\0\u202E529.982.247-25';
const HOSTILE_SHOWN =
  '</dd><script>document.title="owned"</script><img src=x onerror=alert(1)>***.982.247-**';
const ENDLESS = 'W'.repeat(1_000);

const SHOWN = [
  ...(['valid', 'transcript', 'waiting', 'suspended', 'annulled'] as const),
  ...(['unreliable', 'undetermined', 'unchecked', 'hostile'] as const),
] as const;
type Shown = (typeof SHOWN)[number];

// Pages that have the parts and colours of another one.
const ALIKE: ReadonlySet<Shown> = new Set(['transcript', 'annulled', 'unchecked', 'undetermined']);

describeInChromium('the verification of a credential, in Chromium', () => {
  let engine: SharedEngine;
  let browser: Browser;
  let codes: Record<Shown, string>;

  beforeAll(async () => {
    [browser, engine] = await Promise.all([openBrowser(), sharedEngine()]);
    joinEngine(engine.dataDir);
    codes = await storeCredentials();
  }, 120_000);

  const holder = (cpf: string): Promise<SigningKey> =>
    keyIn(join(engine.dataDir, 'pki/holders', `${cpf}.p12`));

  async function storeCredentials(): Promise<typeof codes> {
    const signers = [await holder('52998224725'), await holder('47363361886')];
    const times = { createdAtMs: Date.now() - 2 * 86_400_000, updatedAtMs: Date.now() + 60_000 };
    const store = async (given: Parameters<typeof storeCredential>[0]) =>
      (await storeCredential({ ...times, ...given })).code;
    const gone = await storeCredential({ ...times, signers });
    await files('credentials').remove(signedKeyOf(gone.item, 'diploma'));
    const alter = (signed: Buffer) => Buffer.from(signed.toString().replace('Engenharia', 'Medicina'));
    const reason = 'Pending a decision of the court on the transfer of credits.';
    return {
      valid: await store({ signers }),
      transcript: await store({ kind: 'transcript', signers }),
      waiting: await store({}),
      suspended: await store({ signers, state: 'CanceledTemporarily', reason }),
      annulled: await store({
        ...{ signers, state: 'Canceled', reason: 'The name of the course is wrong.' },
        cancellationReason: 'Reemissão para Anotaçao de Registro',
      }),
      unreliable: await store({ signers, alter }),
      undetermined: await store({ signers: [await holder('15350946056')] }),
      unchecked: gone.code,
      hostile: await store({
        ...{ signers, state: 'Canceled', reason: HOSTILE.repeat(8), cancellationReason: 'Erro de Fato' },
        data: { studentName: HOSTILE, course: ENDLESS, issuingIes: HOSTILE, registeringIes: ENDLESS },
      }),
    };
  }

  const at = (code = '') => `${engine.url}/credentials/verify${code && `/${code}`}`;
  const open = (address: string, options: BrowserContextOptions = {}): Promise<Page> =>
    openPageAt(browser, address, options);

  const PT = {
    ...{ valid: 'Válido', transcript: 'Válido', waiting: 'Aguardando assinaturas' },
    ...{ suspended: 'Suspenso', annulled: 'Anulado', unreliable: 'Não confie neste documento' },
    undetermined: 'Consta como válido, sem a confirmação das assinaturas',
    unchecked: 'Consta como válido, sem a confirmação das assinaturas',
    ...{ hostile: 'Anulado', unknown: 'Nenhum documento tem este código' },
    form: 'Verificar um diploma ou histórico',
  } as const;

  // The words of both languages are one table: pages.test.ts has the others.
  test('tells how each credential stands, without a barrier', async () => {
    const page = await open(at(), PHONE_IN_PORTUGUESE);
    const seen = watch(page, engine.url);
    await page.getByRole('heading', { level: 1, name: PT.form }).waitFor();
    await look(page, 'credential-form');
    for (const name of SHOWN) {
      await page.goto(at(codes[name]));
      expect([name, await page.locator('.banner h2').textContent()]).toEqual([name, PT[name]]);
      if (ALIKE.has(name)) await expectFits(page, name);
      else await look(page, `credential-${name}`, barriersInBothSchemes);
    }
    expect(seen).toEqual({ outside: [], errors: [] });
    const response = await page.goto(at(newVerificationCode('1234', '567')));
    expect(response?.status()).toBe(404);
    await page.getByRole('heading', { level: 1, name: PT.unknown }).waitFor();
    await look(page, 'credential-unknown');
    await page.context().close();
  }, 60_000);

  test('shows who signed each file of a degree, and no CPF', async () => {
    const page = await open(at(codes.valid));
    const cards = page.locator('.signatures .card');
    expect(await cards.locator('h3').allTextContents()).toEqual([
      'Degree',
      'Academic documentation for the registration',
    ]);
    expect(await cards.first().locator('li strong').allTextContents()).toEqual([
      'SANDBOX HOLDER ***.982.247-**',
      'SANDBOX HOLDER ***.633.618-**',
    ]);
    expect(await cards.locator('.verdict').allTextContents()).toHaveLength(4);
    const facts = await page.locator('.facts').textContent();
    expect(facts).toContain('Universidade Exemplo');
    expect(facts).toContain('Universidade Registradora');
    expect(await page.content()).not.toMatch(/52998224725|47363361886|11144477735/);
    await page.context().close();
  });

  test('shows hostile texts as texts', async () => {
    const page = await open(at(codes.hostile));
    const values = await page.locator('.facts dd').allTextContents();
    expect(values).toEqual(expect.arrayContaining([HOSTILE_SHOWN, ENDLESS]));
    expect(await page.locator('q').textContent()).toContain(HOSTILE_SHOWN);
    expect(await page.locator('img, script').count()).toBe(0);
    expect(await page.title()).toBe(`Degree: ${HOSTILE_SHOWN} · Sinete`);
    await page.context().close();
  });

  test('leads from the form to a credential by the keyboard alone, without a script, in the language chosen', async () => {
    const page = await open(at(), { javaScriptEnabled: false });
    await click(page.getByRole('link', { name: 'Português' }));
    await page.getByRole('link', { name: 'English' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.type('1234.567.0000');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: PT.unknown }).waitFor();
    await page.getByRole('link', { name: 'English' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.type(` ${codes.suspended.toUpperCase()} `);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: PT.suspended }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/credentials/verify/${codes.suspended}`);
    await click(page.getByRole('link', { name: 'Verificar outro código' }));
    await page.getByRole('heading', { name: PT.form }).waitFor();
    await page.context().close();
  });
});
