import { childrenOf, type Element, readBoolean, readDer } from '../../../der/read.ts';
import { context, TAG } from '../../../der/tags.ts';
import type { Extension } from '../../certificate/certificate.ts';
import { readNamedBits } from '../../extensions/extensions.ts';
import { type DistributionPointName, readDistributionPointName } from '../../extensions/locations.ts';

/** What a CRL says of its own scope (RFC 5280, 5.2.5). A CRL that says nothing is for all of its issuer's certificates. */
export type IssuingPoint = {
  readonly name?: DistributionPointName;
  readonly onlyUserCertificates: boolean;
  readonly onlyAuthorityCertificates: boolean;
  readonly onlyAttributeCertificates: boolean;
  readonly onlySomeReasons?: ReadonlySet<number>;
  /** Entries may be of certificates that others issued. */
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
