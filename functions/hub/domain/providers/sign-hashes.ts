import * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { PublicKeyUnsupported } from '../../../../shared/pki/certificate/certificate.ts';
import { pemBlocks } from '../../../../shared/pki/pem.ts';
import { type Digest, digestOid } from '../../../../shared/signing/digest.ts';
import { SigningRefused } from '../../../../shared/signing/errors.ts';
import { checkKey } from '../../../../shared/signing/key.ts';
import { isSignatureOfHash } from '../../../../shared/signing/key-verify.ts';
import { requireShape, unreadable } from './answer.ts';
import { callProvider } from './call-provider.ts';
import type { HeldCertificate } from './certificates-of.ts';
import type { Provider } from './provider.ts';
import { ProviderFailure } from './provider-failure.ts';
import { json } from './request-body.ts';

export type SignHashesRequest = {
  readonly accessToken: string;
  readonly held: HeldCertificate;
  readonly digest: Digest;
  readonly hashes: readonly Buffer[];
};

// More than any call asks for. Checking a megabyte of wrong entries one by one would take seconds.
const MAX_SIGNATURES = 1_000;

const Id = z.union([z.string(), z.number().transform(String)]);
const Signed = z.object({
  signatures: z
    .array(z.object({ id: Id.nullish(), raw_signature: z.string() }))
    .max(MAX_SIGNATURES)
    .nullish(),
  raw_signature: z.string().nullish(),
});

const OPERATION = 'signature';

/**
 * Signs these hashes, in their order. Every signature is verified: one that is not this certificate's over this hash is
 * never returned. Throws ProviderFailure.
 */
export async function signHashes(
  caller: Pick<Caller, 'application'>,
  provider: Provider,
  request: SignHashesRequest,
  now: () => number,
): Promise<readonly Buffer[]> {
  requireVerifiable(provider, request.held);
  const { hashes } = request;
  const signatures: Buffer[] = [];
  for (let at = 0; at < hashes.length; at += provider.hashesPerCall) {
    const some = { ...request, hashes: hashes.slice(at, at + provider.hashesPerCall) };
    signatures.push(...(await signSome(caller, provider, some, now)));
  }
  return signatures;
}

/** Refuses a key whose signatures could not be verified, before anything is signed. */
function requireVerifiable(provider: Provider, { certificate }: HeldCertificate): void {
  try {
    checkKey(certificate.publicKey);
  } catch (error) {
    if (!(error instanceof PublicKeyUnsupported || error instanceof SigningRefused)) throw error;
    const message = `The certificate at ${provider.name} has a key that does not sign here: ${error.message}`;
    throw new ProviderFailure('unreadable', provider.name, message);
  }
}

const signSome = (
  caller: Pick<Caller, 'application'>,
  provider: Provider,
  { accessToken, held, digest, hashes }: SignHashesRequest,
  now: () => number,
): Promise<Buffer[]> => {
  const entries = hashes.map((hash, at) => ({ id: String(at + 1), hash }));
  const ids = entries.map(({ id }) => id);
  const { alias, certificate } = held;
  // The provider does not know an alias that it did not give.
  const isNamed = provider.sendsAlias && alias !== certificate.sha256;
  const body = json({
    ...(isNamed && { certificate_alias: alias }),
    hashes: entries.map(({ id, hash }) => ({
      id,
      alias: `hash ${id}`,
      hash: hash.toString(provider.hashEncoding),
      hash_algorithm: digestOid(digest),
      signature_format: 'RAW',
    })),
  });
  const read = async (answer: Readonly<Record<string, unknown>>) => {
    const texts = textsById(provider, answer, ids);
    return Promise.all(
      entries.map(({ id, hash }) =>
        verifiedSignature(provider, held, { digest, hash, text: texts.get(id) ?? '' }),
      ),
    );
  };
  const path = '/signature';
  const call = { operation: OPERATION, method: 'POST', path, bearer: accessToken, body, read } as const;
  return callProvider(caller, provider, call, now);
};

/** The text of each signature, by id. Refuses an answer with a missing or an unknown id. */
function textsById(
  provider: Provider,
  answer: Readonly<Record<string, unknown>>,
  ids: readonly string[],
): ReadonlyMap<string, string> {
  const source = { provider, operation: OPERATION } as const;
  const { signatures, raw_signature: only } = requireShape(Signed, answer, source);
  const given = signatures ?? (typeof only === 'string' ? [{ id: undefined, raw_signature: only }] : []);
  const isOne = ids.length === 1;
  const texts = new Map(
    given.map(({ id, raw_signature }): [string, string] => [
      // One hash and one signature: an id is not needed.
      id ?? (isOne ? (ids[0] ?? '') : ''),
      raw_signature,
    ]),
  );
  const isWhole = given.length === ids.length && ids.every((id) => texts.has(id));
  if (!isWhole) throw unreadable(source, 'without a signature for each hash, by its id');
  return texts;
}

async function verifiedSignature(
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

// An RSA key of 8192 bits signs 1024 bytes.
const MAX_CHARACTERS = 8_192;

/**
 * The possible bytes of a signature text. Providers write hexadecimal, base64 of either alphabet with or without
 * padding, or PEM. Every hexadecimal text is valid base64 too: hexadecimal comes first, and verification decides.
 */
function signaturesIn(text: string): readonly Buffer[] {
  if (text.length > MAX_CHARACTERS) return [];
  const armoured = pemBlocks(text).map(({ bytes }) => bytes);
  if (armoured.length > 0) return armoured;
  const bare = text.replace(/\s+/g, '');
  const hex = /^(?:[0-9a-f]{2})+$/i.test(bare) ? [Buffer.from(bare, 'hex')] : [];
  const base64 = /^[\w+/-]+={0,2}$/.test(bare) ? [Buffer.from(bare, 'base64')] : [];
  return [...hex, ...base64];
}
