import { logger } from '../../../shared/log/logger.ts';
import { guardedFetch } from '../../../shared/net/guarded.ts';
import { type Certificate, CertificateMalformed, parseCertificate } from '../../../shared/pki/certificate.ts';
import { certificatesFromPem } from '../../../shared/pki/pem.ts';
import { layered } from '../../../shared/pki/revocation/cache.ts';
import { memoryCache } from '../../../shared/pki/revocation/cache-memory.ts';
import { storeCache } from '../../../shared/pki/revocation/cache-store.ts';
import { onlineSource } from '../../../shared/pki/revocation/online-source.ts';
import type { RevocationSource } from '../../../shared/pki/revocation/source.ts';
import { TrustAnchorsUnusable, trustAnchors } from '../../../shared/pki/trust-anchors.ts';
import { judge, type Verdict } from '../../../shared/pki/verdict.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';

/** The certificate in a request: DER as base64, or PEM text. */
export function offeredCertificate(text: string): Certificate {
  try {
    const [found] = text.includes('-----BEGIN')
      ? certificatesFromPem(text)
      : [parseCertificate(Buffer.from(text, 'base64'))];
    if (found) return found;
  } catch (error) {
    if (!(error instanceof CertificateMalformed)) throw error;
  }
  throw errors.refuse('CertificateNotFound');
}

/** Judges who wants to sign: the path to a root that is trusted here, the validity, the revocation, the key's purpose. */
export const judgeSigner = (certificate: Certificate, nowMs: number): Promise<Verdict> =>
  judge(certificate, {
    anchors: anchors(),
    atMs: nowMs,
    source: published(),
    signal: AbortSignal.timeout(settings['Certificates:Validation:CheckTimeout'] * 1000),
    graceMs: settings['Certificates:Validation:RevocationGraceWindow'] * 1000,
    keyUsages: ['digitalSignature', 'nonRepudiation'],
  });

function anchors(): readonly Certificate[] {
  try {
    return trustAnchors(settings['Certificates:TrustAnchors'] ?? '');
  } catch (error) {
    if (!(error instanceof TrustAnchorsUnusable)) throw error;
    logger('documents').error('No signature can be made: Certificates:TrustAnchors names no usable root.', {
      error,
    });
    throw errors.refuse('SigningUnavailable', { setting: 'Certificates:TrustAnchors' });
  }
}

let source: RevocationSource | undefined;

// One for the process, which joins those who ask for the same list and remembers it for the next.
function published(): RevocationSource {
  source ??= onlineSource({
    fetch: guardedFetch,
    cache: layered(memoryCache(), storeCache('documents')),
    timeoutMs: settings['Certificates:Validation:RevocationTimeout'] * 1000,
    onCacheFailure: (error) =>
      logger('documents').warn('Revocation data could not be kept; judging goes on.', { error }),
  });
  return source;
}
