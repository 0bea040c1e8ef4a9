import { type Certificate, CertificateMalformed } from '../../../../shared/pki/certificate/certificate.ts';
import { type CertificateModel, certificateModel } from '../../../../shared/pki/certificate/model.ts';
import { offeredCertificate } from '../../../../shared/pki/certificate/offered-certificate.ts';
import type { ValidationResults } from '../../../../shared/pki/verdict/validation-results.ts';
import { isSignatureOfBytes } from '../../../../shared/signing/key-verify.ts';
import { signingProblemOf } from '../../../../shared/signing/two-step/two-step.ts';
import { judgeIn, type SecurityContext } from '../../domain/security-contexts.ts';
import { errors } from '../../errors.ts';
import type { Authentication } from './authentication.ts';

/** What a client proves with, base64. */
export type Offer = { readonly certificate: string; readonly signature: string };

export type Judged = {
  readonly certificate: CertificateModel;
  readonly validationResults: ValidationResults;
};

/** The certificate of an offer, all of which can be shown. */
export function readCertificate(text: string): Certificate {
  try {
    const certificate = offeredCertificate(text);
    certificateModel(certificate);
    return certificate;
  } catch (error) {
    if (!(error instanceof CertificateMalformed)) throw error;
    throw errors.refuse('PKCertificateMalformed', { reason: error.message });
  }
}

/** Refuses what the certificate's key did not sign. */
export function refuseWrongSignature(
  { nonce }: Pick<Authentication, 'nonce'>,
  certificate: Certificate,
  signature: string,
): void {
  const isGood = orUnsupported(() =>
    isSignatureOfBytes(
      certificate.publicKey,
      'sha256',
      Buffer.from(nonce, 'base64'),
      Buffer.from(signature, 'base64'),
    ),
  );
  if (!isGood) throw errors.refuse('InvalidSignature');
}

function orUnsupported<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    const problem = signingProblemOf(error);
    if (problem?.subject !== 'key') throw error;
    throw errors.refuse('UnsupportedSignatureAlgorithm', { reason: problem.explanation });
  }
}

/** Who the certificate says it is, and whether the context believes it. */
export async function judged(
  context: SecurityContext,
  certificate: Certificate,
  { ignoreRevocationStatusUnknown }: Pick<Authentication, 'ignoreRevocationStatusUnknown'>,
  nowMs: number,
): Promise<Judged> {
  const { results, path } = await judgeIn(context, certificate, nowMs, { ignoreRevocationStatusUnknown });
  return {
    certificate: certificateModel(certificate, shownIssuers(path.slice(1))),
    validationResults: results,
  };
}

// Issuers are fetched from where a certificate says they are, so that anybody may have written one.
function shownIssuers(issuers: readonly Certificate[]): readonly Certificate[] {
  const end = issuers.findIndex((issuer) => !canBeShown(issuer));
  return end < 0 ? issuers : issuers.slice(0, end);
}

function canBeShown(certificate: Certificate): boolean {
  try {
    certificateModel(certificate);
    return true;
  } catch (error) {
    if (error instanceof CertificateMalformed) return false;
    throw error;
  }
}
