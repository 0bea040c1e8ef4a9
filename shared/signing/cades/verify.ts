import { readAlgorithm } from '../../pki/certificate/certificate.ts';
import {
  errorFinding,
  type Finding,
  resultsOf,
  type ValidationResults,
} from '../../pki/findings/validation-results.ts';
import { readElement } from '../cms/ber-or-der.ts';
import { START_BYTES } from '../cms/check-direct-signer.ts';
import { chunksOf, parseStream, type Source } from '../cms/input.ts';
import { decodePem } from '../cms/pem.ts';
import { readParts, type SignedData } from '../cms/read.ts';
import { type ContentHeader, splitSignedData } from '../cms/split.ts';
import { DIGESTS, type Digest, digestByOid, openHash } from '../digest.ts';
import { archiveDigests } from './archive-timestamps.ts';
import { type SignerReport, type VerifyContext, verifySigners } from './verify-signers.ts';

export type CadesReport = {
  /** Whether the signature holds its content. */
  readonly attached: boolean;
  /** The type of the content (RFC 5652, 5.2). */
  readonly contentType: string;
  readonly signers: readonly SignerReport[];
  /** There is a signer, and every signature is valid. */
  readonly valid: boolean;
  /** Findings on the file and not on one signer. */
  readonly results: ValidationResults;
};

/** The hashes and first bytes of streamed content. */
type ContentDigests = { readonly hashes: ReadonlyMap<Digest, Buffer>; readonly start: Buffer };

export type CadesContext = Omit<VerifyContext, 'contentHash'> & {
  /** The content of a detached signature. For an attached one, the content that it must hold. */
  readonly content?: Source | undefined;
};

/**
 * Reports on a signature in DER, BER or PEM. Content is streamed. Throws CmsMalformed for bytes that are not a
 * SignedData, and nothing else for what they hold.
 * @example const { valid, signers } = await verifyCades(createReadStream('a.p7s'), { content: createReadStream('a'), judge, atMs });
 */
export async function verifyCades(signature: Source, context: CadesContext): Promise<CadesReport> {
  const { data, inside } = await readSignature(signature);
  const attached = data.split.contentBytes !== undefined;
  const outside = context.content && (await hashContent(context.content, digestsOf(data)));
  const findings = fileFindings(data, attached ? inside : undefined, outside);
  const content = outside ?? (attached ? inside : undefined);
  const signers = await verifySigners(data, {
    ...context,
    contentHash: (digest) => content?.hashes.get(digest),
    contentStart: content?.start,
  });
  const valid = !findings.length && signers.every((signer) => signer.valid);
  return { attached, contentType: data.split.contentType, signers, valid, results: resultsOf(findings) };
}

async function readSignature(signature: Source): Promise<{ data: SignedData; inside: ContentDigests }> {
  let passing = createHasher([]);
  const onAnnounced = ({ digestAlgorithms }: ContentHeader): void => {
    const announced = digestAlgorithms.map(digestIn).filter((digest) => digest !== undefined);
    passing = createHasher(announced.length ? announced : DIGESTS); // some writers announce none
  };
  const pieces = parseStream(splitSignedData(onAnnounced), decodePem(signature));
  let step = await pieces.next();
  for (; !step.done; step = await pieces.next()) passing.update(step.value);
  return { data: readParts(step.value), inside: passing.end() };
}

const digestIn = (raw: Buffer): Digest | undefined =>
  digestByOid(readElement(raw, (element) => readAlgorithm(element).oid));

const digestsOf = ({ signers }: SignedData): Digest[] =>
  signers.flatMap((signer) => [...(signer.digest ? [signer.digest] : []), ...archiveDigests(signer)]);

type ContentHasher = { update(piece: Uint8Array): void; end(): ContentDigests };

/** Hashes streamed content, and keeps its first bytes. */
function createHasher(digests: readonly Digest[]): ContentHasher {
  const open = new Map(digests.map((digest) => [digest, openHash(digest)]));
  let start: Buffer = Buffer.alloc(0);
  return {
    update(piece) {
      if (start.length < START_BYTES)
        start = Buffer.concat([start, piece.subarray(0, START_BYTES - start.length)]);
      for (const hash of open.values()) hash.update(piece);
    },
    end: () => ({
      hashes: new Map(Array.from(open, ([digest, hash]) => [digest, hash.digest()] as const)),
      start,
    }),
  };
}

async function hashContent(content: Source, digests: readonly Digest[]): Promise<ContentDigests> {
  const passing = createHasher(digests);
  for await (const chunk of chunksOf(content)) passing.update(chunk);
  return passing.end();
}

function fileFindings(
  data: SignedData,
  inside: ContentDigests | undefined,
  outside: ContentDigests | undefined,
): Finding[] {
  if (!data.signers.length)
    return [errorFinding('DecodeError', 'The file holds certificates and no signature.')];
  if (!inside && !outside)
    return [
      errorFinding('MessageDigestMismatch', 'The signature is detached: give the content that it is over.'),
    ];
  // Content substitution: the caller's content must be the content that the signature holds.
  const differs = data.signers.some(({ digest }) => {
    const hash = digest && outside?.hashes.get(digest);
    return hash && inside && !inside.hashes.get(digest)?.equals(hash);
  });
  return differs
    ? [
        errorFinding(
          'MessageDigestMismatch',
          'The signature holds other content than the content that was given.',
        ),
      ]
    : [];
}
