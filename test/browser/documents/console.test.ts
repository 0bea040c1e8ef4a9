import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { sharedEngine } from '../../servers/shared-engine.ts';
import { barriers, barriersInBothSchemes } from '../barriers.ts';
import { click, describeInChromium, openBrowser, openPageAt, takePicture, watch } from '../chromium.ts';
import { look, PHONE, PHONE_IN_PORTUGUESE } from '../look.ts';

const PAGES = [
  '',
  'organization',
  'organization/members',
  'organization/webhooks',
  'organization/applications',
  'organization/usage',
];

describeInChromium('the console of members in Chromium', () => {
  let url: string;
  let dataDir: string;
  let browser: Browser;
  beforeAll(async () => {
    const [engine, opened] = await Promise.all([sharedEngine(), openBrowser()]);
    [url, dataDir, browser] = [engine.url, engine.dataDir, opened];
  }, 120_000);

  test('one click leads in, and no page has barriers', async () => {
    const page = await openPageAt(browser, url, PHONE_IN_PORTUGUESE);
    const seen = watch(page, url);
    await click(page.getByRole('button', { name: 'Abrir o painel' }));
    await page.waitForURL(`${url}/documents/console`);
    for (const path of PAGES) {
      await page.goto(`${url}/documents/console${path && `/${path}`}`);
      const name = `console-${path.replace('organization/', '') || 'home'}`;
      await look(page, name, path === 'organization/members' ? barriersInBothSchemes : barriers);
    }
    expect(seen).toEqual({ outside: [], errors: [] });
    await page.context().close();
  });

  test('a webhook is added and tried, and its delivery shows what was sent and answered', async () => {
    const page = await openPageAt(browser, url, { colorScheme: 'dark', ...PHONE });
    const seen = watch(page, url);
    await click(page.getByRole('button', { name: 'Open the console' }));
    await page.waitForURL(`${url}/documents/console`);
    // The address from before the console leads to its page.
    await page.goto(`${url}/documents/webhooks`);
    await page.waitForURL(`${url}/documents/console/organization/webhooks`);
    const receiver = `${url}/sandbox/receiver/console-${Date.now()}`;
    await page.getByLabel('Address').fill(receiver);
    await click(page.getByRole('button', { name: 'Add', exact: true }));
    await click(page.getByRole('button', { name: `Send a test: ${receiver}` }));
    await page.getByText('Delivered').last().waitFor();
    await look(page, 'console-deliveries-dark');
    await click(page.getByRole('link', { name: 'WebhookTest' }));
    await page.getByText('HTTP 200').waitFor();
    expect(await page.locator('.delivery pre').textContent()).toContain('"type": "WebhookTest"');
    await look(page, 'console-delivery-dark');
    await page.goto(`${url}/documents/console/organization/webhooks`);
    const row = page.getByRole('row').filter({ hasText: receiver });
    await row.getByText('Delete…').click();
    await click(row.getByRole('button', { name: 'Delete' }));
    await page.getByText('The webhook was deleted.').waitFor();
    expect(seen).toEqual({ outside: [], errors: [] });
    await page.context().close();
  });

  test('an owner invites somebody, who logs in by the link in the mail and is logged out when removed', async () => {
    const owner = await openPageAt(browser, url);
    await click(owner.getByRole('button', { name: 'Open the console' }));
    await owner.goto(`${url}/documents/console/organization/members`);
    const email = `bia-${Date.now()}@sandbox.example`;
    await owner.getByLabel('Name', { exact: true }).fill('Bia Lima');
    await owner.getByLabel('E-mail address').fill(email);
    await click(owner.getByRole('button', { name: 'Invite' }));
    const mailbox = `${url}/sandbox/mailbox/${email}`;
    const linkOf = async () => {
      const mails = await (await fetch(mailbox, { headers: { accept: 'application/json' } })).text();
      return /http[^\s"\\]*\/documents\/login\/link\?key=[\w-]+/.exec(mails)?.[0];
    };
    await expect.poll(linkOf).toBeDefined();
    const member = await openPageAt(browser, (await linkOf()) ?? '');
    expect(await barriers(member)).toEqual([]);
    await takePicture(member, 'console-link');
    await click(member.getByRole('button', { name: 'Log in' }));
    await member.waitForURL(`${url}/documents/console`);
    expect(await member.locator('.navigation').textContent()).toContain('Bia Lima');
    await owner.goto(`${url}/documents/console/organization/members`);
    const row = owner.getByRole('row', { name: /Bia Lima/ }).filter({ hasText: email });
    await row.getByText('Remove…').click();
    await click(row.getByRole('button', { name: 'Remove' }));
    await member.goto(`${url}/documents/console/organization`);
    await member.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
    expect(await barriers(member)).toEqual([]);
    await takePicture(member, 'console-login');
    for (const page of [owner, member]) await page.context().close();
  });

  test('a certificate file logs in, and neither it nor its password is sent', async () => {
    const page = await openPageAt(browser, `${url}/documents/console/organization`);
    await click(page.getByRole('link', { name: 'Log in with your certificate' }));
    expect(await barriers(page)).toEqual([]);
    await takePicture(page, 'console-certificate');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await page.getByLabel('Certificate file').setInputFiles(join(dataDir, 'pki/holders/52998224725.p12'));
    await page.getByLabel('Certificate password').fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.locator('.problem:not([hidden])').waitFor();
    await page.getByLabel('Certificate password').fill('1234');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL(`${url}/documents/console/organization`);
    const names = [...new URLSearchParams(sent.find((body) => body.includes('signature=')) ?? '').keys()];
    expect(names).toEqual(['ReturnUrl', 'state', 'certificate', 'signature']);
    await page.context().close();
  });
});
