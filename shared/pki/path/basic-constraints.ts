import { basicConstraints } from '../extensions/extensions.ts';
import { failed, passed } from '../verdict/validation-results.ts';
import { called } from '../verdict/words.ts';
import type { Rule } from './rule.ts';

/** Every certificate between anchor and target is an authority's, and says so itself (6.1.4 k). */
export const basicConstraintsRule: Rule =
  () =>
  ({ certificate, isTarget }) => {
    const isAuthority = basicConstraints(certificate)?.isAuthority ?? false;
    if (isTarget) return [];
    return isAuthority
      ? [passed(`${called(certificate)} is a certification authority.`)]
      : [
          failed(
            'UnauthorizedIssuer',
            `${called(certificate)} issued a certificate and is no certification authority.`,
          ),
        ];
  };
