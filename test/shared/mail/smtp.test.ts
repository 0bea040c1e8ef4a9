import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type MailFailed, sendMail } from '../../../shared/mail/smtp.ts';
import { smtpServer } from '../../../shared/mail/smtp-server.ts';
import { type SmtpTestServer, startSmtpServer } from '../../servers/smtp-server.ts';

let smtp: SmtpTestServer | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  await smtp?.stop();
  smtp = undefined;
});

const mail = {
  from: 'Sinete <no-reply@sandbox.example>',
  to: { name: 'Ana', address: 'ana@sandbox.example' },
  subject: 'Olá',
  text: 'Texto',
  html: '<p>Texto</p>',
  messageId: '<one@sandbox.example>',
};
const reach = { allowPrivateAddresses: true };
const at = (port: number, host = '127.0.0.1', secure = false) => ({
  server: { host, port, secure },
  user: '',
  password: '',
  reach,
});
const failure = (sending: Promise<void>): Promise<MailFailed> =>
  sending.then(
    () => expect.fail('It was sent.'),
    (error: MailFailed) => error,
  );

describe('the setting of a mail server', () => {
  const { parse } = smtpServer('Mail.');
  test.each([
    ['smtp://mail.example:2525', { host: 'mail.example', port: 2525, secure: false }],
    ['smtp://mail.example', { host: 'mail.example', port: 587, secure: false }],
    ['smtps://mail.example/', { host: 'mail.example', port: 465, secure: true }],
    ['smtp://[::1]:25', { host: '::1', port: 25, secure: false }],
    ['', undefined],
  ])('%s is understood', (given, expected) => {
    expect(parse(given)).toEqual(expected);
  });

  test.each([
    ['mail.example', 'must be smtp://HOST:PORT'],
    ['https://mail.example', 'must be smtp://HOST:PORT'],
    ['smtp://', 'must be smtp://HOST:PORT'],
    ['smtp://mail.example:0', 'must be smtp://HOST:PORT'],
    ['smtp://mail.example:99999', 'must be smtp://HOST:PORT'],
    ['smtp://user:secret@mail.example', 'Mail:Smtp:User'],
    ['smtp://mail.example/inbox', 'must end after the host'],
    ['smtp://mail.example?pool=true', 'must end after the host'],
  ])('%s is refused', (given, reason) => {
    expect(() => parse(given)).toThrow(reason);
  });
});

describe('a message to a mail server', () => {
  test('arrives with its texts, and says that a program sent it', async () => {
    smtp = await startSmtpServer();
    await sendMail(mail, at(smtp.port));
    const [{ mail: arrived, raw } = expect.fail('Nothing arrived.')] = smtp.arrived;
    expect(arrived).toMatchObject({ subject: 'Olá', messageId: mail.messageId, to: [mail.to] });
    expect(arrived.text?.trim()).toBe('Texto');
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  });

  test('is not sent to a private address unless Network:AllowPrivateAddresses says so', async () => {
    smtp = await startSmtpServer();
    for (const host of ['127.0.0.1', 'localhost'])
      expect(
        await failure(sendMail(mail, { ...at(smtp.port, host), reach: { allowPrivateAddresses: false } })),
      ).toMatchObject({ isFinal: true, message: expect.stringContaining('not on the public internet') });
    expect(smtp.arrived).toEqual([]);
  });

  test.each([
    [450, false],
    [421, false],
    [550, true],
    [552, true],
  ])('that is answered %i is refused for good: %s', async (code, isFinal) => {
    smtp = await startSmtpServer();
    smtp.refuse(code, 'Not this one');
    expect(await failure(sendMail(mail, at(smtp.port)))).toMatchObject({
      isFinal,
      message: expect.stringContaining(`${code} Not this one`),
    });
  });

  // RFC 4954: a password that an operator can still mend.
  test.each([530, 534, 535, 538])('may be tried again where the login is answered %i', async (code) => {
    smtp = await startSmtpServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, answer) =>
        answer(Object.assign(new Error('Wrong password'), { responseCode: code })),
    });
    const options = { ...at(smtp.port), user: 'sinete', password: 'wrong' };
    expect(await failure(sendMail(mail, options))).toMatchObject({
      isFinal: false,
      message: expect.stringContaining(`${code} Wrong password`),
    });
    expect(smtp.arrived).toEqual([]);
  });

  test('may be tried again where a server that wants a login gets none', async () => {
    smtp = await startSmtpServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
    expect(await failure(sendMail(mail, at(smtp.port)))).toMatchObject({
      isFinal: false,
      message: expect.stringContaining('530'),
    });
  });

  test('may be tried again where nobody listens', async () => {
    smtp = await startSmtpServer();
    const { port } = smtp;
    await smtp.stop();
    expect(await failure(sendMail(mail, at(port)))).toMatchObject({ isFinal: false });
  });

  test.each([
    ['says nothing', { silenceMs: 50 }, 'did not answer in time'],
    ['talks forever', { sendMs: 100 }, 'did not take the message within 100 ms'],
  ])('ends in time at a server that %s', async (kind, times, reason) => {
    const open = new Set<NodeJS.Timeout>();
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      if (kind === 'talks forever') open.add(setInterval(() => socket.write('220-wait\r\n'), 5));
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    expect(await failure(sendMail(mail, { ...at(port), ...times }))).toMatchObject({
      isFinal: false,
      message: expect.stringContaining(reason),
    });
    for (const timer of open) clearInterval(timer);
    server.close();
  });

  // The certificate of smtp-server itself is one that nobody trusts.
  test('is never sent in the clear where STARTTLS is offered with a certificate that is not trusted', async () => {
    smtp = await startSmtpServer({ disabledCommands: [], authOptional: true });
    expect(await failure(sendMail(mail, at(smtp.port)))).toMatchObject({ isFinal: false });
    expect(smtp.arrived).toEqual([]);
  });

  test.each([
    ['STARTTLS', false],
    ['TLS from the start', true],
  ])('is encrypted by %s, and the password with it', async (_, secure) => {
    const folder = mkdtempSync(join(tmpdir(), 'sinete-smtp-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const made = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
    ];
    const named = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    execFileSync('openssl', [...made, ...named, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const before = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...before, readFileSync(cert, 'utf8')]);
    const logins: unknown[] = [];
    smtp = await startSmtpServer({
      disabledCommands: [],
      secure,
      key: readFileSync(key),
      cert: readFileSync(cert),
      onAuth: ({ username, password }, session, answer) => {
        logins.push([username, password, session.secure]);
        answer(null, { user: 'x' });
      },
    });
    try {
      await sendMail(mail, { ...at(smtp.port, 'localhost', secure), user: 'sinete', password: 'secret' });
    } finally {
      tls.setDefaultCACertificates(before);
      rmSync(folder, { recursive: true });
    }
    expect(logins).toEqual([['sinete', 'secret', true]]);
    expect(smtp.arrived).toHaveLength(1);
  });
});
