import { extendedKeyUsage, KEY_PURPOSE, keyUsage } from '../../extensions/extensions.ts';
import { displayName } from '../../findings/display.ts';
import { errorFinding, type Finding, passedFinding } from '../../findings/validation-results.ts';
import type { PathSettings } from '../settings.ts';
import type { Rule, Step } from './rule.ts';

/** Authorities have keyCertSign (RFC 5280, 6.1.4 n), and the target has a usage that the caller accepts. */
export const keyUsageRule: Rule =
  ({ settings }) =>
  (step) =>
    step.isTarget ? targetUsage(step, settings) : authorityUsage(step);

function authorityUsage({ certificate }: Step): Finding[] {
  const usages = keyUsage(certificate);
  if (usages && !usages.has('keyCertSign'))
    return [
      errorFinding(
        'InvalidKeyUsage',
        `The key of ${displayName(certificate)} is not for signing certificates, and signed one.`,
      ),
    ];
  return [passedFinding(`The key of ${displayName(certificate)} may sign certificates.`)];
}

function targetUsage({ certificate }: Step, { keyUsages, purposes }: PathSettings): Finding[] {
  const found: Finding[] = [];
  const usages = keyUsage(certificate);
  // RFC 5280, 4.2.1.3 and 4.2.1.12: a certificate without these extensions is not restricted.
  if (keyUsages && usages)
    found.push(
      keyUsages.some((usage) => usages.has(usage))
        ? passedFinding(`The key of ${displayName(certificate)} may be used for this.`)
        : errorFinding(
            'InvalidKeyUsage',
            `The key of ${displayName(certificate)} is not for ${keyUsages.join(' or ')}.`,
          ),
    );
  const extended = extendedKeyUsage(certificate);
  if (purposes && extended)
    found.push(
      purposes.some((purpose) => extended.includes(purpose)) || extended.includes(KEY_PURPOSE.any)
        ? passedFinding(`The certificate of ${displayName(certificate)} is for this purpose.`)
        : errorFinding(
            'InvalidKeyUsage',
            `The certificate of ${displayName(certificate)} is not for this purpose.`,
            {
              detail: `It is for ${extended.join(', ')}; asked for is ${purposes.join(' or ')}.`,
            },
          ),
    );
  return found;
}
