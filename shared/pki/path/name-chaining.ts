import { sameName } from '../name/match.ts';
import { failed, passed } from '../verdict/validation-results.ts';
import { called } from '../verdict/words.ts';
import type { Rule } from './rule.ts';

/** Each certificate names as its issuer the subject of the one above it (6.1.3 a 4). */
export const nameChainingRule: Rule =
  () =>
  ({ certificate, issuer }) =>
    sameName(certificate.issuer, issuer.subject)
      ? [passed(`The certificate of ${called(certificate)} names ${called(issuer)} as its issuer.`)]
      : [
          failed(
            'CertificateIssuerNotFound',
            `The certificate of ${called(certificate)} names another issuer than ${called(issuer)}.`,
            { detail: `It names ${certificate.issuer.text}; above it stands ${issuer.subject.text}.` },
          ),
        ];
