import { PdfRefused } from '../../../../shared/signing/pades/refused.ts';
import { errors } from '../../errors.ts';

/** Codes of a look that cannot be drawn. */
export const LOOK_CODES = [
  'InvalidVisualRepresentation',
  'PadesPositionNotFilled',
  'FontSizeZero',
  'InvalidPage',
  'FileDownloadFailed',
] as const;

type PdfCode = 'ProtectedPdfError' | 'InvalidVisualRepresentation' | 'InvalidPage' | 'CannotApplyPdfMarks';

/** The code of a reason why a PDF cannot be signed. All others are `InvalidPdf`. */
export const PDF_CODES: Readonly<Record<string, PdfCode>> = {
  encrypted: 'ProtectedPdfError',
  'no-place': 'InvalidVisualRepresentation',
  'no-place-left': 'InvalidVisualRepresentation',
  'image-unreadable': 'InvalidVisualRepresentation',
  'no-such-page': 'InvalidPage',
};

const MARKING_CODES: Readonly<Record<string, PdfCode>> = {
  ...PDF_CODES,
  'already-signed': 'CannotApplyPdfMarks',
  'no-place': 'CannotApplyPdfMarks',
  'image-unreadable': 'CannotApplyPdfMarks',
  'marks-too-large': 'CannotApplyPdfMarks',
};

/** Does something to a PDF, and answers by name what it cannot be done to. */
export async function withRefusals<Result>(
  purpose: 'marking' | 'stamping',
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PdfRefused)) throw error;
    const { reason, message: explanation } = error;
    const code = (purpose === 'marking' ? MARKING_CODES : PDF_CODES)[reason] ?? 'InvalidPdf';
    throw errors.refuse(code, { reason, explanation });
  }
}
