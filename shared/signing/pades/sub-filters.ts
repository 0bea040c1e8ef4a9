import { nameOf, type PdfDict } from './pdf/values.ts';

/** How a signature dictionary says that its /Contents is made. */
export const SUB_FILTER = {
  pades: 'ETSI.CAdES.detached',
  icpBrasil: 'PBAD.PAdES',
  timestamp: 'ETSI.RFC3161',
  adobeDetached: 'adbe.pkcs7.detached',
  adobeSha1: 'adbe.pkcs7.sha1',
} as const;

export const subFilterOf = (signature: PdfDict): string | undefined => nameOf(signature.get('SubFilter'));

/** A timestamp over the document, which is signed by an authority and by no person. */
export const isDocumentTimestamp = (signature: PdfDict): boolean =>
  subFilterOf(signature) === SUB_FILTER.timestamp;
