import type * as z from 'zod';
import { type Digest, digestByOid, hashBytes } from '../../../../shared/signing/digest.ts';
import { localKey } from '../../../../shared/signing/key.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { findAuthority, type Signer, signerOf } from '../../authority/domain/authority.ts';
import type { SignatureRequest } from '../contract.ts';
import { providerErrors } from '../errors.ts';
import type { SandboxProvider } from './provider.ts';
import { isForOneCall, type Scope } from './scopes.ts';
import { spendToken, type Token } from './tokens.ts';

type Request = z.infer<typeof SignatureRequest>;

type ReadHash = { readonly id: string; readonly digest: Digest; readonly hash: Buffer };

const invalid = (reason: string) => providerErrors.refuse('invalid_request', { reason });

/**
 * Signs hashes with the holder's key, as far as the token allows. A request that is refused costs the token nothing.
 * @example await signHashes(provider, await bearerOf(provider, authorization, nowMs), body, Date.now())
 */
export async function signHashes(
  provider: SandboxProvider,
  token: Stored<Token>,
  request: Request,
  nowMs: number,
) {
  const scope = signingScope(token);
  const hashes = readHashes(provider, scope, request);
  const alias = aliasOf(provider, request);
  const { privateKey, certificate } = await validSigner(alias, nowMs);
  const key = localKey(privateKey, certificate, []);
  if (isForOneCall(scope)) await spendToken(token);
  const signatures = await Promise.all(
    hashes.map(async ({ id, digest, hash }) => ({
      id,
      raw_signature: (await key.signHash(digest, hash)).toString(provider.signatureForm),
    })),
  );
  return { certificate_alias: alias, signatures };
}

function signingScope({ scope }: Token): Scope {
  if (scope !== 'application' && scope !== 'authentication_session') return scope;
  throw providerErrors.refuse('insufficient_scope', { reason: `A token of ${scope} uses no key.` });
}

function readHashes(provider: SandboxProvider, scope: Scope, { hashes }: Request): ReadHash[] {
  const max = scope === 'single_signature' ? 1 : provider.hashesPerCall;
  if (hashes.length > max) throw invalid(`At most ${max} hashes are signed in this call.`);
  if (new Set(hashes.map(({ id }) => id)).size < hashes.length)
    throw invalid('An id is given more than once.');
  return hashes.map(({ id, hash, hash_algorithm }) => {
    const digest = digestByOid(hash_algorithm);
    if (!digest || !provider.digests.includes(digest))
      throw invalid(`The hash_algorithm ${hash_algorithm} is not signed here.`);
    return { id, digest, hash: readHash(hash, digest, provider.hashEncoding) };
  });
}

function readHash(text: string, digest: Digest, encoding: 'base64' | 'hex'): Buffer {
  const hash = Buffer.from(text, encoding);
  // Read leniently by Node, so what was read is written again: only the one encoding of these bytes is taken.
  const isExact = hash.toString(encoding) === (encoding === 'hex' ? text.toLowerCase() : text);
  if (!isExact || hash.length !== hashBytes(digest))
    throw invalid(`A hash must have ${hashBytes(digest)} bytes for its algorithm, written in ${encoding}.`);
  return hash;
}

function aliasOf({ holder }: SandboxProvider, { certificate_alias: alias }: Request): string {
  const [only, ...others] = holder.aliases;
  if (alias === undefined && (only === undefined || others.length > 0))
    throw invalid('certificate_alias is required: the holder has several certificates.');
  const chosen = alias ?? only ?? '';
  if (!holder.aliases.includes(chosen))
    throw invalid('The holder has no certificate by this certificate_alias.');
  return chosen;
}

async function validSigner(alias: string, nowMs: number): Promise<Signer> {
  const signer = signerOf(await findAuthority(), alias);
  if (signer.certificate.notAfterMs < nowMs)
    throw invalid('The certificate by this certificate_alias has expired.');
  return signer;
}
