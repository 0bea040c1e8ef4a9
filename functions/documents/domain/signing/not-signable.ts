import { PublicKeyUnsupported } from '../../../../shared/pki/certificate/certificate.ts';
import {
  errorFinding,
  resultsOf,
  type ValidationResults,
} from '../../../../shared/pki/verdict/validation-results.ts';
import { SigningRefused } from '../../../../shared/signing/errors.ts';
import { PdfRefused } from '../../../../shared/signing/pades/refused.ts';
import { XmlRefused } from '../../../../shared/signing/xades/errors.ts';
import { errors } from '../../errors.ts';

/** A file that its format cannot take, as a refusal that says why; any other failure as it is. */
export const asRefusal = (error: unknown): unknown =>
  error instanceof PdfRefused || error instanceof XmlRefused
    ? errors.refuse('DocumentNotSignable', { reason: error.reason, explanation: error.message })
    : error;

/** What is wrong with a certificate whose key must not sign here, if that is what failed. */
export const asKeyProblem = (error: unknown): ValidationResults | undefined =>
  error instanceof SigningRefused || error instanceof PublicKeyUnsupported
    ? resultsOf([errorFinding('AlgorithmNotAllowed', error.message)])
    : undefined;
