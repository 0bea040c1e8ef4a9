import { displayName } from '../../findings/display.ts';
import { errorFinding, passedFinding } from '../../findings/validation-results.ts';
import { sameName } from '../../name/match.ts';
import type { Rule } from './rule.ts';

/** Each certificate names as its issuer the subject of the one above it (6.1.3 a 4). */
export const nameChainingRule: Rule =
  () =>
  ({ certificate, issuer }) =>
    sameName(certificate.issuer, issuer.subject)
      ? [
          passedFinding(
            `The certificate of ${displayName(certificate)} names ${displayName(issuer)} as its issuer.`,
          ),
        ]
      : [
          errorFinding(
            'CertificateIssuerNotFound',
            `The certificate of ${displayName(certificate)} names another issuer than ${displayName(issuer)}.`,
            { detail: `It names ${certificate.issuer.text}; above it stands ${issuer.subject.text}.` },
          ),
        ];
