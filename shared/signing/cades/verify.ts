import type { Hash } from 'node:crypto';
import { readAlgorithm } from '../../pki/certificate.ts';
import { type Finding, failed, resultsOf, type ValidationResults } from '../../pki/validation-results.ts';
import { unarmoured } from '../cms/armour.ts';
import { readElement } from '../cms/ber-or-der.ts';
import { chunksOf, parseStream, type Source } from '../cms/input.ts';
import { type SignedData, understood } from '../cms/read.ts';
import { type Announced, splitSignedData } from '../cms/split.ts';
import { DIGESTS, type Digest, digestByOid, openHash } from '../digest.ts';
import { type SignerReport, type VerifyContext, verifySigners } from './verify-signers.ts';

export type CadesReport = {
  /** Whether the signature holds its content. */
  readonly attached: boolean;
  readonly signers: readonly SignerReport[];
  /** There is a signer, and every signer's signature is valid. */
  readonly valid: boolean;
  /** What concerns the file and no signer. */
  readonly results: ValidationResults;
};

type Hashes = ReadonlyMap<Digest, Buffer>;

export type CadesContext = Omit<VerifyContext, 'contentHash'> & {
  /** What a detached signature is over; for an attached one, what its content must be. */
  readonly content?: Source | undefined;
};

/**
 * A report on a signature in DER, BER or PEM. Content passes by and is never held. Throws CmsMalformed for bytes
 * that are no SignedData, and nothing else for what they hold.
 * @example const { valid, signers } = await verifyCades(createReadStream('a.p7s'), { content: createReadStream('a'), judge, atMs });
 */
export async function verifyCades(signature: Source, context: CadesContext): Promise<CadesReport> {
  const { data, inside } = await readThrough(signature);
  const attached = data.split.contentBytes !== undefined;
  const outside = context.content && (await hashed(context.content, digestsOf(data)));
  const findings = fileFindings(data, attached ? inside : undefined, outside);
  const hashes = outside ?? (attached ? inside : new Map());
  const signers = await verifySigners(data, { ...context, contentHash: (digest) => hashes.get(digest) });
  const valid = !findings.length && signers.every((signer) => signer.valid);
  return { attached, signers, valid, results: resultsOf(findings) };
}

async function readThrough(signature: Source): Promise<{ data: SignedData; inside: Hashes }> {
  let open = new Map<Digest, Hash>();
  const onAnnounced = ({ digestAlgorithms }: Announced): void => {
    const announced = digestAlgorithms.map(digestIn).filter((digest) => digest !== undefined);
    open = opened(announced.length ? announced : DIGESTS); // some writers announce none
  };
  const pieces = parseStream(splitSignedData(onAnnounced), unarmoured(signature));
  let step = await pieces.next();
  for (; !step.done; step = await pieces.next()) for (const hash of open.values()) hash.update(step.value);
  return { data: understood(step.value), inside: closed(open) };
}

const digestIn = (raw: Buffer): Digest | undefined =>
  digestByOid(readElement(raw, (element) => readAlgorithm(element).oid));

const digestsOf = ({ signers }: SignedData): Digest[] => signers.flatMap(({ digest }) => digest ?? []);

const opened = (digests: readonly Digest[]): Map<Digest, Hash> =>
  new Map(digests.map((digest) => [digest, openHash(digest)]));

const closed = (open: Map<Digest, Hash>): Hashes =>
  new Map(Array.from(open, ([digest, hash]) => [digest, hash.digest()] as const));

async function hashed(content: Source, digests: readonly Digest[]): Promise<Hashes> {
  const open = opened(digests);
  for await (const chunk of chunksOf(content)) for (const hash of open.values()) hash.update(chunk);
  return closed(open);
}

function fileFindings(data: SignedData, inside: Hashes | undefined, outside: Hashes | undefined): Finding[] {
  if (!data.signers.length) return [failed('DecodeError', 'The file holds certificates and no signature.')];
  if (!inside && !outside)
    return [failed('MessageDigestMismatch', 'The signature is detached: give the content that it is over.')];
  const differs = [...(outside ?? [])].some(([digest, hash]) => inside && !inside.get(digest)?.equals(hash));
  return differs
    ? [failed('MessageDigestMismatch', 'The signature holds other content than the content that was given.')]
    : [];
}
