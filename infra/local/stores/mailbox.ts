// A mail server on this machine: smtp-server. What arrives is kept in the sandbox's table, and goes nowhere.
import type { AddressInfo } from 'node:net';
import PostalMime, { type Address } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { keepMail, MAX_MAIL_BYTES } from '../../../functions/sandbox/mailbox/domain/mailbox.ts';

export type Mailbox = {
  /** Settings by which the functions send their mail here. */
  env: Record<string, string>;
  stop(): Promise<void>;
};

const SERVER = 'Mail__Smtp__Server';
const FROM = 'Mail__Smtp__From';

/** Connections that are left at a stop are cut off after so long. Their messages are sent again. */
const CLOSE_MS = 1_000;

/**
 * Starts a mail server on a free port that only this machine can connect to; none where the environment names another,
 * or the empty text, which sends no mail.
 * @example const { env, stop } = await startMailbox(process.env);
 */
export async function startMailbox(given: NodeJS.ProcessEnv): Promise<Mailbox> {
  const isNamed = ['', 'batch__', 'documents__'].some((owner) => given[`${owner}${SERVER}`] !== undefined);
  if (isNamed) return { env: {}, stop: async () => {} };
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, answer) => answer(null, { user: 'anybody' }),
    size: MAX_MAIL_BYTES,
    closeTimeout: CLOSE_MS,
    onData: (stream, { envelope }, answer) => {
      keep(
        stream,
        envelope.rcptTo.map(({ address }) => address),
      ).then(
        () => answer(),
        (error: Error) => answer(error),
      );
    },
  });
  // A client that goes away. Without a listener it would end the engine.
  server.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    env: {
      [SERVER]: `smtp://127.0.0.1:${port}`,
      [FROM]: given[FROM] ?? 'Sinete <no-reply@sandbox.example>',
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function keep(stream: SMTPServerDataStream, addresses: readonly string[]): Promise<void> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_MAIL_BYTES) chunks.push(chunk);
  }
  if (bytes > MAX_MAIL_BYTES)
    throw Object.assign(new Error(`The sandbox takes messages up to ${MAX_MAIL_BYTES} bytes.`), {
      responseCode: 552,
    });
  const { from, to = [], subject = '', text = '', html } = await PostalMime.parse(Buffer.concat(chunks));
  const mail = {
    from: from ? shown(from) : '',
    to: to.map(shown),
    subject,
    text,
    ...(html !== undefined && { html }),
  };
  for (const address of addresses) await keepMail({ ...mail, address: address.toLowerCase() }, Date.now());
}

const shown = ({ name, address }: Address): string => (name ? `${name} <${address ?? ''}>` : (address ?? ''));
