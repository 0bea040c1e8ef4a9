import type { Browser } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { sharedEngine } from '../../../servers/shared-engine.ts';
import { barriers, barriersInBothSchemes } from '../../barriers.ts';
import { click, describeInChromium, openBrowser, takePicture } from '../../chromium.ts';
import { PHONE_IN_PORTUGUESE } from '../../look.ts';
import { operatorVisits } from './visits.ts';

describeInChromium('the dashboard, in Chromium', () => {
  let url: string;
  let browser: Browser;
  let operator: ReturnType<typeof operatorVisits>;

  beforeAll(async () => {
    [browser, { url }] = await Promise.all([openBrowser(), sharedEngine()]);
    operator = operatorVisits(browser, url);
  }, 120_000);

  test('has no barrier, scrolls down alone and asks no other host, nor does the page of the cluster', async () => {
    const { page, seen, at, close } = await operator.visit('', PHONE_IN_PORTUGUESE);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await operator.look(page, 'home', barriersInBothSchemes);
    await at('cluster');
    const row = page.getByRole('row', { name: new RegExp(new URL(url).host) });
    await row.getByText(/^Ativa$/).waitFor();
    await row.getByText('2.16.0+').waitFor();
    await operator.look(page, 'cluster');
    expect(seen).toEqual({ outside: [], errors: [] });
    await close();
  });

  test('says what needs an operator, and shows a change without being loaded again', async () => {
    const { page, close } = await operator.visit('');
    await page.getByRole('link', { name: 'signing-profile:degraded' }).waitFor();
    // Another operator makes a profile without a key, and removes it.
    const name = `sem-chave-${Date.now().toString(36)}`;
    const submit = async (path: string, form: Record<string, string> = {}) =>
      (await page.request.post(`${url}/batch/dashboard/${path}`, { form, maxRedirects: 0 })).status();
    const task = page.getByRole('link', { name: `signing-profile:${name}` });
    expect(await submit('profiles/new', { name, method: 'Local' })).toBe(303);
    try {
      await task.waitFor({ timeout: 60_000 });
    } finally {
      expect(await submit(`profiles/${name}/remove`)).toBe(303);
    }
    await task.waitFor({ state: 'detached', timeout: 60_000 });
    await close();
  });

  test('can be read from its content on by the keyboard, and its navigation stays in place', async () => {
    const { page, at, close } = await operator.visit('jobs');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate("document.activeElement?.closest('main') !== null")).toBe(true);
    const places = () =>
      page.evaluate(
        "[...document.querySelectorAll('.navigation a')].map((a) => Math.round(a.getBoundingClientRect().left))",
      );
    const before = await places();
    await at('profiles');
    expect(await places()).toEqual(before);
    for (const language of await page.locator('.languages :is(button, a)').all())
      expect((await language.boundingBox())?.height).toBeGreaterThanOrEqual(24);
    await close();
  });

  test('says on an open page that the pipeline was paused, and that it runs again', async () => {
    const { page, close } = await operator.visit('jobs');
    const submit = (path: string) =>
      page.request.post(`${url}/batch/dashboard/pipeline/${path}`, { form: { reason: '' }, maxRedirects: 0 });
    const banner = page.getByText('The pipeline is paused: no job is picked up');
    await submit('pause');
    try {
      await banner.waitFor({ timeout: 60_000 });
      expect(await barriers(page)).toEqual([]);
    } finally {
      await submit('resume');
    }
    await banner.waitFor({ state: 'detached', timeout: 60_000 });
    await close();
  });

  test('is read in the language that was chosen, without a script', async () => {
    const { page, close } = await operator.visit('', { javaScriptEnabled: false });
    await click(page.getByRole('button', { name: 'Português' }));
    await page.getByRole('heading', { name: 'Visão geral', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Trabalhos', exact: true }).waitFor();
    await page.reload();
    await click(page.getByRole('button', { name: 'English' }));
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await close();
  });

  test('leads to the login and back where there is no session, and says when one has ended', async () => {
    const { page, close } = await operator.visit('');
    await page.context().clearCookies();
    await page.goto(`${url}/batch`);
    await page.getByLabel('Operator key').waitFor();
    expect(await page.getByText('Your session has ended').count()).toBe(0);
    await page.getByLabel('Operator key').fill(SANDBOX_KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();

    // The logout in another window ends the session of this one.
    const { cookie = '' } = { cookie: (await page.context().cookies())[0]?.value };
    await fetch(`${url}/batch/api/auth/logout`, {
      method: 'POST',
      headers: { cookie: `lbs-auth=${cookie}` },
      redirect: 'manual',
    });
    await page.getByRole('alert').getByText('Your session has ended').waitFor({ timeout: 60_000 });
    await click(page.getByRole('link', { name: 'Log in again' }));
    await page.getByText('Your session has ended. Nothing was changed').waitFor();
    await close();
  });

  test('a backup is started by a form, followed without being loaded again, and complete', async () => {
    const { page, seen, close } = await operator.visit('backups');
    await click(page.getByRole('button', { name: 'Start a backup' }));
    await page.getByText('The backup was started.').waitFor();
    await page
      .getByRole('row', { name: /Succeeded/ })
      .first()
      .waitFor({ timeout: 60_000 });
    expect(await barriers(page)).toEqual([]);
    expect(seen).toEqual({ outside: [], errors: [] });
    await takePicture(page, 'dashboard-backups-desktop-light');
    await close();
  });

  test('a backup is canceled behind a second click, in Portuguese, on a phone and without a script', async () => {
    const options = { ...PHONE_IN_PORTUGUESE, javaScriptEnabled: false };
    const { page, close } = await operator.visit('backups', options);
    await click(page.getByRole('button', { name: 'Iniciar um backup' }));
    await click(page.getByText('Cancelar…'));
    await takePicture(page, 'dashboard-backups-phone-dark');
    await click(page.getByRole('button', { name: 'Cancelar o backup' }));
    await page.getByText('O backup foi cancelado.').waitFor();
    await page
      .getByRole('row', { name: /Cancelado/ })
      .first()
      .waitFor();
    await close();
  });

  test('a profile gets a cloud certificate in the editor, and its holder authorizes it at the provider', async () => {
    const name = `nuvem-${Date.now().toString(36)}`;
    const { page, seen, close } = await operator.visit('new-profile');
    await page.getByLabel('Name', { exact: true }).first().fill(name);
    await click(page.getByText('Cloud certificate').first());
    await page.getByLabel('CPF or CNPJ of the holder').fill('52998224725');
    await click(page.getByRole('button', { name: 'Create' }));
    await page.getByText('not authorized', { exact: true }).waitFor();
    await click(page.getByRole('button', { name: 'Authorize at the provider' }));
    await click(page.getByRole('button', { name: 'Allow', exact: true }));
    await page.getByText('The cloud certificate was authorized.').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/batch/dashboard/profiles/${name}`);
    expect(await page.getByText('not authorized', { exact: true }).count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    await takePicture(page, 'dashboard-cloud-certificate');
    await click(page.getByText('Remove…'));
    await click(page.getByRole('button', { name: 'Remove this profile' }));
    await page.waitForURL(/dashboard\/profiles\?done/);
    expect(seen).toEqual({ outside: [], errors: [] });
    await close();
  });
});
