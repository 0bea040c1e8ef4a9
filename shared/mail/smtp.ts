import { connect, type Socket } from 'node:net';
import type { SendMailOptions } from 'nodemailer';
import { withDeadline } from '../async/deadline.ts';
import {
  checkedLookup,
  isPublicAddress,
  isReachable,
  privateAddressError,
  type ReachOptions,
} from '../net/addresses.ts';
import { FetchFailed } from '../net/errors.ts';
import { literalAddress } from '../net/url.ts';
import { commonSettings } from '../settings/common.ts';
import { currentTrace } from '../trace/trace.ts';
import type { SmtpServer } from './smtp-server.ts';

/** The longest time that a message takes, and the longest silence of a server within it. */
const SEND_MS = 30_000;
const SILENCE_MS = 10_000;

/** A message was not taken. The message of the error has the words of the server, or why there are none. */
export class MailFailed extends Error {
  override readonly name = 'MailFailed';
  /** Refused for good (5xx). Otherwise it may be taken later. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isFinal = isFinal;
  }
}

export type Mail = Pick<SendMailOptions, 'from' | 'subject' | 'text' | 'html' | 'messageId'> & {
  readonly to: { readonly name: string; readonly address: string };
};

export type MailOptions = {
  readonly server: SmtpServer;
  readonly user: string;
  readonly password: string;
  /** As Network:AllowPrivateAddresses says where it is left out. */
  readonly reach?: ReachOptions;
  readonly silenceMs?: number;
  readonly sendMs?: number;
};

/**
 * Hands a message to a mail server. SSRF: the server's name is resolved once and checked, as for HTTP. Throws MailFailed
 * only. A server that accepts and is cut off before it says so has the message: the same messageId tells readers.
 * @example await sendMail(mail, { server: settings['Mail:Smtp:Server'], user: '', password: '' });
 */
export async function sendMail(mail: Mail, options: MailOptions): Promise<void> {
  const { server, sendMs = SEND_MS } = options;
  let socket: Socket | undefined;
  const late = () =>
    new MailFailed(`The mail server ${server.host} did not take the message within ${sendMs} ms.`, false);
  const trace = currentTrace();
  const send = async (): Promise<void> => {
    // Loaded when needed: a function that sends nothing does not wait for it.
    const { createTransport } = await import('nodemailer');
    socket = await connectTo(options);
    await createTransport(transportOf(options, socket)).sendMail({
      ...mail,
      headers: {
        // RFC 3834: no answering machine replies.
        'Auto-Submitted': 'auto-generated',
        ...(trace && { 'X-Correlation-Id': trace.correlationId }),
      },
    });
  };
  try {
    await withDeadline(sendMs, send, late);
  } catch (error) {
    throw failureOf(server.host, error);
  } finally {
    socket?.destroy();
  }
}

function transportOf({ server, user, password, silenceMs = SILENCE_MS }: MailOptions, connection: Socket) {
  const { remoteAddress } = connection;
  return {
    ...server,
    connection,
    // Downgrade: somebody on the way could hide STARTTLS, and read links and the password. In a private network, which
    // only Network:AllowPrivateAddresses lets us reach, a server may have no TLS.
    requireTLS: remoteAddress === undefined || isPublicAddress(remoteAddress),
    ...(user !== '' && { auth: { user, pass: password } }),
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
    // A text that is taken for a file or an address would be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Connects to a checked address of the server. DNS rebinding: its name is not resolved a second time. */
function connectTo({
  server: { host, port },
  reach = { allowPrivateAddresses: commonSettings['Network:AllowPrivateAddresses'] },
  silenceMs = SILENCE_MS,
}: MailOptions): Promise<Socket> {
  const literal = literalAddress(host);
  if (literal && !isReachable(literal, reach)) throw privateAddressError(host);
  const socket = connect({
    host: literal ?? host,
    port,
    lookup: checkedLookup(reach),
    autoSelectFamily: true,
  });
  return new Promise((resolve, reject) => {
    const end = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    socket.setTimeout(silenceMs, () => end(Object.assign(new Error('silent'), { code: 'ETIMEDOUT' })));
    // It stays, for an error after the message has ended: without a listener that would end the process.
    socket.on('error', end);
    socket.once('connect', () => {
      socket.setTimeout(0).removeAllListeners('timeout');
      resolve(socket);
    });
  });
}

// A reply may have any length, and is shown to operators.
const MAX_REPLY_CHARACTERS = 500;

// RFC 4954: a wrong or missing password is the operator's to mend, and no reason to give up a message.
const isLogin = (code: number): boolean => [530, 534, 535, 538].includes(code);

type SmtpError = { readonly code?: unknown; readonly response?: unknown; readonly responseCode?: unknown };

function failureOf(host: string, cause: unknown): MailFailed {
  if (cause instanceof MailFailed) return cause;
  if (cause instanceof FetchFailed) {
    return new MailFailed(cause.message, cause.reason === 'private-address', { cause });
  }
  const { code, response, responseCode } = (cause ?? {}) as SmtpError;
  const failed = (message: string, isFinal = false) => new MailFailed(message, isFinal, { cause });
  if (typeof response === 'string' && typeof responseCode === 'number') {
    const words = response.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, MAX_REPLY_CHARACTERS);
    return failed(
      `The mail server ${host} answered: ${words}`,
      responseCode >= 500 && !isLogin(responseCode),
    );
  }
  // An address that SMTP cannot carry will never be one.
  if (code === 'EENVELOPE') return failed(`The address cannot be written to the mail server ${host}.`, true);
  if (code === 'ETIMEDOUT') return failed(`The mail server ${host} did not answer in time.`);
  if (code === 'ETLS')
    return failed(`The mail server ${host} has no TLS with a certificate that is trusted.`);
  return failed(`The mail server ${host} could not be reached or closed the connection (${String(code)}).`);
}
