import { type Finding, type ValidationItemType, warningFinding } from '../findings/validation-results.ts';
import { type Crl, CrlMalformed, parseCrl } from '../revocation/crl/crl.ts';
import {
  OcspMalformed,
  OcspRefused,
  type OcspResponse,
  parseOcspResponse,
} from '../revocation/ocsp/response.ts';
import type { Judgement } from './judgement.ts';

export type ReadEvidence = {
  readonly crls: readonly Crl[];
  readonly ocspResponses: readonly OcspResponse[];
  /** What could not be read. */
  readonly findings: readonly Finding[];
};

// A signature carries a few. Thousands would be sent to waste time.
const MAX_PIECES = 200;

/** The revocation data that came along, read. */
export function readEvidence({ crls = [], ocspResponses = [] }: Judgement): ReadEvidence {
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
