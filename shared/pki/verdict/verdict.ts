import type { Certificate } from '../certificate/certificate.ts';
import type { KeyUsage } from '../extensions/extensions.ts';
import type { AlgorithmPolicy } from '../path/algorithms.ts';
import { type Checks, newChecks } from '../path/checks.ts';
import { type PolicySettings, pathSettings } from '../path/settings.ts';
import type { Path } from '../path/validate.ts';
import type { RevocationContext } from '../revocation/context.ts';
import type { RevocationSource } from '../revocation/source.ts';
import { revocationStatus } from '../revocation/status.ts';
import { type Attempt, attemptOf, attemptWithoutAnchor } from './attempt.ts';
import { type ReadEvidence, readEvidence } from './evidence.ts';
import { pathsOf } from './paths.ts';
import { verdictOf } from './results.ts';
import type { ValidationResults } from './validation-results.ts';

/** Only ACTIVE can sign. STALE: nothing says revoked, and what could say otherwise is too old or out of reach. */
export type CertificateStatus = 'ACTIVE' | 'EXPIRED' | 'REVOKED' | 'UNTRUSTED' | 'STALE';

export type Judgement = {
  readonly anchors: readonly Certificate[];
  /** The time of judgement. */
  readonly atMs: number;
  /** The time it is: revocation data may be newer than the time of judgement, and not newer than this. */
  readonly now?: () => number;
  /** Certificates that may lie between: those that came with a signature, those that the house knows. */
  readonly intermediates?: readonly Certificate[];
  /** Revocation data at hand, in DER. What cannot be read is told in a warning. */
  readonly crls?: readonly Uint8Array[];
  readonly ocspResponses?: readonly Uint8Array[];
  /** Fetches revocation data and issuers that are not at hand; nothing is fetched without it. */
  readonly source?: RevocationSource;
  readonly signal?: AbortSignal;
  /** `skip` judges the chain alone. */
  readonly revocation?: 'check' | 'skip';
  /** How long revocation data past its time still counts. */
  readonly graceMs?: number;
  /** Makes a status that nobody tells a warning and no failure. A revocation always is one. */
  readonly ignoreRevocationStatusUnknown?: boolean;
  readonly algorithms?: AlgorithmPolicy;
  readonly policies?: PolicySettings;
  /** The certificate's key must be for one of these. */
  readonly keyUsages?: readonly KeyUsage[];
  /** OIDs of extended key usages, of which the certificate must have one. */
  readonly purposes?: readonly string[];
  /** Shared among the certificates of one file, so that many of them cannot ask for more than one. */
  readonly checks?: Checks | undefined;
};

export type Verdict = {
  readonly status: CertificateStatus;
  readonly results: ValidationResults;
  /** The certificate first, its anchor last; what there is of it, when it leads to no anchor. */
  readonly path: Path;
  /** The revocation data that the verdict rests on, in DER, and its signers: what long-term signatures keep. */
  readonly evidence: {
    readonly crls: readonly Buffer[];
    readonly ocspResponses: readonly Buffer[];
    readonly certificates: readonly Certificate[];
  };
};

// A chain of four, with CRL signers of their own at every step and two ways up, asks for about twenty.
const MAX_STATUSES = 100;

/**
 * Judges a certificate at a time: its chain to a trust anchor, its validity, its revocation.
 * Never throws for what a certificate, a CRL or a responder says.
 * @example const { status, results } = await judge(certificate, { anchors, intermediates, atMs: now(), source });
 */
export async function judge(certificate: Certificate, asked: Judgement): Promise<Verdict> {
  const judgement = { ...asked, checks: asked.checks ?? newChecks() };
  const given = readEvidence(judgement);
  const context = contextOf(judgement, given);
  const attempts: Attempt[] = [];
  for await (const { path, isTrusted } of pathsOf(certificate, judgement)) {
    const attempt = isTrusted ? await attemptOf(path, context, judgement) : attemptWithoutAnchor(path);
    attempts.push(attempt);
    if (attempt.isFinal) break;
  }
  return verdictOf(attempts, given.findings);
}

function contextOf(judgement: Judgement, { crls, ocspResponses }: ReadEvidence): RevocationContext {
  const { intermediates = [], anchors, atMs, now = Date.now, graceMs = 0, source, signal } = judgement;
  return {
    settings: pathSettings(judgement),
    candidates: [...intermediates, ...anchors],
    crls,
    ocspResponses,
    source,
    signal,
    atMs,
    nowMs: now(),
    graceMs,
    budget: { left: MAX_STATUSES },
    asked: new Set(),
    statusOf: revocationStatus,
  };
}

/** What came with a signature and may help to judge. It proves nothing by itself. */
export type Along = Pick<Judgement, 'crls' | 'ocspResponses' | 'checks'>;

/**
 * A judge with everything but the case: what the verifiers of signatures take.
 * @example const report = await verifyCades(signature, { judge: judging({ anchors, source }), atMs });
 */
export const createJudge =
  (house: Omit<Judgement, 'atMs' | 'crls' | 'ocspResponses'>) =>
  (
    certificate: Certificate,
    candidates: readonly Certificate[],
    atMs: number,
    along: Along = {},
  ): Promise<Verdict> =>
    judge(certificate, {
      ...house,
      ...along,
      intermediates: [...candidates, ...(house.intermediates ?? [])],
      atMs,
    });
