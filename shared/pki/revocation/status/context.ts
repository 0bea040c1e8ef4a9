import type { Certificate } from '../../certificate/certificate.ts';
import type { Finding } from '../../findings/validation-results.ts';
import type { PathSettings } from '../../path/settings.ts';
import type { Path } from '../../path/validate.ts';
import type { Crl } from '../crl/crl.ts';
import type { Times } from '../freshness.ts';
import type { OcspResponse } from '../ocsp/response.ts';
import type { Revocation } from '../reasons.ts';
import type { RevocationSource } from '../source.ts';

/** The input of a revocation check. */
export type RevocationContext = Times & {
  readonly settings: PathSettings;
  /** Certificates that may have signed CRLs, besides those of the path. */
  readonly candidates: readonly Certificate[];
  readonly crls: readonly Crl[];
  readonly ocspResponses: readonly OcspResponse[];
  /** Fetches missing data. Without it only `crls` and `ocspResponses` count. */
  readonly source?: RevocationSource | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Revocation checks that this judgement may still do, signers of CRLs included. */
  readonly budget: { left: number };
  /** SHA-256 of the certificates whose check is in progress. A check of one of them again would be a circle. */
  readonly inProgress: ReadonlySet<string>;
  /** Checks the signers of CRLs and OCSP responses in their turn. */
  readonly statusOf: (path: Path, context: RevocationContext) => Promise<RevocationOutcome>;
};

/** The data behind a status. A long-term signature stores it. */
export type Evidence = {
  readonly crls: readonly Crl[];
  readonly ocspResponses: readonly OcspResponse[];
  /** Certificates that signed the data and are not in the path. */
  readonly signers: readonly Certificate[];
};

export type RevocationOutcome =
  | {
      readonly status: 'good';
      readonly by: 'CRL' | 'OCSP';
      /** The data is past its nextUpdate at the time of judgement, and within the caller's grace window. */
      readonly isLate: boolean;
      readonly thisUpdateMs: number;
      readonly nextUpdateMs: number | undefined;
      readonly evidence: Evidence;
    }
  | {
      readonly status: 'revoked';
      readonly by: 'CRL' | 'OCSP';
      readonly revocation: Revocation;
      readonly evidence: Evidence;
    }
  | { readonly status: 'unknown'; readonly problems: readonly Finding[] };

export const NO_EVIDENCE: Evidence = { crls: [], ocspResponses: [], signers: [] };

export const joinEvidence = (all: readonly Evidence[]): Evidence => ({
  crls: [...new Set(all.flatMap(({ crls }) => crls))],
  ocspResponses: [...new Set(all.flatMap(({ ocspResponses }) => ocspResponses))],
  signers: [...new Set(all.flatMap(({ signers }) => signers))],
});
