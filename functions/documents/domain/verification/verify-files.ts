import { logger } from '../../../../shared/log/logger.ts';
import { memoryCache } from '../../../../shared/pki/revocation/cache/cache.ts';
import { TrustAnchorsUnusable, trustAnchors } from '../../../../shared/pki/trust-anchors.ts';
import { judgingBy } from '../../../../shared/pki/verdict/certificate-judge.ts';
import type { TrustOptions } from '../../../../shared/signing/verification/judged-certificates.ts';
import { maskReport } from '../../../../shared/signing/verification/mask.ts';
import { VerificationRefused } from '../../../../shared/signing/verification/refused.ts';
import type { VerificationReport } from '../../../../shared/signing/verification/report.ts';
import {
  type VerifiableFile,
  type VerifyFileOptions,
  verifyFile,
} from '../../../../shared/signing/verification/verify-file.ts';
import { distributedSemaphore } from '../../../../shared/store/semaphore/semaphore.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';

const semaphore = distributedSemaphore({ service: 'documents', name: 'verification' });

const RETRY_AFTER = { 'retry-after': '5' };

/** The files to verify. They stay in memory only. */
export type VerificationRequest = {
  readonly file: VerifiableFile;
  readonly content: VerifyFileOptions['content'];
  readonly covers: readonly string[];
};

/** Verifies a file against the roots that this deployment trusts. The file is not stored. */
export async function verifyFiles(
  { file, content, covers }: VerificationRequest,
  nowMs: number,
  isMasked = settings['Verification:MaskCpf'],
): Promise<VerificationReport> {
  const trust = trustOptions();
  const slot = await semaphore.acquire({
    limit: settings['Verification:MaxConcurrent'],
    ...{ queueLimit: 0, waitMs: 0 },
  });
  if (!slot) throw errors.refuse('TooManyRequests', undefined, { headers: RETRY_AFTER });
  try {
    const report = await verifyFile(file, { trust, atMs: nowMs, content, covers });
    return isMasked ? maskReport(report) : report;
  } catch (error) {
    if (!(error instanceof VerificationRefused)) throw error;
    throw errors.refuse('FileNotVerifiable', { reason: error.reason, message: error.message });
  } finally {
    semaphore.release(slot);
  }
}

// CRLs and OCSP responses are cached in this process only: anonymous callers choose which ones are fetched, and must
// not fill a store.
const judging = judgingBy('documents', settings, memoryCache());

function trustOptions(): TrustOptions {
  try {
    return { anchors: trustAnchors(settings['Certificates:TrustAnchors'] ?? ''), ...judging() };
  } catch (error) {
    if (!(error instanceof TrustAnchorsUnusable)) throw error;
    logger('documents').error('Nothing can be verified: Certificates:TrustAnchors names no usable root.', {
      error,
    });
    throw errors.refuse('SigningUnavailable', { setting: 'Certificates:TrustAnchors' });
  }
}
