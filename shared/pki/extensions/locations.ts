import { children, childrenOf, DerError, type Element, readOid } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { type NameAttribute, readAttributes } from '../name/name.ts';
import { EXTENSION, type Extended, readExtension, readNamedBits } from './extensions.ts';
import { type GeneralName, readGeneralName, readGeneralNames } from './general-names.ts';

/** DistributionPointName (RFC 5280, 4.2.1.13): full names, or a name relative to the CRL issuer. */
export type DistributionPointName =
  | { readonly fullName: readonly GeneralName[] }
  | { readonly relativeName: readonly NameAttribute[] };

export type DistributionPoint = {
  readonly name?: DistributionPointName;
  /** Numbers of the ReasonFlags bits; absent means all reasons. */
  readonly reasons?: ReadonlySet<number>;
  readonly crlIssuer?: readonly GeneralName[];
};

/** @example crlDistributionPoints(certificate)[0]?.name */
export const crlDistributionPoints = (of: Extended): readonly DistributionPoint[] =>
  readExtension(of, 'crlDistributionPoints', readDistributionPoints) ?? [];

/** The distribution points of delta CRLs (RFC 5280, 4.2.1.15). */
export const freshestCrl = (of: Extended): readonly DistributionPoint[] =>
  readExtension(of, 'freshestCrl', readDistributionPoints) ?? [];

const readDistributionPoints = (value: Element): DistributionPoint[] =>
  childrenOf(value, TAG.SEQUENCE).map((point) => {
    const parts = childrenOf(point, TAG.SEQUENCE);
    const name = parts.find(({ tag }) => tag === context(0));
    const reasons = parts.find(({ tag }) => tag === context(1, 'primitive'));
    const crlIssuer = parts.find(({ tag }) => tag === context(2));
    return {
      ...(name && { name: readDistributionPointName(name) }),
      ...(reasons && { reasons: readNamedBits(reasons) }),
      ...(crlIssuer && { crlIssuer: readGeneralNames(crlIssuer, context(2)) }),
    };
  });

/** The field `[0]` of a DistributionPoint and of an IssuingDistributionPoint. */
export function readDistributionPointName(element: Element): DistributionPointName {
  const [name, ...more] = children(element);
  if (!name || more.length) throw new DerError('A distribution point does not have exactly one name.');
  if (name.tag === context(0)) return { fullName: readGeneralNames(name, context(0)) };
  return { relativeName: readAttributes(name, context(1)) };
}

/** The addresses of a certificate's CRLs. @example crlAddresses(certificate) */
export const crlAddresses = (of: Extended): string[] =>
  crlDistributionPoints(of).flatMap(({ name }) =>
    name && 'fullName' in name ? name.fullName.flatMap((n) => (n.kind === 'uri' ? [n.value] : [])) : [],
  );

const ACCESS_METHOD = { ocsp: '1.3.6.1.5.5.7.48.1', caIssuers: '1.3.6.1.5.5.7.48.2' } as const;

/** The addresses of one access method (RFC 5280, 4.2.2.1). @example accessAddresses(certificate, 'ocsp')[0] */
export const accessAddresses = (of: Extended, method: keyof typeof ACCESS_METHOD): string[] =>
  readExtension(of, 'authorityInfoAccess', (value) =>
    childrenOf(value, TAG.SEQUENCE).flatMap((description) => {
      const [type, location] = childrenOf(description, TAG.SEQUENCE);
      if (!location) throw new DerError('An access description has no location.');
      const place = readGeneralName(location);
      return readOid(type) === ACCESS_METHOD[method] && place.kind === 'uri' ? [place.value] : [];
    }),
  ) ?? [];

/** id-pkix-ocsp-nocheck: the revocation status of this OCSP responder is not checked (RFC 6960, 4.2.2.2.1). */
export const isOcspNoCheck = (of: Extended): boolean => of.extensions.has(EXTENSION.ocspNoCheck);
