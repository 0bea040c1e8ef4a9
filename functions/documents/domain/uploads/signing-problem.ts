import { PdfRefused } from '../../../../shared/signing/pades/refused.ts';

/** Why nobody can sign a PDF with a certificate: it is broken or protected. */
export type SigningProblem = { readonly reason: string; readonly explanation: string };

/** Judges a PDF that is in memory; null where it can be signed. The parser is loaded for the first one. */
export async function signingProblemOf(bytes: Uint8Array): Promise<SigningProblem | null> {
  const { openForSigning } = await import('../../../../shared/signing/pades/open-for-signing.ts');
  const { sourceOf } = await import('../../../../shared/signing/pades/pdf/source.ts');
  try {
    openForSigning(sourceOf(bytes));
    return null;
  } catch (error) {
    if (!(error instanceof PdfRefused)) throw error;
    return { reason: error.reason, explanation: error.message };
  }
}
