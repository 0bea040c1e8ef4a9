import { type Certificate, CertificateMalformed } from '../certificate/certificate.ts';
import { displayName } from '../findings/display.ts';
import { errorFinding, type Finding } from '../findings/validation-results.ts';
import { sameName } from '../name/match.ts';
import { algorithmsRule } from './rules/algorithms.ts';
import { basicConstraintsRule } from './rules/basic-constraints.ts';
import { criticalExtensionsRule } from './rules/critical-extensions.ts';
import { keyIdentifiersRule } from './rules/key-identifiers.ts';
import { keyUsageRule } from './rules/key-usage.ts';
import { nameChainingRule } from './rules/name-chaining.ts';
import { nameConstraintsRule } from './rules/name-constraints.ts';
import { pathLengthRule } from './rules/path-length.ts';
import { policiesRule } from './rules/policies.ts';
import type { Check, PathContext, Rule, Step } from './rules/rule.ts';
import { signatureRule } from './rules/signature.ts';
import { validityRule } from './rules/validity.ts';
import type { PathSettings } from './settings.ts';

/** The target first, then each issuer upwards; the last one is the trust anchor. */
export type Path = readonly [Certificate, ...Certificate[]];

// The rules for an anchor that is itself the target.
const RULES_FOR_AN_ANCHOR: readonly Rule[] = [validityRule, keyUsageRule, criticalExtensionsRule];

const RULES: readonly Rule[] = [
  signatureRule,
  algorithmsRule,
  validityRule,
  nameChainingRule,
  keyIdentifiersRule,
  basicConstraintsRule,
  pathLengthRule,
  keyUsageRule,
  nameConstraintsRule,
  policiesRule,
  criticalExtensionsRule,
];

/**
 * Validates a path (RFC 5280, 6.1) without revocation: the findings for each certificate, in the path's order. The
 * anchor is trusted and has no findings, except when it is the whole path.
 * @example const findings = validatePath([holder, intermediate, root], pathSettings({ atMs }));
 */
export function validatePath(path: Path, settings: PathSettings): Finding[][] {
  const anchor = path.at(-1) ?? path[0];
  const context = { settings, anchor, length: path.length - 1 };
  const rules = path.length === 1 ? RULES_FOR_AN_ANCHOR : RULES;
  const checks = rules.map((rule) => startLazily(rule, context));
  return stepsOf(path)
    .map((step) => checks.flatMap((check) => runCheck(check, step)))
    .toReversed();
}

/** The steps from the anchor down (RFC 5280, 6.1.3). */
function stepsOf(path: Path): Step[] {
  return path
    .slice(0, Math.max(1, path.length - 1))
    .map((certificate, i) => ({
      certificate,
      issuer: path[i + 1] ?? certificate,
      isTarget: i === 0,
      isSelfIssued: sameName(certificate.issuer, certificate.subject),
    }))
    .toReversed();
}

// A rule starts at its first certificate, so that runCheck also reports a malformed extension of the anchor.
function startLazily(rule: Rule, context: PathContext): Check {
  let check: Check | undefined;
  return (step) => {
    check ??= rule(context);
    return check(step);
  };
}

// A malformed extension fails the certificate, and the other rules still report their findings.
function runCheck(check: Check, step: Step): readonly Finding[] {
  try {
    return check(step);
  } catch (error) {
    if (!(error instanceof CertificateMalformed)) throw error;
    const about = `The certificate of ${displayName(step.certificate)} cannot be read: ${error.message}`;
    return [errorFinding('DecodeError', about)];
  }
}
