import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';
import type { Identifier } from '../../../../../functions/hub/domain/identifier.ts';
import * as certificates from '../../../../../functions/hub/domain/providers/certificates-of.ts';
import * as discovery from '../../../../../functions/hub/domain/providers/discovery.ts';
import * as code from '../../../../../functions/hub/domain/providers/exchange-code.ts';
import type { Provider } from '../../../../../functions/hub/domain/providers/provider.ts';
import { ProviderFailure } from '../../../../../functions/hub/domain/providers/provider-failure.ts';
import * as hashes from '../../../../../functions/hub/domain/providers/sign-hashes.ts';
import { sealUnder } from '../../../../../shared/keyring/envelope.ts';
import { commonSettings } from '../../../../../shared/settings/common.ts';
import type { Digest } from '../../../../../shared/signing/digest.ts';
import { localKey } from '../../../../../shared/signing/key.ts';
import type { Holder } from '../../../../certificates/pki.ts';
import { startServer } from '../../../../shared/net/a-server.ts';

/** A request as the provider got it. */
export type Got = {
  readonly method: string;
  /** After the base address. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

export type Answering = (got: Got, response: ServerResponse) => unknown;

/** Answers with JSON. */
export const json = (value: unknown, status = 200): Answering => raw(JSON.stringify(value), status);

/** Answers with whatever it is. */
export const raw =
  (body: string, status = 200, headers: Record<string, string> = {}): Answering =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

/** Takes the request and says nothing. */
export const silence: Answering = () => undefined;

/** Breaks the connection once the request is there. */
export const hangUp: Answering = (_, response) => response.destroy();

export const SECRET = 'a client secret 7731';

/** A provider that behaves as each test says, on a loopback address that may be called. */
export async function startProvider() {
  vi.stubEnv('Network__AllowPrivateAddresses', 'true');
  // Failures are what these tests are about.
  vi.stubEnv('Log__Level', 'ERROR');
  let answer: Answering = silence;
  const got: Got[] = [];
  const server = await startServer(async (request, response) => {
    const path = (request.url ?? '').replace('/v0/oauth', '');
    const one = { method: request.method ?? '', path, headers: request.headers, body: await text(request) };
    got.push(one);
    answer(one, response);
  });
  return {
    /** A provider by a name of its own, so that nothing is known of it yet. */
    provider: (own: Partial<Provider> = {}): Provider => providerAt(`${server.url}/v0/oauth`, own),
    answers: (next: Answering) => {
      answer = next;
      got.length = 0;
    },
    got,
    url: server.url,
    connections: server.connections,
    stop: async () => {
      vi.unstubAllEnvs();
      await server.stop();
    },
  };
}

/** As the hub seals it, at once. */
function sealedFor({ name, baseUrl, clientId }: Pick<Provider, 'name' | 'baseUrl' | 'clientId'>): string {
  const [key] = commonSettings['Sealing:Keys'];
  if (!key) throw new Error('The tests have no ring.');
  const about = JSON.stringify(['hub provider secret', name.toLowerCase(), baseUrl, clientId]);
  return sealUnder(key, { about }, SECRET);
}

export function providerAt(baseUrl: string, own: Partial<Provider> = {}): Provider {
  const owner = { name: `p-${randomUUID().slice(0, 8)}`, baseUrl, clientId: 'hub-client', ...own };
  return {
    company: 'A Company',
    badgeUrl: null,
    hashEncoding: 'base64',
    tokenBody: 'form',
    hashesPerCall: 10,
    sendsAlias: true,
    discovery: 'client',
    timeouts: {},
    ...own,
    ...owner,
    sealedSecret: sealedFor(owner),
  };
}

export const heldAs = (alias: string, { certificate }: Holder): certificates.HeldCertificate => ({
  alias,
  certificate,
});

/** The holder's signature over a hash, as a provider's key would make it. */
export const signed = ({ privateKey, certificate }: Holder, digest: Digest, hash: Buffer): Promise<Buffer> =>
  localKey(privateKey, certificate, []).signHash(digest, hash);

/** What a call failed with. */
export const failure = (call: Promise<unknown>): Promise<ProviderFailure> =>
  call.then(
    () => {
      throw new Error('The call should have failed.');
    },
    (error: unknown) => {
      if (error instanceof ProviderFailure) return error;
      throw error;
    },
  );

const CALLER = { application: 'an application' };
const now = () => Date.now();

// The operations of a provider, for one application and by the clock of the test.
export const holdsCertificate = (provider: Provider, identifier: Identifier, caller = CALLER) =>
  discovery.holdsCertificate(caller, provider, identifier, now);
export const exchangeCode = (provider: Provider, exchange: code.CodeExchange) =>
  code.exchangeCode(CALLER, provider, exchange, now);
export const listCertificates = (provider: Provider, accessToken: string) =>
  certificates.listCertificates(CALLER, provider, accessToken, now);
export const signHashes = (
  provider: Provider,
  accessToken: string,
  request: Omit<hashes.SignHashesRequest, 'accessToken'>,
) => hashes.signHashes(CALLER, provider, { accessToken, ...request }, now);
