import { CONTENT } from '../../../../shared/signing/cms/oids.ts';
import {
  type SignedDataParts as CmsParts,
  frame,
  signedDataParts,
} from '../../../../shared/signing/cms/signed-data.ts';
import { prepareSignerInfo } from '../../../../shared/signing/cms/signer-info.ts';
import { hashOf } from '../../../../shared/signing/digest.ts';
import type { SigningKey } from '../../../../shared/signing/key.ts';
import { fillByteRange, filled, putSignature } from '../../../../shared/signing/pades/hole.ts';
import { openForUpdate } from '../../../../shared/signing/pades/open-for-signing.ts';
import { openPdf } from '../../../../shared/signing/pades/pdf/document.ts';
import { type Increment, startIncrement } from '../../../../shared/signing/pades/pdf/increment.ts';
import { sourceOf } from '../../../../shared/signing/pades/pdf/source.ts';
import type { PdfRef } from '../../../../shared/signing/pades/pdf/values.ts';
import { appendSignedField, type Visible } from '../../../../shared/signing/pades/signed-field.ts';
import { company, person } from './parties.ts';

export type Parts = { readonly file: Buffer; readonly holeStart: number; readonly holeEnd: number };

export type Forgery = {
  /** The /ByteRange as it is written. */
  readonly range?: (parts: Parts) => readonly (number | string)[];
  /** The bytes that are signed: everything but the hole, unless told otherwise. */
  readonly signs?: (parts: Parts) => Buffer;
  readonly subFilter?: string;
  readonly eContent?: Buffer | ((parts: Parts) => Buffer);
  /** A second signer signs the same. */
  readonly cosigned?: boolean;
  /** Who signs, in place of the person. */
  readonly by?: SigningKey;
  /** What its field shows on a page. */
  readonly visible?: Visible;
  /** What stands in the hole, made of what would. */
  readonly contents?: (der: Buffer) => Buffer;
};

export const aroundHole = ({ file, holeStart, holeEnd }: Parts): Buffer =>
  Buffer.concat([file.subarray(0, holeStart), file.subarray(holeEnd)]);

/** A file signed with a real key by a program that does as it likes. */
export async function forged(original: Buffer, forgery: Forgery): Promise<Buffer> {
  const source = sourceOf(original);
  const { increment, hole } = appendSignedField(openForUpdate(source), {
    // As a timestamp nothing is refused.
    kind: 'timestamp',
    head: `/Type/Sig/Filter/Adobe.PPKLite/SubFilter/${forgery.subFilter ?? 'ETSI.CAdES.detached'}`,
    tail: '',
    visible: forgery.visible,
    contentsBytes: 8192,
  });
  const file = Buffer.concat([original, increment]);
  const around = { file, holeStart: hole.contentsAt, holeEnd: hole.contentsAt + 2 * hole.contentsBytes + 2 };
  const { holeStart, holeEnd } = around;
  const range = forgery.range?.(around) ?? [0, holeStart, holeEnd, file.length - holeEnd];
  file.write(range.join(' ').padEnd(43), hole.byteRangeAt, 'latin1');
  const held = typeof forgery.eContent === 'function' ? forgery.eContent(around) : forgery.eContent;
  const signs = held ?? (forgery.signs ?? aroundHole)(around);
  const signers = [forgery.by ?? person, ...(forgery.cosigned ? [company] : [])];
  const parts = await Promise.all(signers.map((key) => partsBy(key, signs)));
  const der = joinedDer(parts, held);
  file.write((forgery.contents?.(der) ?? der).toString('hex'), holeStart + 1, 'latin1');
  return file;
}

/** A save of whatever somebody likes to write, with a signature over all of it by a real key. */
export async function signedSave(
  original: Buffer,
  put: (update: Increment, signature: PdfRef) => void,
  key = person,
): Promise<Buffer> {
  const update = startIncrement(openPdf(sourceOf(original)));
  const signature = update.reserve();
  const hole = putSignature(update, signature, {
    head: '/SubFilter/ETSI.CAdES.detached',
    tail: '',
    contentsBytes: 6000,
  });
  put(update, signature);
  const increment = update.finish();
  fillByteRange(increment, original.length, hole);
  const file = Buffer.concat([original, increment]);
  const holeEnd = hole.contentsAt + 2 * hole.contentsBytes + 2;
  const der = joinedDer([await partsBy(key, aroundHole({ file, holeStart: hole.contentsAt, holeEnd }))]);
  return Buffer.concat([original, filled(increment, original.length, hole, der)]);
}

async function partsBy(key: SigningKey, content: Buffer): Promise<CmsParts> {
  const { certificate, chain } = key;
  const contentDigest = hashOf('sha256', content);
  const { state, digest, hash } = prepareSignerInfo({
    certificate,
    digest: 'sha256',
    contentDigest,
    contentType: CONTENT.data,
  });
  return signedDataParts(state, await key.signHash(digest, hash), { certificates: [certificate, ...chain] });
}

function joinedDer([first, ...more]: readonly CmsParts[], eContent?: Buffer): Buffer {
  if (!first) throw new Error('Nobody signs.');
  const parts = {
    ...first,
    certificates: [first, ...more].flatMap(({ certificates }) => certificates),
    signerInfos: [first, ...more].flatMap(({ signerInfos }) => signerInfos),
  };
  const { head, tail } = frame(parts, eContent?.length);
  return Buffer.concat([head, eContent ?? Buffer.alloc(0), tail]);
}
