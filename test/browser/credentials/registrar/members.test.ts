import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { INSTITUTE_ID, UNIVERSITY_ID } from '../../../../functions/sandbox/sandbox-data.ts';
import { sharedEngine } from '../../../servers/shared-engine.ts';
import { barriers } from '../../barriers.ts';
import { click, describeInChromium, openBrowser, openPageAt, watch } from '../../chromium.ts';
import { look, PHONE_IN_PORTUGUESE } from '../../look.ts';

const PAGES = [
  'organization',
  'organization/institutes',
  `organization/institutes/${INSTITUTE_ID}`,
  'organization/members',
  'organization/webhooks',
  `organization/webhooks/${UNIVERSITY_ID}`,
];

describeInChromium("the registrar's console in Chromium", () => {
  let url: string;
  let dataDir: string;
  let browser: Browser;
  beforeAll(async () => {
    const [engine, opened] = await Promise.all([sharedEngine(), openBrowser()]);
    [url, dataDir, browser] = [engine.url, engine.dataDir, opened];
  }, 120_000);

  test('one click leads in, and no page about the organization has barriers', async () => {
    const page = await openPageAt(browser, url, PHONE_IN_PORTUGUESE);
    const seen = watch(page, url);
    await click(page.getByRole('button', { name: 'Abrir a secretaria acadêmica' }));
    await page.waitForURL(`${url}/credentials/console**`);
    for (const path of PAGES) {
      await page.goto(`${url}/credentials/console/${path}`);
      await look(page, `registrar-${path.replace('organization/', '').replace(/\/.*/, '-form')}`);
    }
    expect(seen).toEqual({ outside: [], errors: [] });
    await page.context().close();
  });

  test('an administrator invites a registrar, who logs in by the link in the mail and is logged out when removed', async () => {
    const administrator = await openPageAt(browser, url);
    await click(administrator.getByRole('button', { name: 'Open the registrar’s console' }));
    const members = `${url}/credentials/console/organization/members`;
    await administrator.goto(members);
    const email = `bia-${Date.now()}@sandbox.example`;
    await administrator.getByLabel('Name', { exact: true }).fill('Bia Lima');
    await administrator.getByLabel('E-mail address').fill(email);
    await click(administrator.getByRole('button', { name: 'Invite' }));
    const linkOf = async () => {
      const headers = { accept: 'application/json' };
      const mails = await (await fetch(`${url}/sandbox/mailbox/${email}`, { headers })).text();
      return /http[^\s"\\]*\/credentials\/login\/link\?key=[\w-]+/.exec(mails)?.[0];
    };
    await expect.poll(linkOf).toBeDefined();
    const member = await openPageAt(browser, (await linkOf()) ?? '');
    await click(member.getByRole('button', { name: 'Log in' }));
    await member.waitForURL(`${url}/credentials/console**`);
    await member.goto(`${url}/credentials/console/organization/webhooks`);
    expect(await member.locator('h1').textContent()).toBe('Your role does not allow this');
    expect(await barriers(member)).toEqual([]);
    await administrator.goto(members);
    const row = administrator.getByRole('row', { name: /Bia Lima/ }).filter({ hasText: email });
    await row.getByText('Remove…').click();
    await click(row.getByRole('button', { name: 'Remove' }));
    await member.goto(`${url}/credentials/console/organization`);
    await member.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
    for (const page of [administrator, member]) await page.context().close();
  });

  test('a certificate file logs in', async () => {
    const page = await openPageAt(browser, `${url}/credentials/console/organization`);
    await click(page.getByRole('link', { name: 'Log in with your certificate' }));
    await page.getByLabel('Certificate file').setInputFiles(join(dataDir, 'pki/holders/52998224725.p12'));
    await page.getByLabel('Certificate password').fill('1234');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL(`${url}/credentials/console/organization`);
    await page.context().close();
  });
});
