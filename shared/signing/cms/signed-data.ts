import { context, TAG } from '../../der/tags.ts';
import { explicit, header, integer, oid, sequence, setOf, tlv } from '../../der/write.ts';
import { digestAlgorithm } from '../digest.ts';
import { CONTENT } from './oids.ts';
import { completeSignerInfo, type SignerState } from './signer-info.ts';

/** Everything of a SignedData but its content. Each part is the encoded element. */
export type SignedDataParts = {
  readonly version: number;
  readonly contentType: string;
  readonly digestAlgorithms: readonly Buffer[];
  readonly certificates: readonly Buffer[];
  readonly crls: readonly Buffer[];
  readonly signerInfos: readonly Buffer[];
};

export type Completion = {
  readonly certificates: readonly { readonly der: Buffer }[];
  readonly crls?: readonly Buffer[] | undefined;
  /** A timestamp over the signature. Call checkSignature before you request one. */
  readonly timestampToken?: Buffer | undefined;
  /** Absent in a detached signature. Content that does not fit in memory is framed instead. */
  readonly eContent?: Buffer | undefined;
};

/**
 * A SignedData of one signer, in DER.
 * @example const der = completeSignedData(state, await key.signHash(digest, hash), { certificates: [certificate, ...chain] });
 */
export function completeSignedData(state: SignerState, signature: Buffer, completion: Completion): Buffer {
  const { eContent } = completion;
  const { head, tail } = frame(signedDataParts(state, signature, completion), eContent?.length);
  return Buffer.concat([head, eContent ?? Buffer.alloc(0), tail]);
}

export function signedDataParts(
  state: SignerState,
  signature: Buffer,
  completion: Omit<Completion, 'eContent'>,
): SignedDataParts {
  return {
    version: state.contentType === CONTENT.data ? 1 : 3, // RFC 5652, 5.1
    contentType: state.contentType,
    digestAlgorithms: [digestAlgorithm(state.digest)],
    certificates: completion.certificates.map(({ der }) => der),
    crls: completion.crls ?? [],
    signerInfos: [completeSignerInfo(state, signature, completion.timestampToken)],
  };
}

export type Frame = { readonly head: Buffer; readonly tail: Buffer };

/** The bytes before and after `contentBytes` of content, so that content of any size is streamed. */
export function frame(parts: SignedDataParts, contentBytes?: number): Frame {
  const tail = Buffer.concat([
    ...(parts.certificates.length ? [explicit(0, ...sortUnique(parts.certificates))] : []),
    ...(parts.crls.length ? [explicit(1, ...sortUnique(parts.crls))] : []),
    setOf(...parts.signerInfos),
  ]);
  const algorithms = tlv(TAG.SET, ...sortUnique(parts.digestAlgorithms));
  const fields = Buffer.concat([integer(parts.version), algorithms]);
  const type = oid(parts.contentType);
  if (contentBytes === undefined) {
    const body = sequence(fields, sequence(type), tail);
    return { head: sequence(oid(CONTENT.signedData), explicit(0, body)), tail: Buffer.alloc(0) };
  }
  // From the inside out: each length counts the content and everything beside it.
  const string = header(TAG.OCTET_STRING, contentBytes);
  const tagged = prependHeader(context(0), string, contentBytes);
  const encapsulated = prependHeader(TAG.SEQUENCE, Buffer.concat([type, tagged]), contentBytes);
  const signedData = prependHeader(
    TAG.SEQUENCE,
    Buffer.concat([fields, encapsulated]),
    contentBytes + tail.length,
  );
  const wrapped = prependHeader(context(0), signedData, contentBytes + tail.length);
  const named = Buffer.concat([oid(CONTENT.signedData), wrapped]);
  return { head: prependHeader(TAG.SEQUENCE, named, contentBytes + tail.length), tail };
}

const prependHeader = (tag: number, start: Buffer, restBytes: number): Buffer =>
  Buffer.concat([header(tag, start.length + restBytes), start]);

// DER: a SET OF is sorted by its encodings. Duplicates are dropped.
const sortUnique = (elements: readonly Buffer[]): Buffer[] =>
  [...new Map(elements.map((element) => [element.toString('latin1'), element])).values()].sort(
    Buffer.compare,
  );
