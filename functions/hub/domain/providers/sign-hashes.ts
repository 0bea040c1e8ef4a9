import * as z from 'zod';
import { PublicKeyUnsupported } from '../../../../shared/pki/certificate/certificate.ts';
import { type Digest, digestOid } from '../../../../shared/signing/digest.ts';
import { SigningRefused } from '../../../../shared/signing/errors.ts';
import { checkKey } from '../../../../shared/signing/key.ts';
import { isSignatureOfHash } from '../../../../shared/signing/key-verify.ts';
import { callProvider } from './call-provider.ts';
import type { HeldCertificate } from './certificates-of.ts';
import type { Provider } from './provider.ts';
import { ProviderFailure } from './provider-failure.ts';
import { signaturesIn } from './read-signature.ts';
import { json } from './request-body.ts';
import { requireShape, unreadable } from './shaped.ts';

export type SignHashesRequest = {
  readonly held: HeldCertificate;
  readonly digest: Digest;
  readonly hashes: readonly Buffer[];
};

// More were never asked for in one call. A megabyte of what is none takes seconds to be told apart one by one.
const MAX_SIGNATURES = 1_000;

const Id = z.union([z.string(), z.number().transform(String)]);
const Signed = z.object({
  signatures: z
    .array(z.object({ id: Id.nullish(), raw_signature: z.string() }))
    .max(MAX_SIGNATURES)
    .nullish(),
  raw_signature: z.string().nullish(),
});

const WHERE = 'signature';

/**
 * Signatures over these hashes, in their order, each of them checked: a signature that is not this certificate's over
 * this hash never leaves here. Throws ProviderFailure.
 */
export async function signHashes(
  provider: Provider,
  accessToken: string,
  { held, digest, hashes }: SignHashesRequest,
): Promise<readonly Buffer[]> {
  needVerifiable(provider, held);
  const signatures: Buffer[] = [];
  for (let at = 0; at < hashes.length; at += provider.hashesPerCall) {
    const some = hashes.slice(at, at + provider.hashesPerCall);
    signatures.push(...(await signSome(provider, accessToken, { held, digest, hashes: some })));
  }
  return signatures;
}

/** Nobody is asked for a signature that could not be checked. */
function needVerifiable(provider: Provider, { certificate }: HeldCertificate): void {
  try {
    checkKey(certificate.publicKey);
  } catch (error) {
    if (!(error instanceof PublicKeyUnsupported || error instanceof SigningRefused)) throw error;
    const message = `The certificate at ${provider.name} has a key that does not sign here: ${error.message}`;
    throw new ProviderFailure('unreadable', provider.name, message);
  }
}

const signSome = (
  provider: Provider,
  accessToken: string,
  { held, digest, hashes }: SignHashesRequest,
): Promise<Buffer[]> => {
  const asked = hashes.map((hash, at) => ({ id: String(at + 1), hash }));
  const { alias, certificate } = held;
  // A name that the provider did not give means nothing to it.
  const isNamed = provider.sendsAlias && alias !== certificate.sha256;
  return callProvider(provider, {
    operation: WHERE,
    method: 'POST',
    path: '/signature',
    bearer: accessToken,
    body: json({
      ...(isNamed && { certificate_alias: alias }),
      hashes: asked.map(({ id, hash }) => ({
        id,
        alias: `hash ${id}`,
        hash: hash.toString(provider.hashEncoding),
        hash_algorithm: digestOid(digest),
        signature_format: 'RAW',
      })),
    }),
    read: async (answer) => {
      const texts = textsById(
        provider,
        answer,
        asked.map(({ id }) => id),
      );
      return Promise.all(
        asked.map(({ id, hash }) => checked(provider, held, { digest, hash, text: texts.get(id) ?? '' })),
      );
    },
  });
};

/** One signature for each id that was asked for, and none for another. */
function textsById(
  provider: Provider,
  answer: Readonly<Record<string, unknown>>,
  ids: readonly string[],
): ReadonlyMap<string, string> {
  const where = { provider, operation: WHERE } as const;
  const { signatures, raw_signature: only } = requireShape(Signed, answer, where);
  const given = signatures ?? (typeof only === 'string' ? [{ id: undefined, raw_signature: only }] : []);
  const isOne = ids.length === 1;
  const texts = new Map(
    given.map(({ id, raw_signature }): [string, string] => [
      // With one asked for and one given there is nothing to mistake.
      id ?? (isOne ? (ids[0] ?? '') : ''),
      raw_signature,
    ]),
  );
  const isWhole = given.length === ids.length && ids.every((id) => texts.has(id));
  if (!isWhole) throw unreadable(where, 'without a signature for each hash, by its id');
  return texts;
}

async function checked(
  { name }: Provider,
  { certificate }: HeldCertificate,
  { digest, hash, text }: { readonly digest: Digest; readonly hash: Buffer; readonly text: string },
): Promise<Buffer> {
  for (const signature of signaturesIn(text)) {
    if (await isSignatureOfHash(certificate.publicKey, digest, hash, signature)) return signature;
  }
  throw new ProviderFailure(
    'wrong-signature',
    name,
    `${name} answered with a signature that is not the certificate's over the hash. It is given to nobody.`,
    { mayHaveActed: true },
  );
}
