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

// What an anchor is judged by when it is itself the target.
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
 * RFC 5280, section 6.1, without revocation: the findings for each certificate of the path, in the path's order.
 * The anchor is trusted as it is, and has none
 * unless it stands alone.
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

/** From the anchor down. */
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

// A rule begins with its first certificate, where what it cannot read of the anchor is told like everything else.
function startLazily(rule: Rule, context: PathContext): Check {
  let check: Check | undefined;
  return (step) => {
    check ??= rule(context);
    return check(step);
  };
}

// An extension that a rule cannot read fails the certificate, and the other rules still tell what they see.
function runCheck(check: Check, step: Step): readonly Finding[] {
  try {
    return check(step);
  } catch (error) {
    if (!(error instanceof CertificateMalformed)) throw error;
    const about = `The certificate of ${displayName(step.certificate)} cannot be read: ${error.message}`;
    return [errorFinding('DecodeError', about)];
  }
}
