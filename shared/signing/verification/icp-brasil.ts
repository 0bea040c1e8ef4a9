import type { Certificate } from '../../pki/certificate/certificate.ts';
import { subjectAltNames } from '../../pki/extensions/extensions.ts';
import { certificatePolicies } from '../../pki/extensions/policies.ts';
import { nameValue } from '../../pki/name/name.ts';
import { NAME_OID } from '../../pki/name/oids.ts';
import type { IcpBrasilStanding } from './report-parts.ts';

// The arc of ICP-Brasil: identity fields stand below 1.3 and 1.4, certificate policies below 1.2 (DOC-ICP-04).
const ARC = /^2\.16\.76\.1\./;
const INFRASTRUCTURE = 'ICP-Brasil';

/**
 * Whether a certificate is one of ICP-Brasil. Anyone can write its fields into a certificate, and its name into a root:
 * only a chain that ends at a root which is trusted here proves it.
 * @example icpBrasilStanding(certificate, path, anchors) // 'verified'
 */
export function icpBrasilStanding(
  certificate: Certificate,
  path: readonly Certificate[],
  anchors: readonly Certificate[],
): IcpBrasilStanding {
  const top = path.at(-1);
  const anchor = anchors.find(({ sha256 }) => sha256 === top?.sha256);
  if (anchor && nameValue(anchor.subject, NAME_OID.organization) === INFRASTRUCTURE) return 'verified';
  return isClaimed(certificate) ? 'claimed' : 'no';
}

const isClaimed = (certificate: Certificate): boolean =>
  subjectAltNames(certificate).some((name) => name.kind === 'otherName' && ARC.test(name.oid)) ||
  (certificatePolicies(certificate) ?? []).some(({ oid }) => ARC.test(oid));
