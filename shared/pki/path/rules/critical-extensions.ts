import { EXTENSION } from '../../extensions/extensions.ts';
import { displayName } from '../../findings/display.ts';
import { errorFinding, passedFinding } from '../../findings/validation-results.ts';
import type { Rule } from './rule.ts';

// Extensions that the rules, or the users of the certificate, process.
const KNOWN: ReadonlySet<string> = new Set(Object.values(EXTENSION));

/** No certificate has an unknown critical extension (RFC 5280, 6.1.4 o, 6.1.5 f). */
export const criticalExtensionsRule: Rule =
  () =>
  ({ certificate }) => {
    const unknown = [...certificate.extensions]
      .filter(([oid, { critical }]) => critical && !KNOWN.has(oid))
      .map(([oid]) => oid);
    return unknown.length === 0
      ? [passedFinding(`The certificate of ${displayName(certificate)} has no unknown critical extension.`)]
      : [
          errorFinding(
            'CertificateValidationFailed',
            `The certificate of ${displayName(certificate)} has an unknown critical extension.`,
            { detail: `Critical extensions: ${unknown.join(', ')}.` },
          ),
        ];
  };
