import type { Certificate } from '../../pki/certificate/certificate.ts';
import type { ValidationResults } from '../../pki/findings/validation-results.ts';
import type { Checks } from '../../pki/path/checks.ts';
import type { CertificateStatus } from '../../pki/verdict/judgement.ts';

export type { CertificateStatus };

export type CertificateVerdict = { readonly status: CertificateStatus; readonly results: ValidationResults };

/** Revocation data that came with the signature. It proves nothing by itself. */
export type Evidence = { readonly crls: readonly Buffer[]; readonly ocspResponses?: readonly Buffer[] };

/** `checks` is the budget that all the signatures of one file share. */
export type JudgeOptions = Evidence & { readonly checks?: Checks | undefined };

/** Judges whether a certificate was trusted at a time. The candidates may lie on its path. See createJudge(). */
export type Judge = (
  certificate: Certificate,
  candidates: readonly Certificate[],
  atMs: number,
  along: JudgeOptions,
) => Promise<CertificateVerdict>;
