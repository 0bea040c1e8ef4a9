import { readCount, readOid } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { CmsMalformed, NotSignedData } from '../errors.ts';
import { readElement } from './ber-or-der.ts';
import { close, hasMore, type Opened, openTag, passString, takeElement, takeElements } from './ber-parser.ts';
import { createInput, type Input, type Parser } from './input.ts';
import { CONTENT } from './oids.ts';
import type { SignedDataParts } from './signed-data.ts';

/** A SignedData whose content was streamed. `contentBytes` is undefined for a detached signature. */
export type SplitSignedData = SignedDataParts & { readonly contentBytes: number | undefined };

/** The fields before the content, so that it can be hashed as it is streamed. */
export type ContentHeader = { readonly digestAlgorithms: readonly Buffer[]; readonly contentType: string };

// Denial of service: each signer costs a path and its timestamps.
const MAX_SIGNERS = 100;

/** Splits a SignedData (RFC 5652, 5.1) in DER or BER, and yields its content as a stream. */
export function* splitSignedData(onAnnounced?: (announced: ContentHeader) => void): Parser<SplitSignedData> {
  const input = createInput();
  const info = yield* openTag(input, TAG.SEQUENCE);
  const kind = readElement(yield* takeElement(input, info), readOid);
  if (kind !== CONTENT.signedData) throw new NotSignedData(kind);
  const tagged = yield* openTag(input, context(0), info);
  const body = yield* openTag(input, TAG.SEQUENCE, tagged);
  const version = readElement(yield* takeElement(input, body), readCount);
  const digestAlgorithms = yield* takeElements(input, yield* openTag(input, TAG.SET, body));
  const capsule = yield* openTag(input, TAG.SEQUENCE, body);
  const contentType = readElement(yield* takeElement(input, capsule), readOid);
  onAnnounced?.({ digestAlgorithms, contentType });
  const contentBytes = yield* passContent(input, capsule);
  const certificates = yield* takeOptional(input, context(0), body);
  const crls = yield* takeOptional(input, context(1), body);
  const signerInfos = yield* takeElements(input, yield* openTag(input, TAG.SET, body), MAX_SIGNERS);
  for (const opened of [body, tagged, info]) yield* close(input, opened);
  yield* skipZeros(input);
  return { version, contentType, digestAlgorithms, certificates, crls, signerInfos, contentBytes };
}

const PIECE_BYTES = 4096;

// Signatures are stored in fields of fixed size. Zeros after one are padding, as in OpenSSL. Other bytes are refused:
// they would be content that no signature covers.
function* skipZeros(input: Input): Parser<void> {
  for (;;) {
    const next = yield* input.peek(PIECE_BYTES);
    if (!next.length) return;
    if (next.some((byte) => byte !== 0)) throw new CmsMalformed('Bytes follow the CMS structure.');
    yield* input.take(next.length);
  }
}

function* passContent(input: Input, capsule: Opened): Parser<number | undefined> {
  let size: number | undefined;
  if (yield* hasMore(input, capsule)) {
    const tagged = yield* openTag(input, context(0), capsule);
    const [tag = 0] = yield* input.peek(1);
    const opened = yield* openTag(input, tag & 0x20 ? CONSTRUCTED_STRING : TAG.OCTET_STRING, tagged);
    size = yield* passString(input, opened);
    yield* close(input, tagged);
  }
  yield* close(input, capsule);
  return size;
}

const CONSTRUCTED_STRING = TAG.OCTET_STRING | 0x20; // BER: a string in segments

function* takeOptional(input: Input, tag: number, within: Opened): Parser<Buffer[]> {
  if ((yield* input.peek(1))[0] !== tag) return [];
  return yield* takeElements(input, yield* openTag(input, tag, within));
}
