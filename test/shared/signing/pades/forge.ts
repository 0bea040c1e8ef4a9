import { CONTENT } from '../../../../shared/signing/cms/oids.ts';
import { completeSignedData } from '../../../../shared/signing/cms/signed-data.ts';
import { prepareSignerInfo } from '../../../../shared/signing/cms/signer-info.ts';
import { hashOf } from '../../../../shared/signing/digest.ts';
import { openForSigning } from '../../../../shared/signing/pades/open-for-signing.ts';
import { sourceOf } from '../../../../shared/signing/pades/pdf/source.ts';
import { appendSignedField } from '../../../../shared/signing/pades/signed-field.ts';
import { person } from './parties.ts';

export type Parts = { readonly file: Buffer; readonly holeStart: number; readonly holeEnd: number };

export type Forgery = {
  /** The /ByteRange as it is written. */
  readonly range?: (parts: Parts) => readonly (number | string)[];
  /** The bytes that are signed: everything but the hole, unless told otherwise. */
  readonly signs?: (parts: Parts) => Buffer;
  readonly subFilter?: string;
  readonly eContent?: Buffer;
  /** What stands in the hole, made of what would. */
  readonly contents?: (der: Buffer) => Buffer;
  /** The whole file, once it is signed. */
  readonly after?: (file: Buffer, parts: Parts) => Buffer;
};

export const aroundHole = ({ file, holeStart, holeEnd }: Parts): Buffer =>
  Buffer.concat([file.subarray(0, holeStart), file.subarray(holeEnd)]);

/** A file signed with a real key by a program that does as it likes. */
export async function forged(original: Buffer, forgery: Forgery): Promise<Buffer> {
  const source = sourceOf(original);
  const { increment, hole } = appendSignedField(openForSigning(source), {
    kind: 'signature',
    head: `/Type/Sig/Filter/Adobe.PPKLite/SubFilter/${forgery.subFilter ?? 'ETSI.CAdES.detached'}`,
    tail: '',
    contentsBytes: 8192,
  });
  const file = Buffer.concat([original, increment]);
  const parts = { file, holeStart: hole.contentsAt, holeEnd: hole.contentsAt + 2 * hole.contentsBytes + 2 };
  const { holeStart, holeEnd } = parts;
  const range = forgery.range?.(parts) ?? [0, holeStart, holeEnd, file.length - holeEnd];
  file.write(range.join(' ').padEnd(43), hole.byteRangeAt, 'latin1');
  const signs = forgery.eContent ?? (forgery.signs ?? aroundHole)(parts);
  const { certificate, chain } = person;
  const { state, digest, hash } = prepareSignerInfo({
    certificate,
    digest: 'sha256',
    contentDigest: hashOf('sha256', signs),
    contentType: CONTENT.data,
  });
  const signature = await person.signHash(digest, hash);
  const { eContent } = forgery;
  const der = completeSignedData(state, signature, { certificates: [certificate, ...chain], eContent });
  file.write((forgery.contents?.(der) ?? der).toString('hex'), holeStart + 1, 'latin1');
  return forgery.after?.(file, parts) ?? file;
}
