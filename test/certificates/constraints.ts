import {
  type Extension,
  type GeneralName,
  GeneralSubtree,
  id_InhibitAnyPolicy,
  id_NameConstraints,
  id_PolicyConstraints,
  id_PolicyMappings,
  NameConstraints,
  PolicyConstraints,
  PolicyMapping,
  PolicyMappings,
} from 'pkijs';
import { extensionOf } from '../../functions/sandbox/authority/domain/issuing/extensions.ts';
import { integer } from '../../functions/sandbox/authority/domain/issuing/pkijs.ts';

// What an authority binds those below it to. The sandbox's authorities bind nobody.

export type NameConstraintsInput = {
  readonly permitted?: readonly GeneralName[];
  readonly excluded?: readonly GeneralName[];
};

const subtrees = (names: readonly GeneralName[]): GeneralSubtree[] =>
  names.map((base) => new GeneralSubtree({ base }));

/** @example nameConstraintsOf({ permitted: [hostName('example.com')] }) */
export function nameConstraintsOf({ permitted, excluded }: NameConstraintsInput): Extension {
  const constraints = new NameConstraints({
    ...(permitted && { permittedSubtrees: subtrees(permitted) }),
    ...(excluded && { excludedSubtrees: subtrees(excluded) }),
  });
  return extensionOf(id_NameConstraints, constraints.toSchema(), true);
}

/** @example policyConstraintsOf({ requireExplicitPolicy: 0 }) */
export const policyConstraintsOf = (of: {
  requireExplicitPolicy?: number;
  inhibitPolicyMapping?: number;
}): Extension => extensionOf(id_PolicyConstraints, new PolicyConstraints(of).toSchema(), true);

/** Pairs of the issuer's policy and the same one's name below it. @example policyMappingsOf([['1.2.3', '1.2.4']]) */
export function policyMappingsOf(pairs: readonly (readonly [string, string])[]): Extension {
  const mappings = pairs.map(
    ([issuerDomainPolicy, subjectDomainPolicy]) =>
      new PolicyMapping({ issuerDomainPolicy, subjectDomainPolicy }),
  );
  return extensionOf(id_PolicyMappings, new PolicyMappings({ mappings }).toSchema());
}

export const inhibitAnyPolicyOf = (skipCertificates: number): Extension =>
  extensionOf(id_InhibitAnyPolicy, integer(skipCertificates), true);
