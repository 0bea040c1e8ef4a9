import { childrenOf, type Element, expectTag } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { type Certificate, readAlgorithm } from '../../pki/certificate/certificate.ts';
import { subjectKeyIdentifier } from '../../pki/extensions/extensions.ts';
import { sameName } from '../../pki/name/match.ts';
import { readName } from '../../pki/name/name.ts';
import { digestByOid, hashOf } from '../digest.ts';
import { type Attributes, onlyValue } from './attribute-map.ts';
import { orUndefined } from './ber-or-der.ts';
import { ATTRIBUTE } from './oids.ts';
import type { SignerId } from './read.ts';

/** The certificates that match a signer or recipient identifier. Anyone can add a second one with the same identifier. */
export const findCertificates = (id: SignerId, among: readonly Certificate[]): Certificate[] =>
  among.filter((certificate) => matchesSignerId(id, certificate));

function matchesSignerId(id: SignerId, certificate: Certificate): boolean {
  if ('issuer' in id)
    return certificate.serialDer.equals(id.serial) && sameName(certificate.issuer, id.issuer);
  return orUndefined(() => subjectKeyIdentifier(certificate)?.equals(id.keyIdentifier)) ?? false;
}

/** Whether a signed attribute names this certificate, another one ('mismatch'), or none ('absent'). */
export type Binding = 'bound' | 'mismatch' | 'absent';

/**
 * Signer substitution: reads the signing-certificate attributes (RFC 2634, 5.4; RFC 5035). With both, both must name the
 * certificate. A repeated attribute names none.
 */
export function bindingOf(signed: Attributes, certificate: Certificate): Binding {
  const present = [ATTRIBUTE.signingCertificateV2, ATTRIBUTE.signingCertificate].filter((oid) =>
    signed.has(oid),
  );
  if (!present.length) return 'absent';
  return present.every((oid) => matchesCertificateId(onlyValue(signed, oid), oid, certificate))
    ? 'bound'
    : 'mismatch';
}

function matchesCertificateId(
  value: Element | undefined,
  oid: string,
  certificate: Certificate,
): boolean | undefined {
  return orUndefined(() => {
    // RFC 5035: the first identifier is the signer's. Later ones restrict the path and are not used here.
    const [ids] = childrenOf(value, TAG.SEQUENCE);
    const [first] = childrenOf(ids, TAG.SEQUENCE);
    const parts = childrenOf(first, TAG.SEQUENCE);
    const named = parts[0]?.tag === TAG.SEQUENCE ? readAlgorithm(parts.shift()).oid : undefined;
    const byDefault = oid === ATTRIBUTE.signingCertificate ? 'sha1' : 'sha256';
    const digest = named === undefined ? byDefault : digestByOid(named);
    const [hash, issuerSerial] = parts;
    const bound = digest && hash?.content.equals(hashOf(digest, certificate.der));
    return bound && (!issuerSerial || isIssuerSerial(issuerSerial, certificate));
  });
}

function isIssuerSerial(element: Element, certificate: Certificate): boolean {
  const [issuers, serial] = childrenOf(element, TAG.SEQUENCE);
  const directory = childrenOf(issuers, TAG.SEQUENCE).find(({ tag }) => tag === context(4));
  const [name] = directory ? childrenOf(directory, context(4)) : [];
  return (
    expectTag(serial, TAG.INTEGER).raw.equals(certificate.serialDer) &&
    name !== undefined &&
    sameName(readName(name), certificate.issuer)
  );
}
