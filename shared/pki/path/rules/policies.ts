import {
  ANY_POLICY,
  certificatePolicies,
  inhibitAnyPolicy,
  policyConstraints,
  policyMappings,
} from '../../extensions/policies.ts';
import { displayName } from '../../findings/display.ts';
import { errorFinding, type Finding, passedFinding } from '../../findings/validation-results.ts';
import {
  newGraph,
  type PolicyGraph,
  policiesOf,
  withMappings,
  withoutMapped,
  withPolicies,
} from './policy-graph.ts';
import type { Rule, Step } from './rule.ts';

/** Certificate policies, with their mappings and inhibitions (6.1.2 to 6.1.5). */
export const policiesRule: Rule = ({ length, settings: { policies: asked } }) => {
  let graph: PolicyGraph | undefined = newGraph();
  // How many more certificates may pass before the rule holds.
  let untilExplicit = asked.explicit ? 0 : length + 1;
  let untilNoMapping = asked.inhibitMapping ? 0 : length + 1;
  let untilNoAny = asked.inhibitAny ? 0 : length + 1;

  const addPolicies = ({ certificate, isSelfIssued, isTarget }: Step): void => {
    const policies = certificatePolicies(certificate);
    const anyCounts = untilNoAny > 0 || (isSelfIssued && !isTarget);
    graph =
      graph &&
      policies &&
      withPolicies(
        graph,
        policies.map(({ oid }) => oid),
        anyCounts,
      );
  };

  // 6.1.4 a and b, h to j
  const prepareNext = ({ certificate, isSelfIssued }: Step): string | undefined => {
    const mappings = policyMappings(certificate) ?? [];
    if (mappings.some((mapping) => Object.values(mapping).includes(ANY_POLICY)))
      return `${displayName(certificate)} maps a policy to or from any policy at all.`;
    if (graph && mappings.length)
      graph = untilNoMapping > 0 ? withMappings(graph, mappings) : withoutMapped(graph, mappings);
    const step = isSelfIssued ? 0 : 1;
    const { requireExplicitPolicy, inhibitPolicyMapping } = policyConstraints(certificate) ?? {};
    untilExplicit = least(untilExplicit - step, requireExplicitPolicy);
    untilNoMapping = least(untilNoMapping - step, inhibitPolicyMapping);
    untilNoAny = least(untilNoAny - step, inhibitAnyPolicy(certificate));
    return undefined;
  };

  // 6.1.5 a, b and g
  const wrapUp = ({ certificate }: Step): Finding[] => {
    const ownDemand = policyConstraints(certificate)?.requireExplicitPolicy === 0;
    untilExplicit = ownDemand ? 0 : Math.max(0, untilExplicit - 1);
    const held = graph ? policiesOf(graph, asked.accepted) : new Set<string>();
    if (untilExplicit === 0 && held.size === 0) return [noPolicy(displayName(certificate))];
    return held.size
      ? [
          passedFinding('The path is valid for a certificate policy that is accepted.', {
            detail: [...held].join(', '),
          }),
        ]
      : [];
  };

  return (step) => {
    addPolicies(step);
    if (untilExplicit <= 0 && !graph) return [noPolicy(displayName(step.certificate))];
    if (step.isTarget) return wrapUp(step);
    const complaint = prepareNext(step);
    return complaint ? [errorFinding('CertificateValidationFailed', complaint)] : [];
  };
};

const least = (left: number, limit: number | undefined): number => Math.max(0, Math.min(left, limit ?? left));

const noPolicy = (whose: string): Finding =>
  errorFinding(
    'CertificateValidationFailed',
    `No certificate policy that is accepted holds from the trust anchor down to ${whose}.`,
  );
