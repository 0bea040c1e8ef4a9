import { childrenOf, type Element, readCount, readOid } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { type Extended, readExtension } from './extensions.ts';

export const ANY_POLICY = '2.5.29.32.0';

export type PolicyInformation = {
  readonly oid: string;
  /** The PolicyQualifierInfo elements, not parsed. */
  readonly qualifiers: readonly Buffer[];
};

/** @example certificatePolicies(certificate)?.some(({ oid }) => oid.startsWith('2.16.76.1.2.1.')) */
export const certificatePolicies = (of: Extended): readonly PolicyInformation[] | undefined =>
  readExtension(of, 'certificatePolicies', (value) =>
    childrenOf(value, TAG.SEQUENCE).map((policy) => {
      const [oid, qualifiers] = childrenOf(policy, TAG.SEQUENCE);
      const read = qualifiers ? childrenOf(qualifiers, TAG.SEQUENCE) : [];
      return { oid: readOid(oid), qualifiers: read.map(({ raw }) => raw) };
    }),
  );

export type PolicyMapping = { readonly issuerPolicy: string; readonly subjectPolicy: string };

export const policyMappings = (of: Extended): readonly PolicyMapping[] | undefined =>
  readExtension(of, 'policyMappings', (value) =>
    childrenOf(value, TAG.SEQUENCE).map((mapping) => {
      const [issuer, subject] = childrenOf(mapping, TAG.SEQUENCE);
      return { issuerPolicy: readOid(issuer), subjectPolicy: readOid(subject) };
    }),
  );

export type PolicyConstraints = {
  readonly requireExplicitPolicy?: number;
  readonly inhibitPolicyMapping?: number;
};

export const policyConstraints = (of: Extended): PolicyConstraints | undefined =>
  readExtension(of, 'policyConstraints', (value) => {
    const parts = childrenOf(value, TAG.SEQUENCE);
    const explicit = readSkipCerts(parts, 0);
    const mapping = readSkipCerts(parts, 1);
    return {
      ...(explicit !== undefined && { requireExplicitPolicy: explicit }),
      ...(mapping !== undefined && { inhibitPolicyMapping: mapping }),
    };
  });

/** The number of further certificates before anyPolicy is inhibited (RFC 5280, 4.2.1.14). */
export const inhibitAnyPolicy = (of: Extended): number | undefined =>
  readExtension(of, 'inhibitAnyPolicy', readCount);

function readSkipCerts(parts: readonly Element[], n: number): number | undefined {
  const found = parts.find(({ tag }) => tag === context(n, 'primitive'));
  return found && readCount({ ...found, tag: TAG.INTEGER });
}
