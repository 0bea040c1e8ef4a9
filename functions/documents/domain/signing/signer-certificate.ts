import { logger } from '../../../../shared/log/logger.ts';
import { type Certificate, CertificateMalformed } from '../../../../shared/pki/certificate/certificate.ts';
import { parseCertificateText as readOffered } from '../../../../shared/pki/pem.ts';
import { TrustAnchorsUnusable } from '../../../../shared/pki/trust-anchors.ts';
import { createSignerJudge } from '../../../../shared/pki/verdict/certificate-judge.ts';
import type { Verdict } from '../../../../shared/pki/verdict/judgement.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';

/** The certificate in a request: DER as base64, or PEM text. */
export function offeredCertificate(text: string): Certificate {
  try {
    return readOffered(text);
  } catch (error) {
    throw error instanceof CertificateMalformed ? errors.refuse('CertificateNotFound') : error;
  }
}

const judge = createSignerJudge('documents', settings);

/** Judges who wants to sign. Without a root to trust nobody can, and the operator is told. */
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
