import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { vi } from 'vitest';

/** A message as the server got it. */
export type Arrived = { readonly to: string; readonly raw: string; readonly mail: Email };

type Answer = { readonly code: number; readonly words: string };

/** A real mail server. It takes messages, refuses them, or says nothing, as a test tells it. */
export async function startSmtpServer(options: SMTPServerOptions = {}) {
  const arrived: Arrived[] = [];
  let refusal: Answer | undefined;
  const silence = { isOn: false, end: Promise.withResolvers<void>(), begun: Promise.withResolvers<void>() };
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 10,
    onRcptTo: (_address, _session, answer) => {
      answer(refusal && Object.assign(new Error(refusal.words), { responseCode: refusal.code }));
    },
    onData: async (stream, { envelope }, answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
      const raw = Buffer.concat(chunks);
      arrived.push({
        to: envelope.rcptTo.map(({ address }) => address).join(),
        raw: raw.toString('latin1'),
        mail: await PostalMime.parse(raw),
      });
      if (silence.isOn) {
        silence.begun.resolve();
        await silence.end.promise;
      }
      answer();
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  vi.stubEnv('Mail__Smtp__Server', `smtp://127.0.0.1:${port}`);
  vi.stubEnv('Mail__Smtp__From', 'Sinete <no-reply@sandbox.example>');
  return {
    port,
    arrived,
    /** Empties what arrived. */
    forget: () => arrived.splice(0),
    refuse: (code: number, words: string) => {
      refusal = { code, words };
    },
    accept: () => {
      refusal = undefined;
    },
    /** Answers no message until `end` is called. `begun` resolves when one waits. */
    hang: () => {
      silence.isOn = true;
      return {
        begun: silence.begun.promise,
        end: () => {
          silence.isOn = false;
          silence.end.resolve();
        },
      };
    },
    stop: () => Promise.race([new Promise<void>((resolve) => server.close(() => resolve())), pause(1_000)]),
  };
}

export type SmtpTestServer = Awaited<ReturnType<typeof startSmtpServer>>;
