import { rawPdf } from '../../bench/measure/raw-pdf.ts';
import { plainPdf } from '../../shared/signing/pades/documents.ts';

export const aPdf = (): Promise<Buffer> => plainPdf('table');

/** A PDF of exactly this many bytes. */
export function pdfOf(size: number): Buffer {
  let filler = size - 1_000;
  for (;;) {
    const pdf = rawPdf(filler);
    if (pdf.length === size) return pdf;
    filler += size - pdf.length;
  }
}
