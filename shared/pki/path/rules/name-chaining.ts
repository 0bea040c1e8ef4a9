import { displayName } from '../../findings/display.ts';
import { errorFinding, passedFinding } from '../../findings/validation-results.ts';
import { sameName } from '../../name/match.ts';
import type { Rule } from './rule.ts';

/** The issuer name of each certificate is the subject name of its issuer (RFC 5280, 6.1.3 a 4). */
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
            {
              detail: `It names ${certificate.issuer.text}; its issuer in the path is ${issuer.subject.text}.`,
            },
          ),
        ];
