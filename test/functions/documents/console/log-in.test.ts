import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { inviteMember } from '../../../../functions/documents/domain/members/members.ts';
import { forFile } from '../../../runner/for-file.ts';
import { startSmtpServer } from '../../../servers/smtp-server.ts';
import { workOnMail } from '../mail/mail-stage.ts';
import { atLogin, memberStage, sessionOf, visitorWith } from './member-stage.ts';

const smtp = await forFile(startSmtpServer());
vi.stubEnv('Network__AllowPrivateAddresses', 'true');
afterEach(() => {
  vi.useRealTimers();
  smtp.forget();
});

const keyIn = (text = ''): string => /login\/link\?key=([\w-]+)/.exec(text)?.[1] ?? '';

/** The key of the link that this address was sent. */
async function sentKey(email: string): Promise<string> {
  await workOnMail();
  return keyIn(smtp.forget().find(({ to }) => to === email)?.mail.text);
}

const MINUTE_MS = 60_000;

describe('a link by mail', () => {
  test('logs in once, after a button: programs that look at mail follow links', async () => {
    const { add } = await memberStage();
    const { email } = await add();
    const asked = await atLogin.send('link', { email: ` ${email.toUpperCase()} ` });
    expect(asked.status).toBe(200);
    const key = await sentKey(email);
    for (let n = 0; n < 3; n++) {
      const { status, text } = await atLogin.show('link', { key });
      expect([status, text.includes(email)]).toEqual([200, true]);
    }
    const ReturnUrl = '/documents/console/organization?x=1';
    const { status, headers, cookies } = await atLogin.send('enter', { key, ReturnUrl });
    expect([status, headers.location]).toEqual([303, ReturnUrl]);
    expect(cookies.join()).toMatch(/HttpOnly.*SameSite/i);
    expect((await visitorWith(sessionOf(cookies)).show('')).status).toBe(200);
    expect((await atLogin.send('enter', { key })).status).toBe(410);
    expect((await atLogin.show('link', { key })).status).toBe(410);
  });

  test('of two browsers at once lets one in', async () => {
    const { add } = await memberStage();
    const { email } = await add();
    await atLogin.send('link', { email });
    const key = await sentKey(email);
    const both = await Promise.all([1, 2].map(() => atLogin.send('enter', { key })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 410]);
  });

  test('is over after 15 minutes', async () => {
    const { add } = await memberStage();
    const { email } = await add();
    await atLogin.send('link', { email });
    const key = await sentKey(email);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * MINUTE_MS });
    expect((await atLogin.send('enter', { key })).status).toBe(410);
  });

  test('is sent to members alone, and the answer does not tell who is one', async () => {
    const { add } = await memberStage();
    const { email } = await add();
    const stranger = `${randomUUID()}@members.example`;
    const [known, unknown] = [
      await atLogin.send('link', { email }),
      await atLogin.send('link', { email: stranger }),
    ];
    expect(known.text.replaceAll(email, '')).toBe(unknown.text.replaceAll(stranger, ''));
    await workOnMail();
    expect(smtp.forget().map(({ to }) => to)).toEqual([email]);
  });

  test('comes once in a minute, however often it is asked for', async () => {
    const { add } = await memberStage();
    const { email } = await add();
    vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS });
    for (let n = 0; n < 3; n++) await atLogin.send('link', { email });
    await workOnMail();
    expect(smtp.forget()).toHaveLength(1);
  });

  test('of an invitation begins with the organization that invited', async () => {
    const { add, people } = await memberStage();
    const other = await memberStage();
    const { email } = await add();
    const invitation = { name: 'Bia', email, cpf: null, role: 'Owner' } as const;
    await inviteMember(other.caller, other.orgId, invitation, Date.now());
    const { cookies } = await atLogin.send('enter', { key: await sentKey(email) });
    const { text } = await visitorWith(sessionOf(cookies)).show('organization/members');
    expect(text).toContain(other.people.Owner.id);
    expect(text).not.toContain(people.Owner.id);
  });
});

describe('the log-in', () => {
  test.each([
    '//evil.example',
    'https://evil.example',
    '/documents/../batch',
    '/batch/jobs',
    '/documents/api',
  ])('never leads elsewhere than to the console: %s', async (ReturnUrl) => {
    const { add } = await memberStage();
    const { email } = await add();
    await atLogin.send('link', { email });
    const { headers } = await atLogin.send('enter', { key: await sentKey(email), ReturnUrl });
    expect(headers.location).toBe('/documents/console');
  });

  test('as the owner of the sandbox is of the local stage alone', async () => {
    const { orgId } = await memberStage();
    vi.stubEnv('SANDBOX_ORGANIZATION', orgId);
    const { status, cookies } = await atLogin.send('sandbox');
    expect(status).toBe(303);
    expect((await visitorWith(sessionOf(cookies)).show('organization')).text).toContain('Owner');
    expect((await atLogin.send('sandbox', {}, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    vi.stubEnv('SANDBOX_ORGANIZATION', '');
    expect((await atLogin.send('sandbox')).status).toBe(404);
  });

  test('ends with a log-out, on the server too', async () => {
    const { people } = await memberStage();
    const Cookie = `sinete-member=${people.Member.session}`;
    expect((await atLogin.show(undefined, {}, { Cookie })).text).toContain('You are logged in');
    expect((await atLogin.send('out', {}, { Cookie })).status).toBe(303);
    expect((await people.Member.show('')).status).toBe(303);
  });

  test('is in the language of the link, which is remembered', async () => {
    const { text, cookies } = await atLogin.show(undefined, { lang: 'pt-BR' });
    expect(text).toContain('Entrar');
    expect(cookies.join()).toContain('sinete-language=pt-BR');
    const Cookie = 'sinete-language=pt-BR';
    expect((await atLogin.show(undefined, {}, { Cookie })).text).toContain('Entrar');
  });

  test('a step that is none is a page for a browser and a refusal for a program', async () => {
    expect((await atLogin.send('constructor')).status).toBe(404);
    const { status, headers } = await atLogin.show('nothing', {}, { Accept: 'application/json' });
    expect([status, headers['content-type']]).toEqual([404, expect.stringContaining('json')]);
  });
});
