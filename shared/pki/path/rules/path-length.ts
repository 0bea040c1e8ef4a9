import { basicConstraints } from '../../extensions/extensions.ts';
import { displayName } from '../../findings/display.ts';
import { errorFinding, passedFinding } from '../../findings/validation-results.ts';
import type { Rule } from './rule.ts';

/** No authority has more authorities below it than pathLenConstraint allows (RFC 5280, 6.1.4 l and m). */
export const pathLengthRule: Rule = ({ anchor, length }) => {
  // RFC 5937: the limit in the anchor's own certificate applies too.
  let left = Math.min(length, basicConstraints(anchor)?.pathLength ?? length);
  let limitedBy = displayName(anchor);
  return ({ certificate, isTarget, isSelfIssued }) => {
    if (isTarget) return [];
    const isCounted = !isSelfIssued;
    if (isCounted && left <= 0)
      return [
        errorFinding(
          'InvalidCertificationPathLen',
          `${displayName(certificate)} is one authority more than ${limitedBy} allows below itself.`,
        ),
      ];
    if (isCounted) left--;
    const { pathLength } = basicConstraints(certificate) ?? {};
    if (pathLength !== undefined && pathLength < left) {
      left = pathLength;
      limitedBy = displayName(certificate);
    }
    return [
      passedFinding(`${displayName(certificate)} is within the length that the authorities above it allow.`),
    ];
  };
};
