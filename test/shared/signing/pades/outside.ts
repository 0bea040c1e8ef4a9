import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/** A signature in a file, found without Sinete's parser. */
export type FoundSignature = {
  /** The CMS structure or timestamp token, without padding. */
  readonly der: Buffer;
  /** The signature's key in /VRI: the SHA-1 of /Contents. */
  readonly key: string;
  readonly signedBytes: Buffer;
};

/** Every signature of a PDF, in the order of the file. */
export const signaturesIn = (pdf: Buffer): FoundSignature[] =>
  Array.from(pdf.toString('latin1').matchAll(/\/ByteRange\s*\[\s*0 (\d+) (\d+) (\d+)\s*\]/g), (match) => {
    const [, before = 0, after = 0, rest = 0] = match.map(Number);
    const contents = Buffer.from(pdf.toString('latin1', before + 1, after - 1), 'hex');
    return {
      der: contents.subarray(0, 4 + contents.readUInt16BE(2)), // these structures have 256 bytes to 64 KB
      key: createHash('sha1').update(contents).digest('hex').toUpperCase(),
      signedBytes: Buffer.concat([pdf.subarray(0, before), pdf.subarray(after, after + rest)]),
    };
  });

type Json = { readonly [key: string]: Json } & readonly Json[] & string;

/** The validation data in a PDF, as qpdf reads it. */
export function validationDataIn(file: string) {
  const args = ['--json', '--json-stream-data=inline', '--decode-level=generalized', file];
  const read = JSON.parse(execFileSync('qpdf', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
  const objects: Readonly<
    Record<string, { readonly value?: Json; readonly stream?: { readonly data: string } }>
  > = read.qpdf[1];
  const at = (value: Json | undefined): Json | undefined =>
    typeof value === 'string' && objects[`obj:${value}`]?.value ? objects[`obj:${value}`]?.value : value;
  const root = at(objects.trailer?.value?.['/Root']);
  const store = at(root?.['/DSS']);
  const streams = (list: Json | undefined): Buffer[] =>
    Array.from(at(list) ?? [], (ref) => Buffer.from(objects[`obj:${ref}`]?.stream?.data ?? '', 'base64'));
  return {
    certificates: streams(store?.['/Certs']),
    crls: streams(store?.['/CRLs']),
    ocspResponses: streams(store?.['/OCSPs']),
    /** The keys of /VRI. */
    keys: Object.keys(at(store?.['/VRI']) ?? {}).map((key) => key.slice(1)),
  };
}
