import type { KeyUsage } from '../extensions/extensions.ts';
import { type AlgorithmPolicy, STRONG_ALGORITHMS } from './algorithm-policy.ts';
import { type Checks, newChecks } from './checks.ts';

export type PolicySettings = {
  /** Policies that the caller accepts; any, when not given. */
  readonly accepted?: readonly string[];
  /** Whether an accepted policy must hold for the whole path. */
  readonly explicit?: boolean;
  readonly inhibitMapping?: boolean;
  readonly inhibitAny?: boolean;
};

/** What a path is held against. */
export type PathSettings = {
  /** The time of judgement. */
  readonly atMs: number;
  readonly algorithms: AlgorithmPolicy;
  readonly policies: PolicySettings;
  /** The target's key must be for one of these; any will do, when not given. */
  readonly keyUsages?: readonly KeyUsage[] | undefined;
  /** The target must be for one of these purposes (OIDs of extended key usage). */
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
