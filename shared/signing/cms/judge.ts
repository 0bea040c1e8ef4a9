import type { Certificate } from '../../pki/certificate/certificate.ts';
import type { ValidationResults } from '../../pki/findings/validation-results.ts';
import type { Checks } from '../../pki/path/checks.ts';
import type { CertificateStatus } from '../../pki/verdict/judgement.ts';

export type { CertificateStatus };

export type CertificateVerdict = { readonly status: CertificateStatus; readonly results: ValidationResults };

/** What came with the signature and may help to judge. It proves nothing by itself. */
export type Evidence = { readonly crls: readonly Buffer[]; readonly ocspResponses?: readonly Buffer[] };

/** What all the signatures of one file share. */
export type JudgeOptions = Evidence & { readonly checks?: Checks | undefined };

/** Says whether a certificate was to be trusted at a time; the candidates may lie on its path. See judging(). */
export type Judge = (
  certificate: Certificate,
  candidates: readonly Certificate[],
  atMs: number,
  along: JudgeOptions,
) => Promise<CertificateVerdict>;
