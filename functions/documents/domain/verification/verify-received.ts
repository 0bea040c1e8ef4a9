import { logger } from '../../../../shared/log/logger.ts';
import { guardedFetch } from '../../../../shared/net/guarded.ts';
import { memoryCache } from '../../../../shared/pki/revocation/cache/cache.ts';
import { onlineSource } from '../../../../shared/pki/revocation/online-source.ts';
import type { RevocationSource } from '../../../../shared/pki/revocation/source.ts';
import { TrustAnchorsUnusable, trustAnchors } from '../../../../shared/pki/trust-anchors.ts';
import type { TrustOptions } from '../../../../shared/signing/verification/judged-certificates.ts';
import { maskReport } from '../../../../shared/signing/verification/mask.ts';
import { VerificationRefused } from '../../../../shared/signing/verification/refused.ts';
import type { VerificationReport } from '../../../../shared/signing/verification/report.ts';
import {
  type VerifiableFile,
  type VerifyFileOptions,
  verifyFile,
} from '../../../../shared/signing/verification/verify-file.ts';
import { admission } from '../../../../shared/store/gate.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';

const gate = admission({ service: 'documents', name: 'verification' });

// The function has this long; a place outlasts whoever holds it.
const LEASE_MS = 65_000;
const RETRY_AFTER = { 'retry-after': '5' };

/** What somebody asks to have verified. It is held in memory alone. */
export type ReceivedFiles = {
  readonly file: VerifiableFile;
  readonly content: VerifyFileOptions['content'];
  readonly covers: readonly string[];
};

/** The report on a file, by the roots that this deployment trusts. Nothing of the file is kept. */
export async function verifyReceived(
  { file, content, covers }: ReceivedFiles,
  nowMs: number,
): Promise<VerificationReport> {
  const trust = trusted();
  const place = await gate.enter({
    limit: settings['Verification:MaxConcurrent'],
    ...{ queueLimit: 0, leaseMs: LEASE_MS, waitMs: 0 },
  });
  if (!place) throw errors.refuse('TooManyRequests', undefined, { headers: RETRY_AFTER });
  try {
    const report = await verifyFile(file, { trust, atMs: nowMs, content, covers });
    return settings['Verification:MaskCpf'] ? maskReport(report) : report;
  } catch (error) {
    if (!(error instanceof VerificationRefused)) throw error;
    throw errors.refuse('FileNotVerifiable', { reason: error.reason, message: error.message });
  } finally {
    await gate.leave(place);
  }
}

let source: RevocationSource | undefined;

// Lists and responses stay in the memory of the process, and in no store: strangers choose which ones are fetched.
function published(): RevocationSource {
  source ??= onlineSource({
    fetch: guardedFetch,
    cache: memoryCache(),
    timeoutMs: settings['Certificates:Validation:RevocationTimeout'] * 1000,
  });
  return source;
}

function trusted(): TrustOptions {
  try {
    return {
      anchors: trustAnchors(settings['Certificates:TrustAnchors'] ?? ''),
      source: published(),
      signal: AbortSignal.timeout(settings['Certificates:Validation:CheckTimeout'] * 1000),
      graceMs: settings['Certificates:Validation:RevocationGraceWindow'] * 1000,
    };
  } catch (error) {
    if (!(error instanceof TrustAnchorsUnusable)) throw error;
    logger('documents').error('Nothing can be verified: Certificates:TrustAnchors names no usable root.', {
      error,
    });
    throw errors.refuse('SigningUnavailable', { setting: 'Certificates:TrustAnchors' });
  }
}
