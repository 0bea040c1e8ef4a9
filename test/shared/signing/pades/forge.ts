import { CONTENT } from '../../../../shared/signing/cms/oids.ts';
import {
  type SignedDataParts as CmsParts,
  frame,
  signedDataParts,
} from '../../../../shared/signing/cms/signed-data.ts';
import { prepareSignerInfo } from '../../../../shared/signing/cms/signer-info.ts';
import { hashOf } from '../../../../shared/signing/digest.ts';
import type { SigningKey } from '../../../../shared/signing/key.ts';
import {
  fillByteRange,
  fillContents,
  putSignature,
} from '../../../../shared/signing/pades/contents-placeholder.ts';
import { openForUpdate } from '../../../../shared/signing/pades/open-for-signing.ts';
import { openPdf } from '../../../../shared/signing/pades/pdf/document.ts';
import { type Increment, startIncrement } from '../../../../shared/signing/pades/pdf/increment.ts';
import { sourceOf } from '../../../../shared/signing/pades/pdf/source.ts';
import type { PdfRef } from '../../../../shared/signing/pades/pdf/values.ts';
import { appendSignedField, type Visible } from '../../../../shared/signing/pades/signed-field.ts';
import { company, person } from './parties.ts';

export type Parts = { readonly file: Buffer; readonly contentsStart: number; readonly contentsEnd: number };

export type Forgery = {
  /** The /ByteRange as written. */
  readonly range?: (parts: Parts) => readonly (number | string)[];
  /** The signed bytes; by default everything but /Contents. */
  readonly signs?: (parts: Parts) => Buffer;
  readonly subFilter?: string;
  readonly eContent?: Buffer | ((parts: Parts) => Buffer);
  /** Whether a second signer signs the same bytes. */
  readonly cosigned?: boolean;
  /** The signer, in place of the person. */
  readonly by?: SigningKey;
  /** The appearance of its field. */
  readonly visible?: Visible;
  /** Changes the value of /Contents. */
  readonly contents?: (der: Buffer) => Buffer;
};

export const aroundContents = ({ file, contentsStart, contentsEnd }: Parts): Buffer =>
  Buffer.concat([file.subarray(0, contentsStart), file.subarray(contentsEnd)]);

/** Signs a file with a real key, in a way that no honest program does. */
export async function forge(original: Buffer, forgery: Forgery): Promise<Buffer> {
  const source = sourceOf(original);
  const { increment, placeholder } = appendSignedField(openForUpdate(source), {
    // Nothing is refused for a timestamp.
    kind: 'timestamp',
    head: `/Type/Sig/Filter/Adobe.PPKLite/SubFilter/${forgery.subFilter ?? 'ETSI.CAdES.detached'}`,
    tail: '',
    visible: forgery.visible,
    contentsBytes: 8192,
  });
  const file = Buffer.concat([original, increment]);
  const around = {
    file,
    contentsStart: placeholder.contentsAt,
    contentsEnd: placeholder.contentsAt + 2 * placeholder.contentsBytes + 2,
  };
  const { contentsStart, contentsEnd } = around;
  const range = forgery.range?.(around) ?? [0, contentsStart, contentsEnd, file.length - contentsEnd];
  file.write(range.join(' ').padEnd(43), placeholder.byteRangeAt, 'latin1');
  const held = typeof forgery.eContent === 'function' ? forgery.eContent(around) : forgery.eContent;
  const signs = held ?? (forgery.signs ?? aroundContents)(around);
  const signers = [forgery.by ?? person, ...(forgery.cosigned ? [company] : [])];
  const parts = await Promise.all(signers.map((key) => partsBy(key, signs)));
  const der = joinedDer(parts, held);
  file.write((forgery.contents?.(der) ?? der).toString('hex'), contentsStart + 1, 'latin1');
  return file;
}

/** Appends an update with any content, and a signature over all of it by a real key. */
export async function appendSignedSave(
  original: Buffer,
  put: (update: Increment, signature: PdfRef) => void,
  key = person,
): Promise<Buffer> {
  const update = startIncrement(openPdf(sourceOf(original)));
  const signature = update.reserve();
  const placeholder = putSignature(update, signature, {
    head: '/SubFilter/ETSI.CAdES.detached',
    tail: '',
    contentsBytes: 6000,
  });
  put(update, signature);
  const increment = update.finish();
  fillByteRange(increment, original.length, placeholder);
  const file = Buffer.concat([original, increment]);
  const contentsEnd = placeholder.contentsAt + 2 * placeholder.contentsBytes + 2;
  const der = joinedDer([
    await partsBy(key, aroundContents({ file, contentsStart: placeholder.contentsAt, contentsEnd })),
  ]);
  return Buffer.concat([original, fillContents(increment, original.length, placeholder, der)]);
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
