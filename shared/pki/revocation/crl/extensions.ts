import { childrenOf, type Element, readBoolean, readDer } from '../../../der/read.ts';
import { context, TAG } from '../../../der/tags.ts';
import type { Extension } from '../../certificate/certificate.ts';
import { EXTENSION, type Extended, readNamedBits } from '../../extensions/extensions.ts';
import { type DistributionPointName, readDistributionPointName } from '../../extensions/locations.ts';

export const CRL_EXTENSION = {
  number: '2.5.29.20',
  deltaIndicator: '2.5.29.27',
  issuingPoint: '2.5.29.28',
} as const;

export const ENTRY_EXTENSION = {
  reasonCode: '2.5.29.21',
  holdInstruction: '2.5.29.23',
  invalidityDate: '2.5.29.24',
  certificateIssuer: '2.5.29.29',
} as const;

const KNOWN: ReadonlySet<string> = new Set([
  ...Object.values(CRL_EXTENSION),
  EXTENSION.authorityKeyIdentifier,
  EXTENSION.issuerAltName,
  EXTENSION.freshestCrl,
  EXTENSION.authorityInfoAccess,
]);

/** The first critical extension of the CRL that is unknown. Such a CRL must not be used (RFC 5280, 5.2). */
export const findUnknownCritical = ({ extensions }: Extended): string | undefined =>
  [...extensions].find(([oid, { critical }]) => critical && !KNOWN.has(oid))?.[0];

/** issuingDistributionPoint, the scope of a CRL (RFC 5280, 5.2.5). Without it a CRL covers all of its issuer's certificates. */
export type IssuingPoint = {
  readonly name?: DistributionPointName;
  readonly onlyUserCertificates: boolean;
  readonly onlyAuthorityCertificates: boolean;
  readonly onlyAttributeCertificates: boolean;
  readonly onlySomeReasons?: ReadonlySet<number>;
  /** indirectCRL: entries may be for certificates of other issuers. */
  readonly isIndirect: boolean;
};

export function readIssuingPoint(extension: Extension | undefined): IssuingPoint {
  const parts = extension ? childrenOf(readDer(extension.value), TAG.SEQUENCE) : [];
  const name = parts.find(({ tag }) => tag === context(0));
  const reasons = parts.find(({ tag }) => tag === context(3, 'primitive'));
  return {
    ...(name && { name: readDistributionPointName(name) }),
    onlyUserCertificates: flag(parts, 1),
    onlyAuthorityCertificates: flag(parts, 2),
    ...(reasons && { onlySomeReasons: readNamedBits(reasons) }),
    isIndirect: flag(parts, 4),
    onlyAttributeCertificates: flag(parts, 5),
  };
}

function flag(parts: readonly Element[], n: number): boolean {
  const found = parts.find(({ tag }) => tag === context(n, 'primitive'));
  return found ? readBoolean({ ...found, tag: TAG.BOOLEAN }) : false;
}
