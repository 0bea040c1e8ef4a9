import { EXTENSION } from '../../extensions/extensions.ts';
import { displayName } from '../../findings/display.ts';
import { errorFinding, passedFinding } from '../../findings/validation-results.ts';
import type { Rule } from './rule.ts';

// Those that the rules here, or whoever uses the certificate, heed.
const KNOWN: ReadonlySet<string> = new Set(Object.values(EXTENSION));

/** No certificate has a critical extension that nobody here understands (6.1.4 o, 6.1.5 f). */
export const criticalExtensionsRule: Rule =
  () =>
  ({ certificate }) => {
    const unknown = [...certificate.extensions]
      .filter(([oid, { critical }]) => critical && !KNOWN.has(oid))
      .map(([oid]) => oid);
    return unknown.length === 0
      ? [
          passedFinding(
            `The certificate of ${displayName(certificate)} has no critical extension that is unknown here.`,
          ),
        ]
      : [
          errorFinding(
            'CertificateValidationFailed',
            `The certificate of ${displayName(certificate)} must be understood in a way that is unknown here.`,
            { detail: `Critical extensions: ${unknown.join(', ')}.` },
          ),
        ];
  };
