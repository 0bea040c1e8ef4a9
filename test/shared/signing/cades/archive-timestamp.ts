import { createHash } from 'node:crypto';
import { requestTimestamp } from '../../../../shared/signing/timestamp/client.ts';
import { reaching } from '../timestamp/fixtures.ts';

// An archive timestamp written from the text of EN 319 122-1, 5.5.2 and 5.5.3, and TS 101 733. It has its own reader
// of DER and its own hashes, so that the verifier is not held against itself.

export type Piece = { readonly tag: number; readonly content: Buffer; readonly whole: Buffer };

export function piecesOf(bytes: Buffer): Piece[] {
  const found: Piece[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes.readUInt8(at + 1);
    const more = first < 0x80 ? 0 : first & 0x7f;
    const length = more ? bytes.readUIntBE(at + 2, more) : first;
    const start = at + 2 + more;
    const end = start + length;
    found.push({
      tag: bytes.readUInt8(at),
      content: bytes.subarray(start, end),
      whole: bytes.subarray(at, end),
    });
    at = end;
  }
  return found;
}

export function piece(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const hex = content.length.toString(16);
  const length = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  const header = content.length < 0x80 ? [content.length] : [0x80 | length.length, ...length];
  return Buffer.concat([Buffer.from([tag, ...header]), content]);
}

/** The element with what stands at a path of indices changed; a negative index counts from the end. */
export function edited(
  whole: Buffer,
  path: readonly number[],
  change: (parts: Buffer[]) => Buffer[],
): Buffer {
  const [{ tag, content } = { tag: 0, content: Buffer.alloc(0) }] = piecesOf(whole);
  const parts = piecesOf(content).map((part) => part.whole);
  const [index, ...rest] = path;
  if (index === undefined) return piece(tag, ...change(parts));
  const at = index < 0 ? parts.length + index : index;
  return piece(tag, ...parts.with(at, edited(parts[at] ?? Buffer.alloc(0), rest, change)));
}

/** The first SignerInfo of a SignedData: ContentInfo, [0], SignedData, signerInfos. */
const SIGNER = [1, 0, -1, 0];
const UNSIGNED = 0xa1;

/** The signature with one more unsigned attribute at its end. */
export const withUnsigned = (signature: Buffer, attribute: Buffer): Buffer =>
  edited(signature, SIGNER, (parts) => {
    const last = parts.at(-1);
    return last?.[0] === UNSIGNED
      ? [...parts.slice(0, -1), piece(UNSIGNED, piecesOf(last)[0]?.content ?? last, attribute)]
      : [...parts, piece(UNSIGNED, attribute)];
  });

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const DIGESTS = { sha256: hex('0609608648016503040201'), sha512: hex('0609608648016503040203') };
const ATS_V3 = hex('060604008d450204'); // 0.4.0.1733.2.4
const INDEX = { v1: hex('060604008d450205'), v3: hex('060704008195320105') }; // 0.4.0.1733.2.5, 0.4.0.19122.1.5

export type ArchiveOptions = {
  /** What a detached signature is over. */
  readonly content?: Buffer;
  readonly digest?: keyof typeof DIGESTS;
  readonly index?: keyof typeof INDEX;
  readonly authority?: Parameters<typeof reaching>[0];
  /** What is stamped, when it is not what the standard says. */
  readonly imprint?: Buffer;
};

/** The signature with an archive timestamp over it and everything that it holds. */
export async function archived(signature: Buffer, options: ArchiveOptions = {}): Promise<Buffer> {
  const { digest = 'sha256', index: version = 'v3', authority = {} } = options;
  const hash = (bytes: Buffer) => createHash(digest).update(bytes).digest();
  const [, wrapped] = inside(signature);
  const signedData = inside(inside(wrapped)[0]);
  const [, , capsule] = signedData;
  const [type, eContent] = inside(capsule);
  const content = options.content ?? inside(eContent)[0]?.content ?? Buffer.alloc(0);
  const certificates = inside(signedData.find(({ tag }) => tag === 0xa0));
  const crls = inside(signedData.find(({ tag }) => tag === 0xa1));
  const signer = inside(inside(signedData.at(-1))[0]);
  const attributes = inside(signer.find(({ tag }) => tag === UNSIGNED));
  const perValue = attributes.flatMap((attribute) => {
    const [name, values] = inside(attribute);
    return inside(values).map((value) => Buffer.concat([name?.whole ?? hex(''), value.whole]));
  });
  const listed = version === 'v3' ? perValue : attributes.map(({ whole }) => whole);
  const list = (all: readonly Buffer[]) => piece(0x30, ...all.map((one) => piece(0x04, hash(one))));
  const index = piece(
    0x30,
    ...(version === 'v3' ? [piece(0x30, DIGESTS[digest])] : []), // the first version means SHA-256 without
    list(certificates.map(({ whole }) => whole)),
    list(crls.map(({ whole }) => whole)),
    list(listed),
  );
  const stamped = Buffer.concat([
    type?.whole ?? hex(''),
    hash(content),
    ...signer.filter(({ tag }) => tag !== UNSIGNED).map(({ whole }) => whole),
    index,
  ]);
  const { token } = await requestTimestamp(digest, options.imprint ?? hash(stamped), {
    ...reaching(authority),
    clockToleranceMs: 1e13,
  });
  const indexed = withUnsigned(token, piece(0x30, INDEX[version], piece(0x31, index)));
  return withUnsigned(signature, piece(0x30, ATS_V3, piece(0x31, indexed)));
}

const inside = (part: Piece | Buffer | undefined): Piece[] => {
  if (!part) return [];
  return piecesOf(Buffer.isBuffer(part) ? (piecesOf(part)[0]?.content ?? part) : part.content);
};
