import type { Digest } from '../../../shared/signing/digest.ts';
import { errors } from '../errors.ts';
import { type CertificateChoice, findCertificate, newestValid, providerOf } from './certificate.ts';
import { parseDigestAlgorithm, parseHash } from './digest-algorithm.ts';
import { invalidField } from './invalid-field.ts';
import { refusalAfter } from './provider-refusal.ts';
import { signHashes } from './providers/sign-hashes.ts';
import { type OpenSession, requireUsableSession, tokenOf } from './session.ts';
import { canSign, isForOneCall } from './session-types.ts';
import { runOnce } from './single-use.ts';

export type SignHashRequest = {
  readonly session: string;
  readonly hash: string;
  readonly digestAlgorithmOid?: string | undefined;
  readonly digestAlgorithm?: string | undefined;
  readonly certificateAlias?: string | undefined;
};

type Job = {
  readonly digest: Digest;
  readonly hash: Buffer;
  readonly alias: string | undefined;
  readonly nowMs: number;
};

/** Signs a hash with a certificate of the session's holder; the provider's signature is checked before it is given. */
export async function signHash(
  asked: SignHashRequest,
  application: string,
  now = () => Date.now(),
): Promise<string> {
  const digest = parseDigestAlgorithm(asked);
  const job: Job = {
    digest,
    hash: parseHash(asked.hash, digest),
    alias: asked.certificateAlias,
    nowMs: now(),
  };
  const session = await requireUsableSession(asked.session, application, job.nowMs);
  if (!canSign(session.type))
    throw errors.refuse('SessionInvalidOrAlreadyUsed', {
      type: session.type,
      reason: 'A session of this type identifies its user and signs nothing.',
    });
  const sign = () => signedAt(session, job);
  try {
    const signature = await (isForOneCall(session.type) ? runOnce(session, sign) : sign());
    return signature.toString('base64');
  } catch (error) {
    throw await refusalAfter(session, error, now);
  }
}

async function signedAt(session: OpenSession, { digest, hash, alias, nowMs }: Job): Promise<Buffer> {
  const provider = await providerOf(session);
  const held = await findCertificate(session, provider, alias ? named(alias) : newestValid(nowMs));
  if (!held && alias) throw invalidField('certificateAlias', 'names no certificate of the holder');
  if (!held) throw errors.refuse('NoValidCertificate');
  const [signature] = await signHashes(provider, tokenOf(session), { held, digest, hashes: [hash] });
  if (!signature) throw new Error('One hash was given to sign and no signature came.');
  return signature;
}

const named =
  (wanted: string): CertificateChoice =>
  (held) =>
    held.find(({ alias }) => alias === wanted);
