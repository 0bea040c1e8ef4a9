import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { composeMail } from '../../../../functions/batch/approvals/domain/mail/compose-mail.ts';
import {
  mailApprover,
  mailApprovers,
  mails,
} from '../../../../functions/batch/approvals/domain/mail/send-mail.ts';
import { portalLinkOf } from '../../../../functions/batch/approvals/domain/portal-link.ts';
import { handler as sendMailWorker } from '../../../../functions/batch/approvals/workers/send-mail.ts';
import { readEvents } from '../../../../functions/batch/operations/domain/events.ts';
import { renderLetter } from '../../../../shared/mail/letter.ts';
import { MAIL_QUEUE } from '../../../../shared/mail/queue.ts';
import { MAIL_LEASE_MS } from '../../../../shared/mail/record.ts';
import { sendMail } from '../../../../shared/mail/smtp.ts';
import { countedSeries, takeCounted } from '../../../../shared/metrics/count.ts';
import { sendDueMessages } from '../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { killedAt } from '../../../faults/crash.ts';
import { forFile } from '../../../runner/for-file.ts';
import { type SmtpTestServer, startSmtpServer } from '../../../servers/smtp-server.ts';
import { drainQueue } from '../../drain-queue.ts';
import { ANA, approvalStage, BRUNO, CARLA, paid, personOf } from './approval-stage.ts';

let smtp: SmtpTestServer;
const stage = await forFile(approvalStage());
beforeEach(async () => {
  smtp = await startSmtpServer();
  vi.stubEnv('ApproverPortal__LinkSecret', 'a-link-secret-of-thirty-two-characters');
});
afterEach(async () => {
  vi.useRealTimers();
  await smtp.stop();
});

const work = () => drainQueue('batch', MAIL_QUEUE, sendMailWorker);
/** Sends what is due at this time, and works on it. */
async function sweep(atMs: number) {
  vi.useFakeTimers({ toFake: ['Date'], now: atMs });
  await scheduleHandler('batch', 'send-due', sendDueMessages('batch'), () => atMs)();
  await work();
}
const recipients = () => smtp.arrived.map(({ to }) => to).toSorted();
const failuresOf = async (jobId: string) => {
  const { events } = await readEvents({ offset: 0, limit: 50 }, 'ApprovalMailFailed');
  return events.filter((event) => event.jobId === jobId).map(({ message }) => message);
};
const EVERYBODY = [ANA.email, BRUNO.email, CARLA.email];
const MINUTE = 60_000;
const as = ({ email }: { readonly email: string }, decision = 'approved') => ({ email, decision });

describe('mail to approvers', () => {
  test('is one message per person and job, however often the worker is told', async () => {
    const { id } = await stage.parked();
    await work();
    await mailApprovers(id, Date.now);
    await work();
    for (const address of EVERYBODY) expect(await mailApprover(id, address, Date.now)).toBe('done before');
    expect(recipients()).toEqual(EVERYBODY);
  });

  test('is sent from the outbox where its message to the queue was lost', async () => {
    await stage.parked();
    // Nobody works on it, and nothing is forgotten.
    expect(await drainQueue('batch', MAIL_QUEUE, async () => ({ batchItemFailures: [] }))).toHaveLength(1);
    await sweep(Date.now() + 2 * MINUTE);
    expect(recipients()).toEqual(EVERYBODY);
  });

  test('goes to fifty people, who are told one by one', async () => {
    const approvers = Array.from({ length: 50 }, (_, n) => personOf(n));
    await stage.profile({ name: 'many', checkCnab240: true, approval: { quorum: 2, approvers } });
    const { id } = await stage.upload('fifty.rem', paid(), { profile: 'many' });
    await stage.run();
    expect((await stage.job(id)).state).toBe('AwaitingApproval');
    await work();
    expect(recipients()).toEqual(approvers.map(({ email }) => email).toSorted());
  });

  test('is off by default: a job is parked without it', async () => {
    vi.stubEnv('Mail__Smtp__Server', '');
    const { id, state } = await stage.parked();
    expect(state).toBe('AwaitingApproval');
    expect(await work()).toEqual([]);
    expect(await mailApprover(id, ANA.email, Date.now)).toBe('off');
  });

  test('is not sent to somebody who has decided, nor about a job that no longer waits', async () => {
    const one = await stage.parked();
    await stage.decide(one.id, as(ANA));
    await work();
    expect(recipients()).toEqual([BRUNO.email, CARLA.email]);
    smtp.forget();
    const other = await stage.parked();
    await mailApprovers(other.id, Date.now);
    await stage.decide(other.id, as(ANA, 'rejected'));
    await work();
    const expired = await stage.parked();
    const later = () => Date.now() + 3 * 24 * 60 * MINUTE;
    expect(await mailApprover(expired.id, ANA.email, later)).toBe('not needed');
    expect(await mailApprover(expired.id, 'mallory@sandbox.example', Date.now)).toBe('not needed');
    expect(recipients()).toEqual([]);
    await work();
  });

  test('has a link per person to the very job, and the figures of the file', async () => {
    const { id } = await stage.parked('folha-de-maio.rem');
    await work();
    for (const { to, mail } of smtp.arrived) {
      const others = EVERYBODY.filter((each) => each !== to);
      for (const body of [mail.text ?? '', mail.html ?? '']) {
        expect(body).toContain(portalLinkOf(to, id));
        for (const other of others) expect(body).not.toContain(portalLinkOf(other));
        expect(body).toContain('folha-de-maio.rem');
        expect(body).toMatch(/R\$ [\d.]+,\d\d/);
        expect(body).toMatch(/31\/12\/2099/);
        expect(body).toMatch(/Dec 31, 2099/);
      }
      expect(mail.subject).toBe('Aprovar pagamentos / Approve payments: folha-de-maio.rem');
    }
    expect(new Set(smtp.arrived.map(({ mail }) => mail.messageId)).size).toBe(3);
  });

  test.each([
    [
      'the portal, where an identity provider signs people in',
      { Idp__Authority: 'https://idp.example' },
      /\/batch\/approvals\/jobs\/[\da-f-]{36}$/m,
    ],
    [
      'nothing, where neither is there: nobody decides on what they cannot see',
      {},
      /O operador fornece o link/,
    ],
  ])('links without a link secret to %s', async (_, env, expected) => {
    vi.stubEnv('ApproverPortal__LinkSecret', '');
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    await stage.parked();
    await work();
    for (const name of Object.keys(env)) vi.stubEnv(name, undefined);
    for (const { mail } of smtp.arrived) expect(mail.text).toMatch(expected);
    expect(smtp.arrived).toHaveLength(3);
  });

  test('never contains the file or a payee', async () => {
    const content = paid();
    await stage.parked('secret.rem', content);
    await work();
    const lines = content.split('\r\n').filter((line) => line.trim() !== '');
    // The longest words of the file: names of companies and payees, and accounts.
    const words = lines.flatMap((line) => line.split(/\s{2,}/)).filter((word) => /[A-Z]{4}/.test(word));
    expect(words.length).toBeGreaterThan(0);
    for (const { mail, raw } of smtp.arrived) {
      expect(mail.attachments).toEqual([]);
      const all = [raw, mail.text, mail.html, mail.subject].join('\n');
      for (const part of [...lines, ...words]) expect(all).not.toContain(part);
    }
    expect(smtp.arrived).toHaveLength(3);
  });

  test('takes CR LF in the names of files and people for a space, and adds no header', async () => {
    const { approval, cnab240, id } = await stage.parked();
    if (!approval) throw new Error('The job has no approval.');
    await work();
    smtp.forget();
    const job = {
      id,
      cnab240,
      approval,
      fileName: 'a\r\nBcc: mallory@evil.example\r\n\r\n<b>Hi</b>\u202e.rem',
    };
    const eva = { ...ANA, name: 'Eva\r\nX-Injected: 1\nCc: <mallory@evil.example>' };
    const from = 'no-reply@sandbox.example';
    await sendMail(
      { ...(await renderLetter(composeMail(job, eva))), from, messageId: '<one@sandbox.example>' },
      {
        server: { host: '127.0.0.1', port: smtp.port, secure: false },
        ...{ user: '', password: '' },
      },
    );
    const [{ to, mail, raw } = expect.fail('Nothing arrived.')] = smtp.arrived;
    expect(to).toBe(ANA.email);
    expect(mail.to?.map(({ address }) => address)).toEqual([ANA.email]);
    expect([mail.cc, mail.bcc]).toEqual([undefined, undefined]);
    const [headers] = raw.split('\r\n\r\n');
    expect(headers).not.toMatch(/^(Bcc|Cc|X-Injected):/im);
    expect(mail.subject).toMatch(/: a Bcc: mallory@evil\.example <b>Hi<\/b> \.rem$/);
    expect(mail.html).toContain('&lt;b&gt;Hi&lt;/b&gt;');
  });
});

describe('a mail server', () => {
  test('that refuses for now gets the message again later', async () => {
    const startMs = Date.now();
    const { id } = await stage.parked();
    smtp.refuse(451, 'Greylisted');
    await work();
    smtp.accept();
    await sweep(startMs + 30_000);
    expect(recipients()).toEqual([]);
    await sweep(Date.now() + 2 * MINUTE);
    expect(recipients()).toEqual(EVERYBODY);
    expect(await failuresOf(id)).toEqual([]);
  });

  test('that refuses for a day is given up, with an event, and the job still waits', async () => {
    const startMs = Date.now();
    stage.stopClock(startMs);
    takeCounted();
    const { id } = await stage.parked();
    smtp.refuse(451, 'Greylisted');
    await work();
    let atMs = startMs;
    for (const minutes of [1, 5, 15, 30, 60, 120, 240, 480, 480]) {
      expect(await failuresOf(id)).toEqual([]);
      atMs += minutes * MINUTE + 1;
      await sweep(atMs);
    }
    expect(atMs - startMs).toBeGreaterThan(23 * 60 * MINUTE);
    expect((await failuresOf(id)).toSorted()).toEqual(
      EVERYBODY.map((address) => expect.stringContaining(`${address} was not notified by mail.`)),
    );
    expect((await failuresOf(id))[0]).toContain('451 Greylisted');
    expect((await stage.job(id)).state).toBe('AwaitingApproval');
    // For the alarm of deliveries.
    expect(countedSeries()).toContainEqual(
      expect.objectContaining({
        ...{ name: 'Deliveries', value: EVERYBODY.length },
        dimensions: { Service: 'batch', Channel: 'mail', Outcome: 'exhausted' },
      }),
    );
  });

  test('that refuses for good is not asked again: the event names the address and its words', async () => {
    const { id } = await stage.parked('refused.rem');
    smtp.refuse(550, 'No such user here');
    await work();
    expect((await failuresOf(id)).toSorted()[0]).toMatch(
      /^refused\.rem: ana@sandbox\.example was not notified by mail\. .*550 No such user here$/,
    );
    smtp.accept();
    await sweep(Date.now() + 2 * MINUTE);
    expect(recipients()).toEqual([]);
    expect(await failuresOf(id)).toHaveLength(3);
    expect((await stage.job(id)).state).toBe('AwaitingApproval');
  });

  test('that hangs delays no decision', async () => {
    const { id } = await stage.parked();
    const { begun, end } = smtp.hang();
    const working = work();
    await begun;
    expect((await stage.decide(id, as(ANA))).json()).toMatchObject({ approved: 1 });
    expect((await stage.decide(id, as(BRUNO))).json()).toMatchObject({ quorumMet: true, released: true });
    await stage.run();
    expect((await stage.job(id)).state).toBe('Completed');
    expect((await mails.get({ about: id, name: ANA.email }))?.state).toBe('sending');
    end();
    await working;
  });

  // worker 1  |--claim-- sends -- killed
  // worker 2       |--held                 lease ends |--claim-- sends --sent--|
  //
  // The message is not lost with its worker. The server has it twice then, under one Message-ID.
  test.each([
    ['after the claim', 1, 'after', 1],
    ['before it is marked as sent', 2, 'before', 2],
  ] as const)('gets the message of a worker that was killed %s', async (_, write, moment, copies) => {
    const nowMs = Date.now();
    const { id } = await stage.parked();
    const now = () => nowMs;
    const { email } = ANA;
    expect(await killedAt(write, moment, () => mailApprover(id, email, now))).toBe(true);
    expect(smtp.arrived).toHaveLength(copies - 1);
    expect(await mailApprover(id, email, now)).toBe('busy');
    expect(smtp.arrived).toHaveLength(copies - 1);
    await work();
    await sweep(nowMs + MAIL_LEASE_MS + 1);
    const toAna = smtp.arrived.filter(({ to }) => to === email);
    expect(toAna).toHaveLength(copies);
    expect(new Set(toAna.map(({ mail }) => mail.messageId)).size).toBe(1);
    expect(await mails.get({ about: id, name: email })).toMatchObject({ state: 'sent' });
    await sweep(nowMs + 5 * MINUTE);
    expect(smtp.arrived).toHaveLength(copies + 2);
  });

  test('gets a message once from workers that meet', async () => {
    const { id } = await stage.parked();
    const workers = Array.from({ length: 8 }, () => mailApprover(id, ANA.email, Date.now));
    const outcomes = await Promise.all(workers);
    expect(outcomes.filter((outcome) => outcome === 'sent')).toHaveLength(1);
    expect(recipients()).toEqual([ANA.email]);
    await work();
  });
});
