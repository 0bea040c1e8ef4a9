import type { Certificate } from '../../pki/certificate/certificate.ts';
import { subjectKeyIdentifier } from '../../pki/extensions/extensions.ts';
import { sameName } from '../../pki/name/match.ts';
import { orUndefined } from './ber-or-der.ts';
import type { SignerId } from './read.ts';

/** The certificates that match a signer or recipient identifier. Anyone can add a second one with the same identifier. */
export const findCertificates = (id: SignerId, among: readonly Certificate[]): Certificate[] =>
  among.filter((certificate) => matchesSignerId(id, certificate));

function matchesSignerId(id: SignerId, certificate: Certificate): boolean {
  if ('issuer' in id)
    return certificate.serialDer.equals(id.serial) && sameName(certificate.issuer, id.issuer);
  return orUndefined(() => subjectKeyIdentifier(certificate)?.equals(id.keyIdentifier)) ?? false;
}
