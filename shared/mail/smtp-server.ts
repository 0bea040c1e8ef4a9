import { literalAddress } from '../net/url.ts';
import { optional, type Setting, text } from '../settings/kinds.ts';

/** A mail server, as a setting names it. */
export type SmtpServer = {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. Otherwise the connection is upgraded by STARTTLS. */
  readonly secure: boolean;
};

// RFC 6409 and RFC 8314: the ports by which programs hand in mail.
const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;

const isScheme = (protocol: string): protocol is keyof typeof PORTS => protocol in PORTS;

/**
 * A mail server: smtp://HOST:PORT or smtps://HOST:PORT; undefined where it is empty or not set.
 * @example smtpServer('The server that takes mail.')
 */
export const smtpServer = (why: string): Setting<SmtpServer | undefined> =>
  optional({ ...text('', why), unit: 'smtp(s) address', default: undefined, parse: parseServer });

function parseServer(given: string): SmtpServer {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !isScheme(url.protocol) || url.hostname === '' || url.port === '0')
    throw new Error('must be smtp://HOST:PORT, or smtps://HOST:PORT for TLS from the start');
  if (url.username !== '' || url.password !== '')
    throw new Error('must name no user: give Mail:Smtp:User and Mail:Smtp:Password');
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '')
    throw new Error('must end after the host and its port');
  const { protocol, hostname, port } = url;
  const host = literalAddress(hostname) ?? hostname;
  return { host, port: port === '' ? PORTS[protocol] : Number(port), secure: protocol === 'smtps:' };
}
