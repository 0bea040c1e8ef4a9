import { chargeMemory } from '../../../bounds/budget.ts';
import {
  type Certificate,
  CertificateMalformed,
  parseCertificate,
} from '../../../pki/certificate/certificate.ts';
import type { Judge } from '../../cms/judge.ts';
import { maxUnpackedBytes } from '../pdf/chain.ts';
import { arrayOf, catalogOf, dictOf, type Pdf, resolve } from '../pdf/document.ts';
import { decode } from '../pdf/filters.ts';
import { isStream, type PdfValue } from '../pdf/values.ts';
import { isTooComplex, PdfRefused } from '../refused.ts';

/** The document security store: evidence that the file brings along (ETSI EN 319 142-1, 5.4.2). It proves nothing by itself. */
export type SecurityStore = {
  readonly certificates: readonly Certificate[];
  readonly crls: readonly Buffer[];
  readonly ocspResponses: readonly Buffer[];
};

const MAX_ITEMS = 256; // of each kind; real files hold a dozen

/** Reads the document security store. Unreadable items are skipped. */
export function readSecurityStore(pdf: Pdf): SecurityStore {
  const store = dictOf(pdf, catalogOf(pdf).dict.get('DSS'));
  const items = (key: string): Buffer[] =>
    arrayOf(pdf, store?.get(key))
      .slice(0, MAX_ITEMS)
      .flatMap((value) => contentsOfItem(pdf, value));
  return {
    certificates: items('Certs').flatMap(certificateIn),
    crls: items('CRLs'),
    ocspResponses: items('OCSPs'),
  };
}

/** The content of a store item, in a list; an empty list where it is unreadable. */
export function contentsOfItem(pdf: Pdf, value: PdfValue): Buffer[] {
  try {
    const stream = resolve(pdf, value);
    if (!isStream(stream)) return [];
    const content = decode(stream, maxUnpackedBytes(pdf.source), pdf.budget);
    chargeMemory(pdf.budget, content.length);
    return [content];
  } catch (error) {
    if (error instanceof PdfRefused && !isTooComplex(error)) return [];
    throw error;
  }
}

function certificateIn(der: Buffer): Certificate[] {
  try {
    return [parseCertificate(der)];
  } catch (error) {
    if (error instanceof CertificateMalformed) return [];
    throw error;
  }
}

/** A judge who also sees the file's own evidence. */
export const judgeWithStore =
  (judge: Judge, store: SecurityStore): Judge =>
  (certificate, candidates, atMs, { crls, ocspResponses = [], checks }) =>
    judge(certificate, candidates, atMs, {
      crls: [...crls, ...store.crls],
      ocspResponses: [...ocspResponses, ...store.ocspResponses],
      checks,
    });
