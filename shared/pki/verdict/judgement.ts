import type { Certificate } from '../certificate/certificate.ts';
import type { KeyUsage } from '../extensions/extensions.ts';
import type { ValidationResults } from '../findings/validation-results.ts';
import type { Checks } from '../path/checks.ts';
import type { AlgorithmPolicy, PolicySettings } from '../path/settings.ts';
import type { Path } from '../path/validate.ts';
import type { RevocationSource } from '../revocation/source.ts';

/** Only ACTIVE can sign. STALE: not known to be revoked, but the revocation data is too old or out of reach. */
export type CertificateStatus = 'ACTIVE' | 'EXPIRED' | 'REVOKED' | 'UNTRUSTED' | 'STALE';

/** The input of a judgement: trust, time, evidence and policy. */
export type Judgement = {
  readonly anchors: readonly Certificate[];
  /** The time of judgement. */
  readonly atMs: number;
  /** The current time. Revocation data may be newer than the time of judgement, but not than this. */
  readonly now?: () => number;
  /** Candidates for the path: certificates from the signature and known intermediates. */
  readonly intermediates?: readonly Certificate[];
  /** Revocation data in DER. Unreadable pieces become warnings. */
  readonly crls?: readonly Uint8Array[];
  readonly ocspResponses?: readonly Uint8Array[];
  /** Fetches missing revocation data and issuers. Without it nothing is fetched. */
  readonly source?: RevocationSource;
  readonly signal?: AbortSignal;
  /** `skip` judges the chain alone. */
  readonly revocation?: 'check' | 'skip';
  /** How long revocation data counts after its nextUpdate. */
  readonly graceMs?: number;
  /** An unknown revocation status is a warning and not a failure. A revocation always is a failure. */
  readonly ignoreRevocationStatusUnknown?: boolean;
  readonly algorithms?: AlgorithmPolicy;
  readonly policies?: PolicySettings;
  /** Accepted key usages; the certificate needs one of them. */
  readonly keyUsages?: readonly KeyUsage[];
  /** Accepted extended key usages (OIDs); the certificate needs one of them. */
  readonly purposes?: readonly string[];
  /** Budget shared by all certificates of one file: many certificates cannot ask for more work than one. */
  readonly checks?: Checks | undefined;
};

export type Verdict = {
  readonly status: CertificateStatus;
  readonly results: ValidationResults;
  /** From the certificate to its anchor; incomplete where no anchor is reached. */
  readonly path: Path;
  /** The revocation data behind the verdict, in DER, and its signers: the evidence of long-term signatures. */
  readonly evidence: {
    readonly crls: readonly Buffer[];
    readonly ocspResponses: readonly Buffer[];
    readonly certificates: readonly Certificate[];
  };
  /** UNTRUSTED because the address of a missing issuer gave nothing: the verdict may be another once it answers. */
  readonly isIssuerOutOfReach: boolean;
};

/** Evidence from a signature. It proves nothing by itself. */
export type CarriedEvidence = Pick<Judgement, 'crls' | 'ocspResponses' | 'checks'>;
