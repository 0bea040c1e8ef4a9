import { basicConstraints } from '../../extensions/extensions.ts';
import { displayName } from '../../findings/display.ts';
import { errorFinding, passedFinding } from '../../findings/validation-results.ts';
import type { Rule } from './rule.ts';

/** Every certificate between anchor and target has cA set in basicConstraints (RFC 5280, 6.1.4 k). */
export const basicConstraintsRule: Rule =
  () =>
  ({ certificate, isTarget }) => {
    const isAuthority = basicConstraints(certificate)?.isAuthority ?? false;
    if (isTarget) return [];
    return isAuthority
      ? [passedFinding(`${displayName(certificate)} is a certification authority.`)]
      : [
          errorFinding(
            'UnauthorizedIssuer',
            `${displayName(certificate)} issued a certificate and is not a certification authority.`,
          ),
        ];
  };
