import { type Certificate, CertificateMalformed } from '../../../shared/pki/certificate/certificate.ts';
import type { ValidationResults } from '../../../shared/pki/findings/validation-results.ts';
import { type CertificateModel, certificateModel } from '../../../shared/pki/model/certificate-model.ts';
import { parseCertificateText } from '../../../shared/pki/pem.ts';
import { isSignatureOfBytes } from '../../../shared/signing/key-verify.ts';
import { signingProblemOf } from '../../../shared/signing/two-step/two-step.ts';
import { errors } from '../errors.ts';
import { judgeInContext, type SecurityContext } from './security-contexts.ts';

/** The proof of a client: its certificate and its signature, base64. */
export type SignatureProof = { readonly certificate: string; readonly signature: string };

export type JudgedCertificate = {
  readonly certificate: CertificateModel;
  readonly validationResults: ValidationResults;
};

/** The certificate of a proof. Refuses one of which the answer cannot show every field. */
export function readCertificate(text: string): Certificate {
  try {
    const certificate = parseCertificateText(text);
    certificateModel(certificate);
    return certificate;
  } catch (error) {
    if (!(error instanceof CertificateMalformed)) throw error;
    throw errors.refuse('PKCertificateMalformed', { reason: error.message });
  }
}

/** Refuses a signature of the nonce that the key of the certificate did not make. */
export function refuseWrongSignature(
  { nonce }: { readonly nonce: string },
  certificate: Certificate,
  signature: string,
): void {
  const isValid = refuseUnsupportedKey(() =>
    isSignatureOfBytes(
      certificate.publicKey,
      'sha256',
      Buffer.from(nonce, 'base64'),
      Buffer.from(signature, 'base64'),
    ),
  );
  if (!isValid) throw errors.refuse('InvalidSignature');
}

function refuseUnsupportedKey<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    const problem = signingProblemOf(error);
    if (problem?.subject !== 'key') throw error;
    throw errors.refuse('UnsupportedSignatureAlgorithm', { reason: problem.explanation });
  }
}

type JudgeOptions = { readonly ignoreRevocationStatusUnknown: boolean };

/** The certificate, and its judgement in a security context. */
export async function judgeCertificate(
  context: SecurityContext,
  certificate: Certificate,
  options: JudgeOptions,
  nowMs: number,
): Promise<JudgedCertificate> {
  const { chain, ...judged } = await judgeSigner(context, certificate, options, nowMs);
  return judged;
}

/** The same, with the issuers that a signature carries. */
export async function judgeSigner(
  context: SecurityContext,
  certificate: Certificate,
  { ignoreRevocationStatusUnknown }: JudgeOptions,
  nowMs: number,
): Promise<JudgedCertificate & { readonly chain: readonly Certificate[] }> {
  const { results, path } = await judgeInContext(context, certificate, nowMs, {
    ignoreRevocationStatusUnknown,
  });
  const chain = path.slice(1);
  return {
    certificate: certificateModel(certificate, readableIssuers(chain)),
    validationResults: results,
    chain,
  };
}

// Issuers come from addresses in the certificate: anybody may have written one.
function readableIssuers(issuers: readonly Certificate[]): readonly Certificate[] {
  const end = issuers.findIndex((issuer) => !isReadable(issuer));
  return end < 0 ? issuers : issuers.slice(0, end);
}

function isReadable(certificate: Certificate): boolean {
  try {
    certificateModel(certificate);
    return true;
  } catch (error) {
    if (error instanceof CertificateMalformed) return false;
    throw error;
  }
}
