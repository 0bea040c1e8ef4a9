import { createHmac, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  enrolments,
  newEnrolment,
} from '../../../../functions/batch/approvals/domain/second-factor/enrolment.ts';
import { recordingEvent } from '../../../../functions/batch/operations/domain/events.ts';
import { putProfile, removeProfile } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { parseProfileFields } from '../../../../functions/batch/profiles/domain/fields.ts';
import { profiles } from '../../../../functions/batch/profiles/domain/profile.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { batchClient } from '../../../bench/measure/batch-client.ts';
import { joinEngine } from '../../../infra/local/engine/crowd.ts';
import { LINK_SECRET, type SharedEngine, sharedEngine } from '../../../servers/shared-engine.ts';
import { barriers, barriersInBothSchemes } from '../../barriers.ts';
import { click, describeInChromium, openBrowser, takePicture } from '../../chromium.ts';
import { PHONE_IN_PORTUGUESE } from '../../look.ts';
import { operatorVisits } from './visits.ts';

const HEADERS = { 'x-api-key': SANDBOX_KEY };

const PROFILE = 'dashboard-pages';
const MADE = 'dashboard-made';
// Pages with states, charts and problems of fields.
const OWN_PARTS: ReadonlySet<string> = new Set(['readiness', 'metrics', 'editor-problems']);
// Markup, a thousand characters without a space, and marks that turn the direction of text.
const MARK = randomUUID();
const HOSTILE = `<img src=x onerror="document.title='broken'"> \u202Egnp.exe\u202C ${MARK} ${'x'.repeat(1_000)}`;
const RITA = { name: '<b>Rita</b> & "Prado"', email: `rita@${PROFILE}.example`, cpf: '52998224725' };
const SAUL = { name: 'S'.repeat(200), email: `saul@${PROFILE}.example`, cpf: '47363361886' };

describeInChromium('the sections of the dashboard, in Chromium', () => {
  let engine: SharedEngine;
  let browser: Browser;
  let operator: ReturnType<typeof operatorVisits>;

  beforeAll(async () => {
    [browser, engine] = await Promise.all([openBrowser(), sharedEngine()]);
    operator = operatorVisits(browser, engine.url);
    joinEngine(engine.dataDir);
    const approval = { quorum: 1, approvers: [RITA, SAUL], expiresAfter: 172_800 };
    await putProfile('test', parseProfileFields({ name: PROFILE, approval }), Date.now());
    const event = {
      type: 'LogError',
      message: HOSTILE,
      by: HOSTILE,
      code: HOSTILE,
      profileName: PROFILE,
    } as const;
    await commit(recordingEvent(event, Date.now()));
    // Something to count, and to chart.
    const client = batchClient(engine.url);
    const id = await client.upload(`dashboard-${MARK}.txt`, [Buffer.from('content')], '?format=Cades');
    await client.completed(id);
  }, 180_000);
  // Other tests use the same engine.
  afterAll(async () => {
    await fetch(`${engine.url}/batch/api/pipeline/resume`, { method: 'POST', headers: HEADERS });
    for (const name of [PROFILE, MADE])
      if (await profiles.get(name)) await removeProfile('test', name, Date.now());
  });

  const linkOf = (email: string) =>
    `${engine.url}/batch/approvals/link/${createHmac('sha256', LINK_SECRET).update(email).digest('base64url')}`;

  test('scans folders, pauses, resumes and cleans up without a script', async () => {
    const { page, seen, at, close } = await operator.open({
      ...PHONE_IN_PORTUGUESE,
      javaScriptEnabled: false,
    });
    const press = (name: string) => click(page.getByRole('button', { name, exact: true }));
    const done = () => page.locator('.done[role=status]').textContent();
    await at('folders');
    await press(`Varrer: spare`);
    expect(await done()).toContain(`Arquivos encontrados: 0`);
    await press('Varrer todas');
    expect(await done()).toContain('Arquivos encontrados');

    await at('pipeline');
    await page.getByLabel('Motivo').fill(HOSTILE.slice(0, 512));
    await press('Pausar');
    expect(await done()).toBe('O processamento está pausado.');
    expect(await page.locator('#pipeline').textContent()).toContain(`onerror="document.title='broken'">`);
    await takePicture(page, 'dashboard-paused');
    await press('Retomar');
    expect(await done()).toBe('O processamento foi retomado.');
    await click(page.getByText('Limpar agora…'));
    await press('Excluir o que é antigo');
    expect(await done()).toContain('Trabalhos excluídos');
    await click(page.getByText('Excluir trabalhos…', { exact: true }));
    await page.getByRole('button', { name: 'Excluir todos os terminados' }).waitFor();
    await takePicture(page, 'dashboard-clear');
    expect(seen).toEqual({ outside: [], errors: [] });
    await close();
  });

  test('finds events by their filters, and gives links and resets, without a script', async () => {
    const { page, at, close } = await operator.open({ javaScriptEnabled: false });
    await at('events');
    await page.getByLabel('Text').fill(MARK);
    await page.locator('.more-filters summary').click();
    await page.getByLabel('Type').selectOption('LogError');
    await click(page.getByRole('button', { name: 'Filter' }));
    expect(new URL(page.url()).search).toContain(`text=${MARK}&type=LogError`);
    const row = page.getByRole('row').filter({ hasText: MARK });
    expect(await row.count()).toBe(1);
    expect(await row.locator('img').count()).toBe(0);
    await click(row.getByRole('link', { name: PROFILE }));
    await page.getByRole('heading', { name: PROFILE }).waitFor();
    await at('events?page=2147483&from=2026-03-02');
    await page.getByText('There are no events here.').waitFor();
    await at('events?from=2026-03-02&to=2026-03-01');
    expect(await page.getByRole('alert').textContent()).toBe('This is before the first day.');

    const address = RITA.email;
    await enrolments.put({ ...newEnrolment(address, 'sealed'), confirmedAtMs: Date.now() });
    await at('approvers');
    const person = page.getByRole('row').filter({ hasText: address });
    expect(await person.locator('b').count()).toBe(0);
    expect(await page.content()).not.toContain('/approvals/link/');
    await click(person.getByRole('button', { name: 'Show link' }));
    expect(await page.locator('.secret').textContent()).toBe(linkOf(address));
    expect(page.url()).not.toContain(linkOf(address).slice(-20));
    await click(person.getByText('Reset second factor…'));
    await click(person.getByRole('button', { name: 'Reset' }));
    expect(await page.locator('.done[role=status]').textContent()).toBe(
      'The second factor was reset. The next visit to the portal sets it up again.',
    );
    expect(await enrolments.get(address)).toBeUndefined();
    await close();
  });

  test('copies the link of an approver, and hands it to the mail program', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, close } = await operator.visit('approvers', { permissions });
    const person = page.getByRole('row').filter({ hasText: RITA.email });
    await click(person.getByRole('button', { name: 'Show link' }));
    await page.getByRole('button', { name: 'Copy the link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(linkOf(RITA.email));
    const mail = await page.getByRole('link', { name: 'Send it by mail…' }).getAttribute('href');
    expect(mail).toContain(`mailto:${encodeURIComponent(RITA.email)}?`);
    expect(decodeURIComponent(mail ?? '')).toContain(`\r\n${linkOf(RITA.email)}\r\n`);
    expect(await barriers(page)).toEqual([]);
    await close();
  });

  test('makes a profile, gives it a key, changes and removes it without a script', async () => {
    const name = MADE;
    const { page, seen, at, close } = await operator.open({ javaScriptEnabled: false });
    const press = (text: string) => click(page.getByRole('button', { name: text, exact: true }));
    const done = () => page.locator('.done[role=status]').textContent();
    await at('profiles');
    await click(page.getByRole('link', { name: 'New profile' }));
    await page.getByLabel('Name').first().fill('Wrong Name');
    await press('Create');
    expect(await page.locator('[id="name-problem"]').textContent()).toContain('lower-case letters');
    await page.getByLabel('Name').first().fill(name);
    await press('Create');
    expect(await done()).toContain('The profile was created.');
    expect(new URL(page.url()).pathname).toBe(`/batch/dashboard/profiles/${name}`);

    await page.setInputFiles('#key-file', join(engine.dataDir, 'pki/holders/52998224725.p12'));
    await page.getByLabel('Password of the file').fill('4321');
    await press('Import key');
    expect(await page.locator('#key-password-problem').textContent()).toBe(
      'The password does not open this file.',
    );
    await page.setInputFiles('#key-file', join(engine.dataDir, 'pki/holders/52998224725.p12'));
    await page.getByLabel('Password of the file').fill('1234');
    await press('Import key');
    expect(await done()).toBe('The key was imported.');
    await page.getByText('SANDBOX HOLDER 52998224725').waitFor();

    await page.getByLabel('Add a timestamp').check();
    await press('Save');
    expect(await done()).toBe('The profile was saved.');
    expect(await page.getByLabel('Add a timestamp').isChecked()).toBe(true);
    await press('Disable');
    expect(await done()).toContain('The profile is disabled');
    await press('Enable');
    expect(await done()).toBe('The profile is enabled.');
    await click(page.getByText('Remove…'));
    await press('Remove this profile');
    expect(await done()).toBe('The profile was removed.');
    expect(seen.outside).toEqual([]);
    await close();
  });

  test('has no barrier that axe finds, and fits every screen', async () => {
    const { page, seen, at, close } = await operator.open(PHONE_IN_PORTUGUESE);
    const look = (name: string) =>
      operator.look(page, name, OWN_PARTS.has(name) ? barriersInBothSchemes : barriers);
    for (const path of ['folders', 'pipeline', 'readiness', 'metrics', 'profiles', `profiles/${PROFILE}`]) {
      expect((await at(path))?.status()).toBe(200);
      await look(path.split('/').at(-1) ?? path);
    }
    await at(`events?text=${MARK}`);
    await look('events');
    expect(await page.title()).not.toBe('broken');
    expect(seen.errors).toEqual([]);
    await at('approvers');
    await click(page.getByRole('button', { name: `Mostrar link: ${SAUL.email}` }));
    await look('approvers');
    await at('new-profile');
    await page.getByLabel('Nome').first().fill('Wrong Name');
    await page.getByLabel('Arquivos precisam de aprovação').check();
    await page.locator('[id="approval.approvers.0.name"]').fill(RITA.name);
    await click(page.getByRole('button', { name: 'Criar' }));
    await page.locator('[id="approval.approvers.0.cpf-problem"]').waitFor();
    await look('editor-problems');
    await at('events?type=x&from=bad');
    await look('events-problems');
    await close();
  });

  test('keeps the state of the pipeline up to date without reloading', async () => {
    const { page, at, close } = await operator.open();
    await at('pipeline');
    await page.getByLabel('Reason').fill('typed before');
    const pause = { method: 'POST', headers: { ...HEADERS, 'content-type': 'application/json' } };
    await fetch(`${engine.url}/batch/api/pipeline/pause`, { ...pause, body: '{"reason":"by a script"}' });
    await page.locator('#pipeline').getByText('by a script').waitFor({ timeout: 60_000 });
    await fetch(`${engine.url}/batch/api/pipeline/resume`, { ...pause, body: '{}' });
    expect(await page.getByLabel('Reason').inputValue()).toBe('typed before');
    await close();
  });
});
