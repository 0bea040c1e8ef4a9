import { bitString, integer, sequence, utf8String } from '../../../../../shared/der/write.ts';
import { CONTENT } from '../../../../../shared/signing/cms/oids.ts';
import { completeSignedData } from '../../../../../shared/signing/cms/signed-data.ts';
import { prepareSignerInfo } from '../../../../../shared/signing/cms/signer-info.ts';
import { type Digest, hashBytes, hashOf } from '../../../../../shared/signing/digest.ts';
import { CmsMalformed } from '../../../../../shared/signing/errors.ts';
import type { SigningKey } from '../../../../../shared/signing/key.ts';
import { writeInfo } from '../../../../../shared/signing/timestamp/info.ts';
import { readRequest, type TimestampRequest } from '../../../../../shared/signing/timestamp/request.ts';
import { FAILURE_BITS, type Failure } from '../../../../../shared/signing/timestamp/response.ts';

export type TimestampAuthority = {
  readonly key: SigningKey;
  /** The policy that every token is issued under; a request for another one is refused. */
  readonly policy: string;
  readonly now: () => number;
  /** Never the same number twice. */
  readonly nextSerialNumber: () => bigint;
};

const ACCURACY_SECONDS = 1;

/**
 * The authority's side of RFC 3161: answers any bytes, with a token or with why there is none.
 * @example const reply = await answerTimestamp(await rawBody(), authority);
 */
export async function answerTimestamp(request: Buffer, authority: TimestampAuthority): Promise<Buffer> {
  const asked = understood(request);
  if (!asked) return refusal('badDataFormat', 'The request cannot be read.');
  const { digest, hash } = asked.imprint;
  if (asked.version !== 1) return refusal('badRequest', 'Only requests of version 1 are answered.');
  if (!digest || digest === 'sha1') return refusal('badAlg', 'The hash must be SHA-256, SHA-384 or SHA-512.');
  if (hash.length !== hashBytes(digest)) return refusal('badDataFormat', `The hash is no ${digest} hash.`);
  if (asked.hasExtensions) return refusal('unacceptedExtension', 'No extension is known here.');
  if (asked.policy !== undefined && asked.policy !== authority.policy)
    return refusal('unacceptedPolicy', `Tokens are issued under ${authority.policy} only.`);
  const token = await issue(asked, digest, authority);
  return sequence(sequence(integer(0)), token);
}

function understood(bytes: Buffer): TimestampRequest | undefined {
  try {
    return readRequest(bytes);
  } catch (error) {
    if (error instanceof CmsMalformed) return undefined;
    throw error;
  }
}

async function issue(
  asked: TimestampRequest,
  digest: Digest,
  authority: TimestampAuthority,
): Promise<Buffer> {
  const { key, policy, now, nextSerialNumber } = authority;
  const eContent = writeInfo({
    policy,
    digest,
    hash: asked.imprint.hash,
    serialNumber: nextSerialNumber(),
    timeMs: now(),
    accuracySeconds: ACCURACY_SECONDS,
    nonce: asked.nonce,
  });
  const prepared = prepareSignerInfo({
    certificate: key.certificate,
    digest: 'sha256',
    contentDigest: hashOf('sha256', eContent),
    contentType: CONTENT.timestampInfo,
    signingTimeMs: now(),
  });
  const signature = await key.signHash('sha256', prepared.hash);
  const certificates = asked.wantsCertificate ? [key.certificate, ...key.chain] : [];
  return completeSignedData(prepared.state, signature, { certificates, eContent });
}

const REJECTION = 2;

function refusal(failure: Failure, text: string): Buffer {
  const bit = FAILURE_BITS[failure];
  const bytes = Buffer.alloc((bit >> 3) + 1);
  bytes[bit >> 3] = 0x80 >> (bit & 7);
  return sequence(sequence(integer(REJECTION), sequence(utf8String(text)), bitString(bytes, 7 - (bit & 7))));
}
