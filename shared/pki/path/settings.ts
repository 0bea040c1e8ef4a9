import type { KeyUsage } from '../extensions/extensions.ts';
import { type Checks, newChecks } from './checks.ts';

export type PolicySettings = {
  /** user-initial-policy-set (RFC 5280, 6.1.1 c); any policy by default. */
  readonly accepted?: readonly string[];
  /** initial-explicit-policy: an accepted policy must hold for the whole path. */
  readonly explicit?: boolean;
  readonly inhibitMapping?: boolean;
  readonly inhibitAny?: boolean;
};

/** The inputs of path validation (RFC 5280, 6.1.1). */
export type PathSettings = {
  /** The time of judgement. */
  readonly atMs: number;
  readonly algorithms: AlgorithmPolicy;
  readonly policies: PolicySettings;
  /** The target's key needs one of these usages; any usage by default. */
  readonly keyUsages?: readonly KeyUsage[] | undefined;
  /** The target needs one of these extended key usages (OIDs). */
  readonly purposes?: readonly string[] | undefined;
  readonly checks: Checks;
};

/** @example pathSettings({ atMs: Date.now() }) */
export const pathSettings = (options: Partial<PathSettings> & { readonly atMs: number }): PathSettings => ({
  atMs: options.atMs,
  algorithms: options.algorithms ?? STRONG_ALGORITHMS,
  policies: options.policies ?? {},
  keyUsages: options.keyUsages,
  purposes: options.purposes,
  checks: options.checks ?? newChecks(),
});

/** The algorithms that a verdict accepts. */
export type AlgorithmPolicy = {
  /** Names of node:crypto. */
  readonly digests: readonly string[];
  readonly minRsaBits: number;
  readonly minCurveBits: number;
  readonly dsa: boolean;
};

/** Algorithms without a practical forgery today. */
const STRONG_ALGORITHMS: AlgorithmPolicy = {
  digests: ['sha256', 'sha384', 'sha512', 'sha3-256', 'sha3-384', 'sha3-512'],
  minRsaBits: 2048,
  minCurveBits: 224,
  dsa: false,
};

/** Algorithms for signatures with a proven time in the past. MD5 stays out. */
export const PAST_ALGORITHMS: AlgorithmPolicy = {
  digests: ['sha1', 'sha224', ...STRONG_ALGORITHMS.digests],
  minRsaBits: 1024,
  minCurveBits: 160,
  dsa: true,
};
