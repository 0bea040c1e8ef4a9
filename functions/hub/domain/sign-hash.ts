import type { Caller } from '../../../shared/access/caller.ts';
import { count } from '../../../shared/metrics/count.ts';
import { type Digest, digestByOid, hashBytes } from '../../../shared/signing/digest.ts';
import { errors, invalidField } from '../errors.ts';
import {
  type CertificateChoice,
  findCertificate,
  type Learned,
  newestValid,
  providerOf,
} from './certificate.ts';
import { refusalAfter } from './provider-refusal.ts';
import { signHashes } from './providers/sign-hashes.ts';
import { canSign, isSingleUse, type OpenSession, requireUsableSession, tokenOf } from './session.ts';
import { runOnce } from './single-use.ts';

type DigestNames = {
  readonly digestAlgorithmOid?: string | undefined;
  readonly digestAlgorithm?: string | undefined;
};

export type SignHashRequest = DigestNames & {
  readonly session: string;
  readonly hash: string;
  readonly certificateAlias?: string | undefined;
};

type SignJob = {
  readonly digest: Digest;
  readonly hash: Buffer;
  readonly alias: string | undefined;
  readonly keep: ((learned: Learned) => void) | undefined;
};

/** Signs a hash with a certificate of the session's holder. Returns only a signature that verifies. */
export async function signHash(caller: Caller, request: SignHashRequest, now: () => number): Promise<string> {
  const digest = parseDigestAlgorithm(request);
  const job = { digest, hash: parseHash(request.hash, digest), alias: request.certificateAlias };
  const session = await requireUsableSession(caller, request.session, now());
  if (!canSign(session.type))
    throw errors.refuse('SessionInvalidOrAlreadyUsed', {
      type: session.type,
      reason: 'A session of this type identifies its user and signs nothing.',
    });
  const sign = (keep?: (learned: Learned) => void) => signAtProvider(caller, session, { ...job, keep }, now);
  try {
    const signature = await (isSingleUse(session.type) ? runOnce(session, sign) : sign());
    count('Signatures', { Service: 'hub', Format: 'Raw', Custody: 'cloud' });
    return signature.toString('base64');
  } catch (error) {
    throw await refusalAfter(session, error, now);
  }
}

async function signAtProvider(
  caller: Caller,
  session: OpenSession,
  { digest, hash, alias, keep }: SignJob,
  now: () => number,
): Promise<Buffer> {
  const provider = await providerOf(session);
  const choice = alias ? withAlias(alias) : newestValid(now());
  const held = await findCertificate(caller, { session, provider, choice, ...(keep && { keep }) }, now);
  if (!held && alias) throw invalidField('certificateAlias', 'names no certificate of the holder');
  if (!held) throw errors.refuse('NoValidCertificate');
  const request = { accessToken: tokenOf(session), held, digest, hashes: [hash] };
  const [signature] = await signHashes(caller, provider, request, now);
  if (!signature) throw new Error('The provider client returned no signature for one hash.');
  return signature;
}

const withAlias =
  (alias: string): CertificateChoice =>
  (held) =>
    held.find((each) => each.alias === alias);

// The algorithms that providers sign. SHA-3 is only verified, in the signatures of others.
const ACCEPTED: readonly Digest[] = ['sha1', 'sha256', 'sha384', 'sha512'];

/** The algorithm of a request. The OID counts where both are given. */
function parseDigestAlgorithm({ digestAlgorithmOid, digestAlgorithm }: DigestNames): Digest {
  if (digestAlgorithmOid) {
    const byOid = digestByOid(digestAlgorithmOid);
    if (!byOid || !ACCEPTED.includes(byOid))
      throw errors.refuse('InvalidDigestAlgorithm', { digestAlgorithmOid });
    return byOid;
  }
  if (!digestAlgorithm) throw errors.refuse('DigestAlgorithmNameOrOidIsRequired');
  const byName = digestByName(digestAlgorithm);
  if (!byName) throw errors.refuse('InvalidDigestAlgorithm', { digestAlgorithm });
  return byName;
}

// SHA-256, SHA256, sha_256 and "SHA 256" are the same name.
const digestByName = (name: string): Digest | undefined => {
  const bare = name.replace(/[-_\s]/g, '').toLowerCase();
  return ACCEPTED.find((digest) => digest === bare);
};

/** The bytes of a hash. Refuses one whose length is not the algorithm's. */
function parseHash(text: string, digest: Digest): Buffer {
  const hash = Buffer.from(text, 'base64');
  // Node's decoder skips invalid characters: only a text that encodes back to itself is base64.
  if (hash.toString('base64') !== text) throw invalidField('hash', 'is not base64');
  const expected = hashBytes(digest);
  if (hash.length === expected) return hash;
  throw invalidField(
    'hash',
    `is ${hash.length} bytes long; a ${digest} hash has ${expected}. Send the hash itself in base64`,
  );
}
