import { readDer } from '../../../der/read.ts';
import { oid, sequence, setOf } from '../../../der/write.ts';
import type { Certificate } from '../../certificate/certificate.ts';
import { basicConstraints } from '../../extensions/extensions.ts';
import type { GeneralName } from '../../extensions/general-names.ts';
import type { DistributionPoint, DistributionPointName } from '../../extensions/locations.ts';
import { sameName } from '../../name/match.ts';
import { type Name, readName } from '../../name/name.ts';
import { ALL_REASON_FLAGS } from '../reasons.ts';
import type { Crl } from './crl.ts';
import { CRL_EXTENSION } from './extensions.ts';

/**
 * The revocation reasons that this CRL covers for the certificate, if the distribution point means this CRL; an empty
 * set if not (RFC 5280, 6.3.3 b and d).
 */
export function reasonsCovered(
  crl: Crl,
  certificate: Certificate,
  point: DistributionPoint,
): ReadonlySet<number> {
  if (!isFromNamedIssuer(crl, certificate, point)) return new Set();
  if (!isAtDistributionPoint(crl, certificate, point)) return new Set();
  if (!coversKindOf(crl, certificate)) return new Set();
  const { onlySomeReasons = ALL_REASON_FLAGS } = crl.issuingPoint;
  const { reasons = ALL_REASON_FLAGS } = point;
  return ALL_REASON_FLAGS.intersection(onlySomeReasons).intersection(reasons);
}

/** The distribution point that every certificate has by default: a CRL of its own issuer (RFC 5280, 6.3.3). */
export const impliedPoint = ({ issuer }: Certificate): DistributionPoint => ({
  name: { fullName: [{ kind: 'directoryName', name: issuer }] },
});

function isFromNamedIssuer(crl: Crl, certificate: Certificate, { crlIssuer }: DistributionPoint): boolean {
  if (!crlIssuer) return sameName(crl.issuer, certificate.issuer);
  return crl.issuingPoint.isIndirect && directoryNames(crlIssuer).some((name) => sameName(name, crl.issuer));
}

function isAtDistributionPoint(crl: Crl, certificate: Certificate, point: DistributionPoint): boolean {
  const own = crl.issuingPoint.name;
  if (!own) return true;
  const [crlIssuer = certificate.issuer] = directoryNames(point.crlIssuer ?? []);
  const named = point.name ? fullNamesOf(point.name, crlIssuer) : (point.crlIssuer ?? []);
  return fullNamesOf(own, crl.issuer).some((a) => named.some((b) => sameGeneralName(a, b)));
}

function coversKindOf({ issuingPoint }: Crl, certificate: Certificate): boolean {
  const isAuthority = basicConstraints(certificate)?.isAuthority ?? false;
  if (issuingPoint.onlyAttributeCertificates) return false;
  if (issuingPoint.onlyUserCertificates && isAuthority) return false;
  return !issuingPoint.onlyAuthorityCertificates || isAuthority;
}

const directoryNames = (names: readonly GeneralName[]): Name[] =>
  names.flatMap((name) => (name.kind === 'directoryName' ? [name.name] : []));

/** Completes nameRelativeToCRLIssuer with the issuer's name (RFC 5280, 4.2.1.13). */
function fullNamesOf(name: DistributionPointName, issuer: Name): readonly GeneralName[] {
  if ('fullName' in name) return name.fullName;
  const step = name.relativeName.map((attribute) => sequence(oid(attribute.oid), attribute.der));
  const whole = sequence(readDer(issuer.der).content, setOf(...step));
  return [{ kind: 'directoryName', name: readName(readDer(whole)) }];
}

function sameGeneralName(a: GeneralName, b: GeneralName): boolean {
  if (a.kind === 'directoryName' && b.kind === 'directoryName') return sameName(a.name, b.name);
  const isText = a.kind === 'uri' || a.kind === 'dnsName' || a.kind === 'rfc822Name';
  return isText && a.kind === b.kind && a.value === b.value;
}

export const isDelta = ({ baseNumber }: Crl): boolean => baseNumber !== undefined;

/** Whether a delta CRL updates this complete CRL: same scope, matching numbers (RFC 5280, 5.2.4 and 6.3.3 c). */
export function isDeltaOf(delta: Crl, complete: Crl): boolean {
  if (delta.baseNumber === undefined || delta.number === undefined || complete.number === undefined)
    return false;
  return (
    delta.issuer.der.equals(complete.issuer.der) &&
    areEqual(scopeOf(delta), scopeOf(complete)) &&
    areEqual(delta.issuerKeyIdentifier, complete.issuerKeyIdentifier) &&
    delta.baseNumber <= complete.number &&
    complete.number < delta.number
  );
}

const scopeOf = ({ extensions }: Crl): Buffer | undefined =>
  extensions.get(CRL_EXTENSION.issuingPoint)?.value;

const areEqual = (a: Buffer | undefined, b: Buffer | undefined): boolean => (a && b ? a.equals(b) : a === b);
