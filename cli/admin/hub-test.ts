import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { probe } from '../../functions/hub/domain/providers/probe.ts';
import { needProvider } from '../../functions/hub/domain/providers/register-provider.ts';
import { reasonOf } from '../../infra/local/reason.ts';
import { AdminRefusal } from '../../shared/access/administration.ts';
import { resolveAddresses } from '../../shared/net/addresses.ts';
import { literalAddress } from '../../shared/net/url.ts';
import { commonSettings } from '../../shared/settings/common.ts';
import { parseTaxpayer } from '../../shared/taxpayer/taxpayer.ts';
import { allowAsEngineDoes } from './hub.ts';
import type { HubValues } from './hub-options.ts';

// A number that everyone uses in examples, so that nobody's certificates are asked about.
const NOBODY = '12345678909';
const TLS_WITHIN_MS = 5_000;
const HTTPS_PORT = 443;

/** Asks a provider in earnest, and prints what was seen on the way. */
export async function test(name: string, { identifier = NOBODY }: HubValues): Promise<string> {
  allowAsEngineDoes();
  // What a call has to say is said below.
  process.env.Log__Level ??= 'ERROR';
  const provider = await needProvider(name);
  const taxpayer = parseTaxpayer(identifier);
  if (!taxpayer) throw new AdminRefusal(`"${identifier}" is no CPF or CNPJ: its check digits do not hold.`);
  const seen: string[] = [`${provider.name}  ${provider.baseUrl}`];
  const tell = (what: string, words: string): void => void seen.push(`${what.padEnd(11)}${words}`);
  const giveUp = (why: string): never => {
    throw new AdminRefusal([...seen, why].join('\n'));
  };

  const url = new URL(provider.baseUrl);
  const address = await addressOf(url).catch((error) => giveUp(`It does not work: ${error.message}`));
  tell('address', `${url.hostname} is ${address}`);
  if (url.protocol === 'https:') {
    tell(
      'TLS',
      await tlsOf(url, address).catch((error) => giveUp(`It does not work: TLS failed: ${reasonOf(error)}`)),
    );
  } else tell('TLS', 'none: the address is http');

  const { asked, status, ms, shape, verdict, isGood } = await probe(provider, {
    type: taxpayer.kind,
    value: taxpayer.number,
  });
  tell(asked, `${status ?? 'no answer'} in ${ms} ms`);
  if (shape !== undefined) tell('answer', shape);
  if (!isGood) giveUp(`It does not work: ${verdict}`);
  return [...seen, `It works: ${verdict}`].join('\n');
}

async function addressOf(url: URL): Promise<string> {
  const literal = literalAddress(url.hostname);
  const allowPrivateAddresses = commonSettings['Network:AllowPrivateAddresses'];
  const resolve = literal ? async () => [{ address: literal, family: isIP(literal) }] : undefined;
  const [first] = await resolveAddresses(url.hostname, { allowPrivateAddresses, resolve });
  return first?.address ?? '';
}

/** The protocol, and until when and by whom the certificate is. */
function tlsOf({ hostname, port }: URL, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    // A number has no name to be shown.
    const named = literalAddress(hostname) === undefined && { servername: hostname };
    const socket: TLSSocket = connect(
      { host, port: Number(port || HTTPS_PORT), timeout: TLS_WITHIN_MS, ...named },
      () => {
        const { issuer, valid_to } = socket.getPeerCertificate();
        const until = new Date(valid_to).toISOString().slice(0, 10);
        resolve(
          `${socket.getProtocol()}, certificate of ${issuer?.O ?? issuer?.CN ?? 'unknown'} until ${until}`,
        );
        socket.end();
      },
    );
    socket.on('timeout', () => socket.destroy(new Error(`no handshake within ${TLS_WITHIN_MS} ms`)));
    socket.on('error', reject);
  });
}
