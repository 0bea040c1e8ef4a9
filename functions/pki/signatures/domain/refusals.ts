import { signingProblemOf } from '../../../../shared/signing/two-step/two-step.ts';
import { errors } from '../../errors.ts';
import { LOOK_CODES, PDF_CODES } from '../../pdf/domain/refusals.ts';

const CMS_CODES: Readonly<Record<string, 'MissingDataHash' | 'BadDigest' | 'InvalidCades'>> = {
  'content-missing': 'MissingDataHash',
  'other-content': 'BadDigest',
  malformed: 'InvalidCades',
};

/** The reason why a file cannot be signed; throws where the error is of another kind. */
export function fileProblemOf(error: unknown): { readonly reason: string; readonly explanation: string } {
  const problem = signingProblemOf(error);
  if (!problem) throw error;
  if (problem.subject === 'file') return problem;
  throw errors.refuse('UnsupportedSignatureAlgorithm', { reason: problem.explanation });
}

/** Throws what the service answers where a signature cannot start. */
export function refuseUnsignable(format: 'PAdES' | 'CAdES' | 'XAdES', error: unknown): never {
  const { reason, explanation } = fileProblemOf(error);
  const code =
    format === 'PAdES'
      ? (PDF_CODES[reason] ?? 'InvalidPdf')
      : format === 'CAdES'
        ? (CMS_CODES[reason] ?? 'InvalidCades')
        : 'InvalidXml';
  throw errors.refuse(code, { reason, explanation });
}

/** Codes of a start that the file causes. */
export const UNSIGNABLE_CODES = [
  ...LOOK_CODES,
  'ProtectedPdfError',
  'InvalidPdf',
  'InvalidXml',
  'InvalidCades',
  'MissingDataHash',
  'BadDigest',
  'UnsupportedSignatureAlgorithm',
] as const;
