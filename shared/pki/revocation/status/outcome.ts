import type { Certificate } from '../../certificate/certificate.ts';
import type { Finding } from '../../findings/validation-results.ts';
import type { Crl } from '../crl/crl.ts';
import type { OcspResponse } from '../ocsp/response.ts';
import type { Revocation } from '../reasons.ts';

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
