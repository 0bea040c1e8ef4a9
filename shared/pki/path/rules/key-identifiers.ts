import type { Certificate } from '../../certificate/certificate.ts';
import { authorityKeyIdentifier, subjectKeyIdentifier } from '../../extensions/extensions.ts';
import { displayName } from '../../findings/display.ts';
import { errorFinding, passedFinding } from '../../findings/validation-results.ts';
import { sameName } from '../../name/match.ts';
import type { Rule } from './rule.ts';

/** Whether the authorityKeyIdentifier matches this issuer (RFC 5280, 4.2.1.1). Absent fields match. */
export function identifiesIssuer(certificate: Certificate, issuer: Certificate): boolean {
  const identifier = authorityKeyIdentifier(certificate);
  const own = subjectKeyIdentifier(issuer);
  if (identifier?.keyIdentifier && own && !identifier.keyIdentifier.equals(own)) return false;
  if (identifier?.serial && identifier.serial.toString('hex') !== issuer.serialHex) return false;
  const names =
    identifier?.issuer?.flatMap((name) => (name.kind === 'directoryName' ? [name.name] : [])) ?? [];
  return names.length === 0 || names.some((name) => sameName(name, issuer.issuer));
}

/** The key identifiers of a certificate and of its issuer do not contradict each other (RFC 5280, 4.2.1.1). */
export const keyIdentifiersRule: Rule =
  () =>
  ({ certificate, issuer }) =>
    identifiesIssuer(certificate, issuer)
      ? [
          passedFinding(
            `The certificate of ${displayName(certificate)} points to the key of ${displayName(issuer)}.`,
          ),
        ]
      : [
          errorFinding(
            'CertificateIssuerNotFound',
            `The certificate of ${displayName(certificate)} points to another key than that of ${displayName(issuer)}.`,
          ),
        ];
