import { trustAnchors } from '../../../../shared/pki/trust-anchors.ts';
import { judgingBy } from '../../../../shared/pki/verdict/certificate-judge.ts';
import type { VerificationReport } from '../../../../shared/signing/verification/report.ts';
import { inMemory, verifyFile } from '../../../../shared/signing/verification/verify-file.ts';
import { settings } from '../../settings.ts';

const judging = judgingBy('credentials', settings);

/**
 * Verifies a signed file with all that its certificates are judged by, revocation included, as of a time. Throws where
 * that cannot be done: no root is configured, or the file is no signed XML.
 */
export const judgeSigned = async (bytes: Buffer, atMs: number): Promise<VerificationReport> =>
  verifyFile(inMemory(bytes), {
    atMs,
    trust: { anchors: trustAnchors(settings['Certificates:TrustAnchors'] ?? ''), ...judging() },
  });
