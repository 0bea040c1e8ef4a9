import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { probe } from '../../../functions/hub/domain/providers/probe.ts';
import { requireRegistered } from '../../../functions/hub/domain/providers/register-provider.ts';
import { AdminRefusal } from '../../../shared/access/administration.ts';
import { reasonOf } from '../../../shared/command-line/reason.ts';
import { resolveAddresses } from '../../../shared/net/addresses.ts';
import { literalAddress } from '../../../shared/net/url.ts';
import { commonSettings } from '../../../shared/settings/common.ts';
import { parseTaxpayer } from '../../../shared/taxpayer/taxpayer.ts';
import { allowLocalAddresses } from './hub.ts';
import type { HubValues } from './options.ts';

// A number from examples: no person's certificates are looked up.
const NOBODY = '12345678909';
const TLS_WITHIN_MS = 5_000;
const HTTPS_PORT = 443;

/** Calls a provider as the hub does, and gives each step of it. */
export async function testProvider(name: string, { identifier = NOBODY }: HubValues): Promise<string> {
  allowLocalAddresses();
  // The lines below say it.
  process.env.Log__Level ??= 'ERROR';
  const provider = await requireRegistered(name);
  const taxpayer = parseTaxpayer(identifier);
  if (!taxpayer) throw new AdminRefusal(`"${identifier}" is no CPF or CNPJ: its check digits are wrong.`);
  const lines: string[] = [`${provider.name}  ${provider.baseUrl}`];
  const add = (step: string, result: string): void => void lines.push(`${step.padEnd(11)}${result}`);
  const giveUp = (why: string): never => {
    throw new AdminRefusal([...lines, why].join('\n'));
  };

  const url = new URL(provider.baseUrl);
  const address = await addressOf(url).catch((error) => giveUp(`It does not work: ${error.message}`));
  add('address', `${url.hostname} is ${address}`);
  if (url.protocol === 'https:') {
    add(
      'TLS',
      await tlsOf(url, address).catch((error) => giveUp(`It does not work: TLS failed: ${reasonOf(error)}`)),
    );
  } else add('TLS', 'none: the address is http');

  const { operation, status, ms, shape, verdict, isGood } = await probe(
    provider,
    { type: taxpayer.kind, value: taxpayer.number },
    Date.now,
  );
  add(operation, `${status ?? 'no answer'} in ${ms} ms`);
  if (shape !== undefined) add('answer', shape);
  if (!isGood) giveUp(`It does not work: ${verdict}`);
  return [...lines, `It works: ${verdict}`].join('\n');
}

async function addressOf(url: URL): Promise<string> {
  const literal = literalAddress(url.hostname);
  const allowPrivateAddresses = commonSettings['Network:AllowPrivateAddresses'];
  const resolve = literal ? async () => [{ address: literal, family: isIP(literal) }] : undefined;
  const [first] = await resolveAddresses(url.hostname, { allowPrivateAddresses, resolve });
  return first?.address ?? '';
}

/** The protocol, and the issuer and end of the certificate. */
function tlsOf({ hostname, port }: URL, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    // SNI takes names only (RFC 6066).
    const named = literalAddress(hostname) === undefined && { servername: hostname };
    const socket: TLSSocket = connect(
      { host, port: Number(port || HTTPS_PORT), timeout: TLS_WITHIN_MS, ...named },
      () => {
        const { issuer, valid_to } = socket.getPeerCertificate();
        const until = new Date(valid_to).toISOString();
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
