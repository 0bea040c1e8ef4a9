import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { CONTENT } from '../../../../shared/signing/cms/oids.ts';
import { completeSignedData } from '../../../../shared/signing/cms/signed-data.ts';
import { prepareSignerInfo } from '../../../../shared/signing/cms/signer-info.ts';
import { hashOf } from '../../../../shared/signing/digest.ts';
import type { SigningKey } from '../../../../shared/signing/key.ts';
import { formOf } from '../../../../shared/signing/pades/fields.ts';
import { arrayOf, catalogOf, dictOf, openPdf } from '../../../../shared/signing/pades/pdf/document.ts';
import { findPage } from '../../../../shared/signing/pades/pdf/page-tree.ts';
import { sourceOf } from '../../../../shared/signing/pades/pdf/source.ts';
import { dateString, stringBytes } from '../../../../shared/signing/pades/pdf/text.ts';
import {
  countOf,
  isArray,
  isRef,
  isString,
  type PdfDict,
  type PdfValue,
  print,
  printName,
} from '../../../../shared/signing/pades/pdf/values.ts';

const CONTENTS_DIGITS = 16 * 1024;
const RANGE_BLANKS = 60;
/** The entries of one section, which the next trailer does not copy. */
const OWN_TO_SECTION = ['Length', 'Filter', 'DecodeParms', 'W', 'Type', 'Index', 'XRefStm'];

type Entries = Readonly<Record<string, string>>;

const dictionary = (entries: Entries): string =>
  `<<\n${Object.entries(entries)
    .map(([key, value]) => `${printName(key)} ${value}\n`)
    .join('')}>>`;

const texts = (dict: PdfDict): Record<string, string> =>
  Object.fromEntries(Array.from(dict, ([key, value]) => [key, print(value)]));

const items = (values: readonly (PdfValue | string)[]): string =>
  `[${values.map((value) => ` ${typeof value === 'string' ? value : print(value)}`).join('')} ]`;

export type PyHankoOptions = {
  readonly key: SigningKey;
  readonly field: string;
  /** The place of a visible signature; without it the field has no size. */
  readonly box?: readonly [number, number, number, number];
  readonly subFilter?: 'adbe.pkcs7.detached' | 'ETSI.CAdES.detached';
};

/**
 * Appends a signature as pyHanko writes one, byte by byte: a cross-reference stream with /W [1 8 2] where the file has
 * one, else a table; numbers from /Size + 1; /ID and /Info added where they are missing; /Contents before /ByteRange,
 * which its unused blanks follow; a new form as an indirect object.
 */
export async function signLikePyHanko(file: Buffer, options: PyHankoOptions): Promise<Buffer> {
  const pdf = openPdf(sourceOf(file));
  const catalog = catalogOf(pdf);
  const page = findPage(pdf, 1);
  const isStream = pdf.sections.some(({ kind }) => kind === 'stream');
  const size = pdf.sections.reduce(
    (most, { trailer }) => Math.max(most, countOf(trailer.get('Size')) ?? 0),
    0,
  );
  let last = size;
  const next = (): number => ++last;
  const bodies = new Map<number, string>();

  const form = formOf(pdf, catalog.dict);
  const formRef = catalog.dict.get('AcroForm');
  const [formId, field, signature] = [isRef(formRef) ? formRef.id : next(), next(), next()];
  const fields = [...arrayOf(pdf, form?.get('Fields')), `${field} 0 R`];
  bodies.set(formId, dictionary({ ...(form && texts(form)), Fields: items(fields), SigFlags: '3' }));
  if (!isRef(formRef))
    bodies.set(catalog.ref.id, dictionary({ ...texts(catalog.dict), AcroForm: `${formId} 0 R` }));
  const annotations = [...arrayOf(pdf, page.dict.get('Annots')), `${field} 0 R`];
  bodies.set(page.ref.id, dictionary({ ...texts(page.dict), Annots: items(annotations) }));
  const appearance = options.box && next();
  if (options.box && appearance) bodies.set(appearance, appearanceOf(options.box));
  bodies.set(
    field,
    dictionary({
      FT: '/Sig',
      T: `(${options.field})`,
      Type: '/Annot',
      Subtype: '/Widget',
      F: '132',
      Rect: items((options.box ?? [0, 0, 0, 0]).map(String)),
      P: print(page.ref),
      V: `${signature} 0 R`,
      ...(appearance && { AP: dictionary({ N: `${appearance} 0 R` }) }),
    }),
  );
  bodies.set(
    signature,
    dictionary({
      Contents: `<${'0'.repeat(CONTENTS_DIGITS)}>`,
      ByteRange: `[]${' '.repeat(RANGE_BLANKS)}`,
      Type: '/Sig',
      Filter: '/Adobe.PPKLite',
      SubFilter: printName(options.subFilter ?? 'adbe.pkcs7.detached'),
      M: dateString(Date.now()),
      Prop_Build: dictionary({ App: dictionary({ Name: '/pyHanko', REx: '(0.25.0)' }) }),
    }),
  );
  const info = pdf.trailer.get('Info');
  const infoId = isRef(info) ? info.id : next();
  bodies.set(
    infoId,
    dictionary({
      ...texts(dictOf(pdf, info) ?? new Map()),
      ModDate: dateString(Date.now()),
      Producer: '(pyHanko 0.25.0)',
    }),
  );

  const trailer: Record<string, string> = {};
  for (const section of pdf.sections.toReversed()) Object.assign(trailer, texts(section.trailer));
  for (const key of OWN_TO_SECTION) delete trailer[key];
  Object.assign(trailer, {
    Root: print(catalog.ref),
    Info: `${infoId} 0 R`,
    ID: idOf(pdf.trailer.get('ID')),
  });
  trailer.Prev = String(pdf.sections[0]?.at);

  let bytes = Buffer.concat([file, Buffer.from(file.at(-1) === 10 ? '' : '\n')]);
  const write = (text: string): void => {
    bytes = Buffer.concat([bytes, Buffer.from(text, 'latin1')]);
  };
  const offsets = new Map<number, number>();
  for (const [id, body] of [...bodies].sort(([one], [other]) => one - other)) {
    offsets.set(id, bytes.length);
    write(`${id} 0 obj\n${body}\nendobj\n`);
  }
  const at = bytes.length;
  write(isStream ? streamSection(offsets, trailer, next(), at) : tableSection(offsets, trailer, last + 1));
  write(`\nstartxref\n${at}\n%%EOF\n`);
  return filledIn(bytes, file.length, options.key);
}

function appearanceOf([left, bottom, right, top]: readonly [number, number, number, number]): string {
  const content = 'q BT /F1 10 Tf 5 5 Td (Digitally signed) Tj ET Q';
  const font = dictionary({ Type: '/Font', Subtype: '/Type1', BaseFont: '/Courier' });
  const entries = {
    BBox: items(['0', String(top - bottom), String(right - left), '0']),
    Resources: dictionary({ Font: dictionary({ F1: font }) }),
    Type: '/XObject',
    Subtype: '/Form',
    Length: String(content.length),
  };
  return `${dictionary(entries)}\nstream\n${content}\nendstream`;
}

function idOf(id: PdfValue | undefined): string {
  const first = isArray(id) && isString(id[0]) ? stringBytes(id[0]) : randomBytes(16);
  return items([first, randomBytes(16)].map((half) => `<${half.toString('hex')}>`));
}

function runsOf(offsets: ReadonlyMap<number, number>): [number, number[]][] {
  const runs: [number, number[]][] = [];
  for (const [id, offset] of [...offsets].sort(([one], [other]) => one - other)) {
    const run = runs.at(-1);
    if (run && run[0] + run[1].length === id) run[1].push(offset);
    else runs.push([id, [offset]]);
  }
  return runs;
}

function tableSection(offsets: ReadonlyMap<number, number>, trailer: Entries, size: number): string {
  const rows = runsOf(offsets).map(
    ([first, places]) =>
      `${first} ${places.length}\n${places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')}`,
  );
  return `xref\n0 1\n0000000000 65535 f \n${rows.join('')}trailer\n${dictionary({ ...trailer, Size: String(size) })}`;
}

function streamSection(
  offsets: ReadonlyMap<number, number>,
  trailer: Entries,
  id: number,
  at: number,
): string {
  const runs = runsOf(new Map([...offsets, [id, at]]));
  const row = (kind: number, offset: number, generation: number): Buffer => {
    const bytes = Buffer.alloc(11);
    bytes.writeUInt8(kind, 0);
    bytes.writeBigUInt64BE(BigInt(offset), 1);
    bytes.writeUInt16BE(generation, 9);
    return bytes;
  };
  const rows = [row(0, 0, 65535), ...runs.flatMap(([, places]) => places.map((place) => row(1, place, 0)))];
  const data = deflateSync(Buffer.concat(rows)).toString('latin1');
  const entries = {
    W: '[ 1 8 2 ]',
    Type: '/XRef',
    Filter: '/FlateDecode',
    ...trailer,
    Size: String(id + 1),
    Index: items(['0', '1', ...runs.flatMap(([first, places]) => [String(first), String(places.length)])]),
    Length: String(data.length),
  };
  return `${id} 0 obj\n${dictionary(entries)}\nstream\n${data}\nendstream\nendobj\n`;
}

async function filledIn(bytes: Buffer, from: number, key: SigningKey): Promise<Buffer> {
  const start = bytes.indexOf('/Contents <000', from, 'latin1') + '/Contents '.length;
  const end = start + CONTENTS_DIGITS + 2;
  const rangeAt = bytes.indexOf('/ByteRange []', end, 'latin1') + '/ByteRange '.length;
  bytes.write(`[0 ${start} ${end} ${bytes.length - end}]`, rangeAt, 'latin1');
  const { certificate, chain } = key;
  const { state, digest, hash } = prepareSignerInfo({
    certificate,
    digest: 'sha256',
    contentDigest: hashOf('sha256', Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])),
    contentType: CONTENT.data,
  });
  const der = completeSignedData(state, await key.signHash(digest, hash), {
    certificates: [certificate, ...chain],
  });
  bytes.write(der.toString('hex').toUpperCase(), start + 1, 'latin1');
  return bytes;
}
