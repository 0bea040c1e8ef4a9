import type { Certificate } from '../certificate/certificate.ts';
import { type Finding, type ValidationItemType, warningFinding } from '../findings/validation-results.ts';
import { newChecks } from '../path/checks.ts';
import { pathSettings } from '../path/settings.ts';
import { type Crl, CrlMalformed, parseCrl } from '../revocation/crl/crl.ts';
import {
  OcspMalformed,
  OcspRefused,
  type OcspResponse,
  parseOcspResponse,
} from '../revocation/ocsp/response.ts';
import type { RevocationContext } from '../revocation/status/context.ts';
import { findRevocationStatus } from '../revocation/status/status.ts';
import { type Attempt, attemptWithoutTrust, judgePath } from './attempt.ts';
import type { CarriedEvidence, Judgement, Verdict } from './judgement.ts';
import { pathsOf } from './paths.ts';
import { verdictOf } from './results.ts';

// Denial of service: a chain of four with separate CRL signers and two paths needs about twenty checks.
const MAX_STATUSES = 100;

/**
 * Judges a certificate at a time: its path to a trust anchor, its validity, its revocation. Never throws for the
 * content of a certificate, a CRL or an OCSP response.
 * @example const { status, results } = await judge(certificate, { anchors, intermediates, atMs: now(), source });
 */
export async function judge(certificate: Certificate, input: Judgement): Promise<Verdict> {
  const judgement = { ...input, checks: input.checks ?? newChecks() };
  const evidence = readEvidence(judgement);
  const context = contextOf(judgement, evidence);
  const attempts: Attempt[] = [];
  for await (const { path, isTrusted, problem } of pathsOf(certificate, judgement)) {
    const attempt = isTrusted
      ? await judgePath(path, context, judgement)
      : attemptWithoutTrust(path, problem);
    attempts.push(attempt);
    if (attempt.isFinal) break;
  }
  return verdictOf(attempts, evidence.findings);
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
    inProgress: new Set(),
    statusOf: findRevocationStatus,
  };
}

/**
 * A judge with fixed trust and policy, for the verifiers of signatures.
 * @example const report = await verifyCades(signature, { judge: createJudge({ anchors, source }), atMs });
 */
export const createJudge =
  (policy: Omit<Judgement, 'atMs' | 'crls' | 'ocspResponses'>) =>
  (
    certificate: Certificate,
    candidates: readonly Certificate[],
    atMs: number,
    carried: CarriedEvidence = {},
  ): Promise<Verdict> =>
    judge(certificate, {
      ...policy,
      ...carried,
      intermediates: [...candidates, ...(policy.intermediates ?? [])],
      atMs,
    });

type ReadEvidence = {
  readonly crls: readonly Crl[];
  readonly ocspResponses: readonly OcspResponse[];
  /** Warnings for data that could not be read. */
  readonly findings: readonly Finding[];
};

// Denial of service: a signature carries a few pieces, an attack thousands.
const MAX_PIECES = 200;

/** Parses the revocation data of the input. */
function readEvidence({ crls = [], ocspResponses = [] }: Judgement): ReadEvidence {
  const findings: Finding[] = [];
  const readAll = <T>(
    type: ValidationItemType,
    all: readonly Uint8Array[],
    parse: (bytes: Uint8Array) => T,
  ): T[] =>
    all.slice(0, MAX_PIECES).flatMap((bytes) => {
      try {
        return [parse(bytes)];
      } catch (error) {
        if (!isRefusal(error)) throw error;
        findings.push(warningFinding(type, error.message));
        return [];
      }
    });
  return {
    crls: readAll('InvalidCrl', crls, parseCrl),
    ocspResponses: readAll('InvalidOcspResponse', ocspResponses, parseOcspResponse),
    findings,
  };
}

const isRefusal = (error: unknown): error is Error =>
  error instanceof CrlMalformed || error instanceof OcspMalformed || error instanceof OcspRefused;
