import { logger } from '../../../../shared/log/logger.ts';
import { type Certificate, CertificateMalformed } from '../../../../shared/pki/certificate/certificate.ts';
import {
  isValid,
  type ValidationItem,
  type ValidationResults,
} from '../../../../shared/pki/findings/validation-results.ts';
import { parseCertificateText as readOffered } from '../../../../shared/pki/pem.ts';
import { TrustAnchorsUnusable } from '../../../../shared/pki/trust-anchors.ts';
import { createSignerJudge } from '../../../../shared/pki/verdict/certificate-judge.ts';
import type { Verdict } from '../../../../shared/pki/verdict/judgement.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';

/** Reads the certificate of a request: DER as base64, or PEM text. */
export function readOfferedCertificate(text: string): Certificate {
  try {
    return readOffered(text);
  } catch (error) {
    throw error instanceof CertificateMalformed ? errors.refuse('CertificateNotFound') : error;
  }
}

const judge = createSignerJudge('documents', settings);

/** Judges a signer's certificate. Without a trusted root nobody can sign, and the log says so to the operator. */
export async function judgeSigner(certificate: Certificate, nowMs: number): Promise<Verdict> {
  try {
    return await judge(certificate, nowMs);
  } catch (error) {
    if (!(error instanceof TrustAnchorsUnusable)) throw error;
    logger('documents').error('No signature can be made: Certificates:TrustAnchors names no usable root.', {
      error,
    });
    throw errors.refuse('SigningUnavailable', { setting: 'Certificates:TrustAnchors' });
  }
}

type RenderedItem = Omit<ValidationItem, 'innerValidationResults'> & {
  readonly innerValidationResults: RenderedResults | null;
};

export type RenderedResults = {
  readonly isValid: boolean;
  readonly passedChecks: RenderedItem[];
  readonly errors: RenderedItem[];
  readonly warnings: RenderedItem[];
};

/** Validation results as responses show them: with `isValid` at every depth. */
export const renderResults = (results: ValidationResults): RenderedResults => ({
  isValid: isValid(results),
  passedChecks: results.passedChecks.map(renderItem),
  errors: results.errors.map(renderItem),
  warnings: results.warnings.map(renderItem),
});

const renderItem = ({ innerValidationResults, ...item }: ValidationItem): RenderedItem => ({
  ...item,
  innerValidationResults: innerValidationResults && renderResults(innerValidationResults),
});
