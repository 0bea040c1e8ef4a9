import { errorFinding, type Finding, resultsOf } from '../../../../shared/pki/findings/validation-results.ts';
import { concludeFile } from '../../../../shared/signing/verification/conclusion.ts';
import type { FoundFile, FoundSignature } from '../../../../shared/signing/verification/found.ts';
import { judgedCertificates } from '../../../../shared/signing/verification/judged-certificates.ts';
import type { VerificationReport } from '../../../../shared/signing/verification/report.ts';
import { signatureModel } from '../../../../shared/signing/verification/signature-model.ts';
import { testPki } from '../../../certificates/pki.ts';

const CAUSES = {
  EXPIRED: 'CertificateExpired',
  REVOKED: 'CertificateRevoked',
  UNTRUSTED: 'CertificateChainRootNotTrusted',
  STALE: 'CertificateRevocationStatusUnknown',
} as const;
export type Status = 'ACTIVE' | keyof typeof CAUSES;

const becauseOf = (status: Exclude<Status, 'ACTIVE'>): Finding =>
  errorFinding('CertificateValidationFailed', `The certificate is ${status}.`, {
    innerValidationResults: resultsOf([errorFinding(CAUSES[status], `It is ${status}.`)]),
  });

/** A signature by a certificate of this status, and whatever else failed. */
export function foundSignature(
  status: Status,
  change: Partial<FoundSignature> = {},
  ...more: Finding[]
): FoundSignature {
  const results = resultsOf([...(status === 'ACTIVE' ? [] : [becauseOf(status)]), ...more]);
  return {
    kind: 'signature',
    certificate: undefined,
    digest: undefined,
    claimedTimeMs: undefined,
    timestamps: [],
    archiveTimestamps: [],
    countersignatures: [],
    provenTimeMs: undefined,
    intact: true,
    verdict: { status, results: resultsOf([]) },
    judgedAtMs: 0,
    policy: undefined,
    results,
    covers: [],
    ...change,
    valid: (change.results ?? results).errors.length === 0,
  };
}

/** A file with these signatures, and nothing wrong with itself. */
export const foundFile = (...signatures: FoundSignature[]): FoundFile => ({
  format: 'CAdES',
  coverage: { isComplete: true, covered: [], missing: [] },
  signatures,
});

const root = testPki().root.certificate;

/** What a file comes to; by default where there is a root to trust. */
export function fileReport(file: FoundFile | FoundSignature, { hasAnchors = true } = {}): VerificationReport {
  const found = 'signatures' in file ? file : foundFile(file);
  const certificates = judgedCertificates({ anchors: hasAnchors ? [root] : [] });
  const signatures = found.signatures.map((one) => signatureModel(one, certificates));
  return {
    file: 'a.p7s',
    format: found.format,
    ...concludeFile(found, signatures, hasAnchors),
    coverage: found.coverage,
    validationResults: found.results ?? null,
    signatures,
  };
}
