import { createHmac, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  enrolments,
  newEnrolment,
} from '../../../functions/batch/approvals/domain/second-factor/enrolment.ts';
import { recordingEvent } from '../../../functions/batch/operations/domain/events.ts';
import { putProfile, removeProfile } from '../../../functions/batch/profiles/domain/change-profile.ts';
import { parseProfileFields } from '../../../functions/batch/profiles/domain/fields.ts';
import { profiles } from '../../../functions/batch/profiles/domain/profile.ts';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { commit } from '../../../shared/store/commit.ts';
import { batchClient } from '../../bench/measure/batch-client.ts';
import { joinEngine } from '../../infra/local/engine/crowd.ts';
import { LINK_SECRET, type SharedEngine, sharedEngine } from '../../shared-engine.ts';
import { barriers } from '../barriers.ts';
import { click, describeInChromium, openBrowser, takePicture } from '../chromium.ts';
import { DESKTOP, operatorVisits, PHONE } from './visits.ts';
import { EN, PT } from './words.ts';

const HEADERS = { 'x-api-key': SANDBOX_KEY };

const PROFILE = 'dashboard-pages';
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
    for (const name of [PROFILE, 'dashboard-en', 'dashboard-pt'])
      if (await profiles.get(name)) await removeProfile('test', name, Date.now());
    await browser?.close();
  });

  const linkOf = (email: string) =>
    `${engine.url}/batch/approvals/link/${createHmac('sha256', LINK_SECRET).update(email).digest('base64url')}`;

  test.each([
    ['a desktop', 'en-US', EN, DESKTOP, 'light'],
    ['a phone', 'pt-BR', PT, PHONE, 'dark'],
  ] as const)(
    'scans folders, pauses, resumes and cleans up without a script, on %s, in %s',
    async (_device, locale, words, screen, colorScheme) => {
      const { page, seen, at, close } = await operator.open({
        ...screen,
        colorScheme,
        locale,
        javaScriptEnabled: false,
      });
      const press = (name: string) => click(page.getByRole('button', { name, exact: true }));
      const done = () => page.locator('.done[role=status]').textContent();
      await at('folders');
      await press(`${words.rescan}: spare`);
      expect(await done()).toContain(`${words.found}: 0`);
      await press(words.rescanAll);
      expect(await done()).toContain(words.found);

      await at('pipeline');
      await page.getByLabel(words.reason).fill(HOSTILE.slice(0, 512));
      await press(words.pause);
      expect(await done()).toBe(words.pausedDone);
      expect(await page.locator('#pipeline').textContent()).toContain(`onerror="document.title='broken'">`);
      await takePicture(page, `dashboard-paused-${locale}-${colorScheme}`);
      await press(words.resume);
      expect(await done()).toBe(words.resumedDone);
      await click(page.getByText(words.cleanup));
      await press(words.cleanupNow);
      expect(await done()).toContain(words.jobsDeleted);
      await click(page.getByText(words.clear, { exact: true }));
      await page.getByRole('button', { name: words.clearNow }).waitFor();
      await takePicture(page, `dashboard-clear-${locale}-${colorScheme}`);
      expect(seen).toEqual({ outside: [], errors: [] });
      await close();
    },
  );

  test.each([
    ['en-US', EN, PHONE, 'dark'],
    ['pt-BR', PT, DESKTOP, 'light'],
  ] as const)(
    'finds events by their filters, and gives links and resets, without a script, in %s',
    async (locale, words, screen, colorScheme) => {
      const { page, at, close } = await operator.open({
        ...screen,
        colorScheme,
        locale,
        javaScriptEnabled: false,
      });
      await at('events');
      await page.getByLabel(words.text).fill(MARK);
      await page.locator('.more-filters summary').click();
      await page.getByLabel(words.type).selectOption('LogError');
      await click(page.getByRole('button', { name: words.filter }));
      expect(new URL(page.url()).search).toContain(`text=${MARK}&type=LogError`);
      const row = page.getByRole('row').filter({ hasText: MARK });
      expect(await row.count()).toBe(1);
      expect(await row.locator('img').count()).toBe(0);
      await click(row.getByRole('link', { name: PROFILE }));
      await page.getByRole('heading', { name: PROFILE }).waitFor();
      await at('events?page=2147483&from=2026-03-02');
      await page.getByText(words.noEvents).waitFor();
      await at('events?from=2026-03-02&to=2026-03-01');
      expect(await page.getByRole('alert').textContent()).toBe(words.beforeFrom);

      const address = RITA.email;
      await enrolments.put({ ...newEnrolment(address, 'sealed'), confirmedAtMs: Date.now() });
      await at('approvers');
      const person = page.getByRole('row').filter({ hasText: address });
      expect(await person.locator('b').count()).toBe(0);
      expect(await page.content()).not.toContain('/approvals/link/');
      await click(person.getByRole('button', { name: words.showLink }));
      expect(await page.locator('.secret').textContent()).toBe(linkOf(address));
      expect(page.url()).not.toContain(linkOf(address).slice(-20));
      await click(person.getByText(words.resetFactor));
      await click(person.getByRole('button', { name: words.resetNow }));
      expect(await page.locator('.done[role=status]').textContent()).toBe(words.resetDone);
      expect(await enrolments.get(address)).toBeUndefined();
      await close();
    },
  );

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

  test.each([
    ['dashboard-en', 'en-US', EN, DESKTOP, 'dark'],
    ['dashboard-pt', 'pt-BR', PT, PHONE, 'light'],
  ] as const)(
    'makes a profile, gives it a key, changes and removes it without a script: %s',
    async (name, locale, words, screen, colorScheme) => {
      const { page, seen, at, close } = await operator.open({
        ...screen,
        colorScheme,
        locale,
        javaScriptEnabled: false,
      });
      const press = (text: string) => click(page.getByRole('button', { name: text, exact: true }));
      const done = () => page.locator('.done[role=status]').textContent();
      await at('profiles');
      await click(page.getByRole('link', { name: words.newProfile }));
      await page.getByLabel(words.profileName).first().fill('Wrong Name');
      await press(words.create);
      expect(await page.locator('[id="name-problem"]').textContent()).toContain(words.nameProblem);
      await page.getByLabel(words.profileName).first().fill(name);
      await press(words.create);
      expect(await done()).toContain(words.created);
      expect(new URL(page.url()).pathname).toBe(`/batch/dashboard/profiles/${name}`);

      await page.setInputFiles('#key-file', join(engine.dataDir, 'pki/holders/52998224725.p12'));
      await page.getByLabel(words.keyPassword).fill('4321');
      await press(words.importKey);
      expect(await page.locator('#key-password-problem').textContent()).toBe(words.wrongPassword);
      await page.setInputFiles('#key-file', join(engine.dataDir, 'pki/holders/52998224725.p12'));
      await page.getByLabel(words.keyPassword).fill('1234');
      await press(words.importKey);
      expect(await done()).toBe(words.keyDone);
      await page.getByText('SANDBOX HOLDER 52998224725').waitFor();

      await page.getByLabel(words.timestamp).check();
      await press(words.save);
      expect(await done()).toBe(words.saved);
      expect(await page.getByLabel(words.timestamp).isChecked()).toBe(true);
      await press(words.disable);
      expect(await done()).toContain(words.disabledDone);
      await press(words.enable);
      expect(await done()).toBe(words.enabledDone);
      await click(page.getByText(words.remove));
      await press(words.removeNow);
      expect(await done()).toBe(words.removed);
      expect(seen.outside).toEqual([]);
      await close();
    },
  );

  test.each([
    ['en-US', EN, 'light', DESKTOP],
    ['pt-BR', PT, 'dark', PHONE],
  ] as const)(
    'has no barrier that axe finds, and fits the screen, in %s',
    async (locale, words, colorScheme, screen) => {
      const looks = { locale, colorScheme, ...screen };
      const { page, seen, at, close } = await operator.open(looks);
      const look = (name: string) => operator.look(page, name, looks);
      for (const path of ['folders', 'pipeline', 'readiness', 'metrics', 'profiles', `profiles/${PROFILE}`]) {
        expect((await at(path))?.status()).toBe(200);
        await look(path.split('/').at(-1) ?? path);
      }
      await at(`events?text=${MARK}`);
      await look('events');
      expect(await page.title()).not.toBe('broken');
      expect(seen.errors).toEqual([]);
      await at('approvers');
      await click(page.getByRole('button', { name: `${words.showLink}: ${SAUL.email}` }));
      await look('approvers');
      await at('new-profile');
      await page.getByLabel(words.profileName).first().fill('Wrong Name');
      await page.getByLabel(words.needsApproval).check();
      await page.locator('[id="approval.approvers.0.name"]').fill(RITA.name);
      await click(page.getByRole('button', { name: words.create }));
      await page.locator('[id="approval.approvers.0.cpf-problem"]').waitFor();
      await look('editor-problems');
      await at('events?type=x&from=bad');
      await look('events-problems');
      await close();
    },
  );

  test('keeps the state of the pipeline up to date without reloading', async () => {
    const { page, at, close } = await operator.open();
    await at('pipeline');
    await page.getByLabel(EN.reason).fill('typed before');
    const pause = { method: 'POST', headers: { ...HEADERS, 'content-type': 'application/json' } };
    await fetch(`${engine.url}/batch/api/pipeline/pause`, { ...pause, body: '{"reason":"by a script"}' });
    await page.locator('#pipeline').getByText('by a script').waitFor({ timeout: 60_000 });
    await fetch(`${engine.url}/batch/api/pipeline/resume`, { ...pause, body: '{}' });
    expect(await page.getByLabel(EN.reason).inputValue()).toBe('typed before');
    await close();
  });
});
