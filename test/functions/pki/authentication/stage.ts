import { type KeyObject, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { vi } from 'vitest';
import { handler as authenticate } from '../../../../functions/pki/authentication/endpoints/authenticate.ts';
import { handler as complete } from '../../../../functions/pki/authentication/endpoints/complete-authentication.ts';
import { handler as finalize } from '../../../../functions/pki/authentication/endpoints/finalize-authentication.ts';
import { handler as nonce } from '../../../../functions/pki/authentication/endpoints/get-authentication.ts';
import { handler as prepare } from '../../../../functions/pki/authentication/endpoints/prepare-authentication.ts';
import { handler as start } from '../../../../functions/pki/authentication/endpoints/start-authentication.ts';
import { handler as signedBytes } from '../../../../functions/pki/authentication/endpoints/submit-signed-bytes.ts';
import { signerOf } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { holderProfile } from '../../../../functions/sandbox/authority/domain/issuing/profiles.ts';
import { placesOf } from '../../../../functions/sandbox/authority/domain/make-authority.ts';
import { SANDBOX_CONTEXT, SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { seedSandbox } from '../../../../infra/local/seed/seed.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { below, type KeyKind, testKey, testPki } from '../../../certificates/pki.ts';
import { serveSandbox } from '../../../cli/sandbox.ts';
import { call, type Request } from '../../../requests/http-event.ts';

export const OPERATIONS = { prepare, complete, start, signedBytes, finalize, nonce, authenticate };

export type Signer = { readonly certificate: Certificate; readonly privateKey: KeyObject };
export type Answer = { readonly status: number } & Record<string, unknown>;
export type Stage = Awaited<ReturnType<typeof authenticationStage>>;

const DAY_MS = 86_400_000;
export const CPF = '52998224725';

type HolderOptions = {
  readonly notBeforeMs?: number;
  readonly notAfterMs?: number;
  /** Says the type of the certificate: A1 by default. */
  readonly policy?: string;
  readonly cpf?: string;
};

/** An operation as an application calls it: its status and its body in one. */
export async function ask(
  operation: keyof typeof OPERATIONS | Endpoint,
  json?: unknown,
  { headers, ...request }: Request = {},
): Promise<Answer> {
  const handler = typeof operation === 'string' ? OPERATIONS[operation] : operation;
  const answer = await call(handler, {
    ...request,
    ...(json !== undefined && { json }),
    headers: { 'X-API-Key': SANDBOX_KEY, ...headers },
  });
  return { status: answer.status, ...(answer.json() as object) };
}

/** What a client sends: the certificate, and its key's signature over the bytes. */
export const offerOf = ({ certificate, privateKey }: Signer, toSign: unknown) => ({
  certificate: certificate.der.toString('base64'),
  signature: sign('sha256', Buffer.from(String(toSign), 'base64'), privateKey).toString('base64'),
});

/** An authority that publishes lists, trusted under the sandbox's context and as ICP-Brasil. */
export async function authenticationStage() {
  const sandbox = await serveSandbox();
  const { authority, url } = sandbox;
  const rootFile = sandbox.pki('root.crt');
  vi.stubEnv('SecurityContexts__PkiBrazil', rootFile);
  vi.stubEnv('SecurityContexts__Others', `${SANDBOX_CONTEXT}=${rootFile}`);
  vi.stubEnv('Network__AllowPrivateAddresses', 'true');
  await seedSandbox();
  const otherRootFile = sandbox.path('other.crt');
  writeFileSync(otherRootFile, testPki().root.certificate.der);

  /** Somebody with a key of this kind, by the sandbox's authority. */
  const holderWith = (kind: KeyKind, options: HolderOptions = {}): Signer =>
    certified(testKey(kind, 'somebody'), options);
  const certified = (
    privateKey: KeyObject,
    { policy = '2.16.76.1.2.1.999', cpf = CPF, ...times }: HolderOptions = {},
  ) => {
    const { crl = [], caIssuers = [] } = placesOf('intermediate', url);
    return below({ ...signerOf(authority, 'intermediate'), chain: [] }, privateKey, (keys) => ({
      subject: [['commonName', `PESSOA DE TESTE:${cpf}`]],
      notBeforeMs: Date.now() - DAY_MS,
      notAfterMs: Date.now() + DAY_MS,
      ...times,
      extensions: holderProfile({
        ...keys,
        holder: { person: { cpf, birthDate: '01021980' } },
        policies: [policy],
        places: { crl, caIssuers },
      }),
    }));
  };
  return {
    rootFile,
    /** A root that has issued nothing of the sandbox's. */
    otherRootFile,
    /** The key of a holder of the sandbox, by CPF or CNPJ. */
    holder: (name = CPF): Signer => signerOf(authority, name),
    /** The file that a person has, with the password 1234. */
    holderFile: (cpf: string): string => sandbox.pki('holders', `${cpf}.p12`),
    timestampUrl: `${url}/sandbox/pki/timestamp`,
    /** What the usual holder sends. */
    offer: (toSign: unknown) => offerOf(signerOf(authority, CPF), toSign),
    holderWith,
    certified,
    stop() {
      sandbox.stop();
      vi.unstubAllEnvs();
    },
  };
}

/** A prepared authentication: its state, and the bytes to sign. */
export async function prepared(wish: object = { securityContextId: SANDBOX_CONTEXT }) {
  const answer = await ask('prepare', wish);
  const { data } = answer.toSign as { data: string };
  return { state: String(answer.state), data };
}

/** A started authentication of the earlier generation. */
export async function started(wish: object = { securityContextId: SANDBOX_CONTEXT }) {
  const { token, toSignData } = await ask('start', wish);
  return { params: { token: String(token) }, data: String(toSignData) };
}
