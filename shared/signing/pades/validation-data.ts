import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { withScratchMemory } from '../../bounds/budget.ts';
import { signatureOf } from './fields.ts';
import { type Entries, putCatalog, withEntries } from './form-update.ts';
import { openForUpdate, type Signable } from './open-for-signing.ts';
import { maxUnpackedBytes } from './pdf/chain.ts';
import { arrayOf, dictOf, type Pdf, resolve } from './pdf/document.ts';
import { decode } from './pdf/filters.ts';
import { type Increment, startIncrement, streamBody } from './pdf/increment.ts';
import { append, type Source } from './pdf/source.ts';
import { stringBytes } from './pdf/text.ts';
import {
  countOf,
  isRef,
  isStream,
  isString,
  name,
  type PdfDict,
  type PdfRef,
  type PdfValue,
  print,
} from './pdf/values.ts';
import { isTooComplex, PdfRefused } from './refused.ts';

/** The evidence for judging the signatures once no authority answers for them any more. All in DER. */
export type ValidationData = {
  readonly certificates: readonly Buffer[];
  readonly crls: readonly Buffer[];
  readonly ocspResponses: readonly Buffer[];
};

const KINDS = [
  { of: 'certificates', inStore: 'Certs', inSignature: 'Cert' },
  { of: 'crls', inStore: 'CRLs', inSignature: 'CRL' },
  { of: 'ocspResponses', inStore: 'OCSPs', inSignature: 'OCSP' },
] as const;

/**
 * Appends a document security store for the newest signature: PAdES B-LT (ETSI EN 319 142-1, 5.4.2). Items that the file
 * already holds are not written again.
 * @example const longTerm = withValidationData(sourceOf(signed), { certificates, crls, ocspResponses });
 */
export function appendValidationData(source: Source, data: ValidationData): Source {
  const signable = openForUpdate(source);
  const { pdf, catalog } = signable;
  const current = catalog.dict.get('DSS');
  const store = dictOf(pdf, current) ?? new Map();
  const update = startIncrement(pdf);
  const kinds = KINDS.map(({ of, inStore, inSignature }) => {
    const existing = arrayOf(pdf, store.get(inStore));
    return { inStore, inSignature, existing, ...putStreams(update, pdf, existing, data[of]) };
  });
  const lists = kinds.map(({ inStore, existing, added }) => [inStore, [...existing, ...added]] as const);
  const bySignature = new Map(
    kinds.flatMap(({ inSignature, used }) => (used.length ? [[inSignature, used] as const] : [])),
  );
  const perSignature = withEntries(dictOf(pdf, store.get('VRI')) ?? new Map(), {
    [newestVriKey(signable)]: update.put(update.reserve(), print(bySignature)),
  });
  const renewed = withEntries(store, {
    Type: name('DSS'),
    ...Object.fromEntries(lists.filter(([, items]) => items.length)),
    VRI: perSignature,
  });
  const ref = update.put(isRef(current) ? current : update.reserve(), print(renewed));
  putCatalog(update, signable, {
    ...(isRef(current) ? {} : { DSS: ref }),
    ...extensionEntries(pdf, catalog.dict),
  });
  return append(source, update.finish());
}

// The developer extension that declares the store, for a file of PDF 1.7 (ETSI EN 319 142-1, 5.6).
function extensionEntries(pdf: Pdf, catalog: PdfDict): Entries {
  const extensions = dictOf(pdf, catalog.get('Extensions')) ?? new Map<string, PdfValue>();
  if (extensions.has('ESIC')) return {};
  const level = new Map<string, PdfValue>([
    ['BaseVersion', name('1.7')],
    ['ExtensionLevel', 5],
  ]);
  return { Extensions: withEntries(extensions, { ESIC: level }) };
}

type StoredItems = { readonly added: readonly PdfRef[]; readonly used: readonly PdfValue[] };

function putStreams(
  update: Increment,
  pdf: Pdf,
  existing: readonly PdfValue[],
  items: readonly Buffer[],
): StoredItems {
  const known = new Map<string, PdfValue>();
  for (const value of existing) {
    withScratchMemory(pdf.budget, () => {
      const content = streamContent(pdf, value);
      if (content) known.set(fingerprint(content), value);
    });
  }
  const added: PdfRef[] = [];
  const used = new Set<PdfValue>();
  for (const item of items) {
    const print = fingerprint(item);
    const stored = known.get(print);
    const ref = stored ?? putItem(update, item);
    if (!stored && isRef(ref)) added.push(ref);
    known.set(print, ref);
    used.add(ref);
  }
  return { added, used: [...used] };
}

const putItem = (update: Increment, item: Buffer): PdfRef =>
  update.put(update.reserve(), ...streamBody({ Filter: name('FlateDecode') }, deflateSync(item)));

const fingerprint = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64');

function streamContent(pdf: Pdf, value: PdfValue): Buffer | undefined {
  try {
    const stream = resolve(pdf, value);
    return isStream(stream) ? decode(stream, maxUnpackedBytes(pdf.source), pdf.budget) : undefined;
  } catch (error) {
    if (error instanceof PdfRefused && !isTooComplex(error)) return undefined; // an unreadable item stays in the file, unused
    throw error;
  }
}

/** A signature's key in /VRI: the SHA-1 of its /Contents, padding included (ISO 32000-2, 12.8.4.4). */
export const vriKeyOf = (contents: Buffer): string =>
  createHash('sha1').update(contents).digest('hex').toUpperCase();

/** The end of the bytes that a signature covers. */
const coveredEndOf = (pdf: Pdf, signature: PdfDict): number =>
  arrayOf(pdf, signature.get('ByteRange'))
    .slice(2)
    .reduce((sum: number, value) => sum + (countOf(value) ?? 0), 0);

function newestVriKey({ pdf, fields }: Signable): string {
  // The form's order need not be the order of signing.
  const signatures = fields.flatMap((field) => signatureOf(pdf, field) ?? []);
  const newest = signatures
    .toSorted((one, other) => coveredEndOf(pdf, one) - coveredEndOf(pdf, other))
    .at(-1);
  const contents = newest?.get('Contents');
  if (!isString(contents))
    throw new PdfRefused('no-such-field', 'The PDF has no signature for the validation data. Sign it first.');
  return vriKeyOf(stringBytes(contents));
}
