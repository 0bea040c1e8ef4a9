import type { KeyObject } from 'node:crypto';
import { errorFinding, type Finding, warningFinding } from '../../pki/findings/validation-results.ts';
import { curveBits } from '../../pki/path/key-strength.ts';
import type { Digest } from '../digest.ts';

// From its end on, new signatures with an algorithm can be forged, or soon can. Only a proof that a signature is older
// keeps it good. SHA-1 has chosen-prefix collisions ("SHA-1 is a Shambles", 2020), which give two contents one hash.
const DIGEST_ENDS: Readonly<Partial<Record<Digest, number>>> = {
  sha1: Date.UTC(2012, 0), // ICP-Brasil since its chains V2
  sha224: Date.UTC(2026, 0), // ETSI TS 119 312
};
const RSA_END_MS = Date.UTC(2012, 0); // ICP-Brasil
const MIN_RSA_BITS = 2048;
const CURVE_END_MS = Date.UTC(2013, 0); // ETSI TS 102 176-1
const MIN_CURVE_BITS = 224;

/** The algorithms that a signature rests on. EdDSA has no digest of its own. */
export type UsedAlgorithms = {
  readonly key: KeyObject | undefined;
  readonly digests: readonly (Digest | undefined)[];
};

/**
 * Findings on the weak parts of a signature that verifies. `existedAtMs` is the earliest time by which it is known to
 * exist: the proven one, or that of the judgement. @example weaknessFindings({ key, digests: ['sha1'] }, provenTimeMs ?? atMs)
 */
export function weaknessFindings({ key, digests }: UsedAlgorithms, existedAtMs: number): Finding[] {
  const { modulusLength = MIN_RSA_BITS } = key?.asymmetricKeyDetails ?? {};
  const curve = key?.asymmetricKeyType === 'ec' ? (key.asymmetricKeyDetails?.namedCurve ?? '') : undefined;
  return [
    ...[...new Set(digests)].flatMap((digest) => {
      const endMs = digest && DIGEST_ENDS[digest];
      const name = digest?.toUpperCase().replace('SHA', 'SHA-');
      return endMs ? [findingOn(`It rests on ${name}`, endMs, existedAtMs)] : [];
    }),
    ...(modulusLength < MIN_RSA_BITS
      ? [findingOn(`It is made with an RSA key of ${modulusLength} bits`, RSA_END_MS, existedAtMs)]
      : []),
    ...(curve !== undefined && curveBits(curve) < MIN_CURVE_BITS
      ? [findingOn(`It is made with a key on the curve ${curve}`, CURVE_END_MS, existedAtMs)]
      : []),
  ];
}

function findingOn(what: string, endMs: number, existedAtMs: number): Finding {
  const end = `${what}, which is too weak since ${new Date(endMs).getUTCFullYear()}`;
  return existedAtMs < endMs
    ? warningFinding('AlgorithmNotAllowed', `${end}, and it is proven to be older.`)
    : errorFinding('AlgorithmNotAllowed', `${end}, and nothing proves that it is older.`);
}
