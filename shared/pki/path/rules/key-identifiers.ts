import type { Certificate } from '../../certificate/certificate.ts';
import { authorityKeyIdentifier, subjectKeyIdentifier } from '../../extensions/extensions.ts';
import { displayName } from '../../findings/display.ts';
import { errorFinding, passedFinding } from '../../findings/validation-results.ts';
import { sameName } from '../../name/match.ts';
import type { Rule } from './rule.ts';

/** Whether what a certificate says of its issuer's key is true of this issuer (4.2.1.1). Silence is agreement. */
export function identifiesIssuer(certificate: Certificate, issuer: Certificate): boolean {
  const identifier = authorityKeyIdentifier(certificate);
  const own = subjectKeyIdentifier(issuer);
  if (identifier?.keyIdentifier && own && !identifier.keyIdentifier.equals(own)) return false;
  if (identifier?.serial && identifier.serial.toString('hex') !== issuer.serialHex) return false;
  const names =
    identifier?.issuer?.flatMap((name) => (name.kind === 'directoryName' ? [name.name] : [])) ?? [];
  return names.length === 0 || names.some((name) => sameName(name, issuer.issuer));
}

/** The key identifiers of a certificate and of the one above it do not contradict each other. */
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
