import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MAX_MAIL_BYTES } from '../../../../functions/sandbox/mailbox/domain/mailbox.ts';
import { handler as getMail } from '../../../../functions/sandbox/mailbox/endpoints/get-mail.ts';
import { handler as getHtml } from '../../../../functions/sandbox/mailbox/endpoints/get-mail-html.ts';
import { handler as list } from '../../../../functions/sandbox/mailbox/endpoints/list-mail.ts';
import { handler as listMailboxes } from '../../../../functions/sandbox/mailbox/endpoints/list-mailboxes.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { type Mailbox, startMailbox } from '../../../../infra/local/stores/mailbox.ts';
import { sendMail } from '../../../../shared/mail/smtp.ts';
import { smtpServer } from '../../../../shared/mail/smtp-server.ts';
import { secondsUntil } from '../../../infra/local/engine/kills/killed-work.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { sharedEngine } from '../../../servers/shared-engine.ts';
import { paid } from '../../batch/approvals/approval-stage.ts';

type Mail = { id: string; from: string; to: string[]; subject: string; text: string; html?: string };

const mailbox = await forFile(startMailbox({}));

const serverOf = ({ env }: Mailbox) => {
  const server = smtpServer('').parse(env.Mail__Smtp__Server ?? '');
  return server ?? expect.fail('The mailbox has no address.');
};
const send = (address: string, subject: string, text: string, user = '') =>
  sendMail(
    {
      from: 'Sinete <no-reply@sandbox.example>',
      to: { name: 'Zoë', address },
      subject,
      text,
      html: '<p>ção</p>',
    },
    { server: serverOf(mailbox), user, password: user, reach: { allowPrivateAddresses: true } },
  );
const newAddress = () => `someone-${randomUUID()}@sandbox.example`;
const listed = async (address: string): Promise<Mail[]> => {
  const { status, json } = await call(list, { params: { address } });
  expect(status).toBe(200);
  return (json() as { items: Mail[] }).items;
};

describe('the mailbox of the sandbox', () => {
  test('lists what was sent to an address, in any case, the newest first', async () => {
    const address = newAddress();
    expect(await listed(address)).toEqual([]);
    await send(address, 'Primeira ação', 'Olá\n');
    await send(address, 'Segunda', 'x'.repeat(2_000), 'anybody');
    await send(newAddress(), 'Of another', '');
    const [second, first, ...none] = await listed(address.toUpperCase());
    expect(none).toEqual([]);
    expect(second).toMatchObject({ subject: 'Segunda', text: expect.stringContaining('x'.repeat(2_000)) });
    expect(first).toMatchObject({
      from: 'Sinete <no-reply@sandbox.example>',
      to: [`Zoë <${address}>`],
      subject: 'Primeira ação',
      html: expect.stringContaining('<p>ção</p>'),
    });
    expect(first?.text.trim()).toBe('Olá');
  });

  test('has one message by its id, and its HTML for a frame that runs nothing', async () => {
    const address = newAddress();
    await send(address, 'Uma', 'Texto');
    const [{ id } = expect.fail('Nothing arrived.')] = await listed(address);
    const of = (handler: typeof getMail, mailId = id) =>
      call(handler, { params: { address: address.toUpperCase(), id: mailId } });
    expect((await of(getMail)).json()).toMatchObject({ id, subject: 'Uma' });
    const { status, text, headers } = await of(getHtml);
    expect([status, text]).toEqual([200, expect.stringContaining('<base target="_blank">')]);
    expect(text).toContain('<p>ção</p>');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*; sandbox allow-popups/);
    expect(headers['content-security-policy']).not.toMatch(/script|allow-same-origin/);
    for (const handler of [getMail, getHtml]) expect((await of(handler, 'unknown')).status).toBe(404);
    const all = (await call(listMailboxes, {})).json() as { items: { address: string }[] };
    expect(all.items.map((item) => item.address)).toContain(address);
  });

  test('refuses a message that is too large for it', async () => {
    const address = newAddress();
    await expect(send(address, 'Large', 'x'.repeat(MAX_MAIL_BYTES))).rejects.toMatchObject({ isFinal: true });
    expect(await listed(address)).toEqual([]);
  });

  test.each([
    ['another server', { Mail__Smtp__Server: 'smtp://mail.example' }],
    ['no server', { Mail__Smtp__Server: '' }],
    ['a server of the batch service alone', { batch__Mail__Smtp__Server: 'smtp://mail.example' }],
    ['a server of the document platform alone', { documents__Mail__Smtp__Server: 'smtp://mail.example' }],
  ])('does not start where the environment names %s', async (_, env) => {
    const other = await startMailbox(env);
    expect(other.env).toEqual({});
    await other.stop();
  });

  test('has the message to an approver of a file that was uploaded to the engine, with a link that opens', async () => {
    const { url } = await sharedEngine();
    const name = `folha-${randomUUID()}.rem`;
    const form = new FormData();
    form.append('file', new Blob([Buffer.from(paid(), 'latin1')]), name);
    const answer = await fetch(`${url}/batch/api/files?profile=aprovacao`, {
      method: 'POST',
      headers: { 'x-api-key': SANDBOX_KEY },
      body: form,
    });
    expect([answer.status, await answer.text()]).toEqual([202, expect.any(String)]);
    let found: Mail | undefined;
    await secondsUntil(async () => {
      const { items } = (await (await fetch(`${url}/sandbox/mailbox/carla@sandbox.example`)).json()) as {
        items: Mail[];
      };
      found = items.find(({ subject }) => subject.endsWith(name));
      return found !== undefined;
    }, 60);
    expect(found).toMatchObject({ from: 'Sinete <no-reply@sandbox.example>' });
    const [link = ''] = /http:\S+\/approvals\/link\/\S+/.exec(found?.text ?? '') ?? [];
    const opened = await fetch(link, { redirect: 'manual', headers: { accept: 'text/html' } });
    expect([opened.status, opened.headers.get('set-cookie')]).toEqual([
      303,
      expect.stringContaining('lbs-approver'),
    ]);
  }, 120_000);
});
