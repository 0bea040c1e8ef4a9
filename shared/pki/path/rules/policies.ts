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
  addLayer,
  applyMappings,
  newGraph,
  type PolicyGraph,
  policiesOf,
  removeMapped,
} from './policy-graph.ts';
import type { Rule, Step } from './rule.ts';

/** Certificate policies, with their mappings and inhibitions (RFC 5280, 6.1.2 to 6.1.5). */
export const policiesRule: Rule = ({ length, settings: { policies: policySettings } }) => {
  let graph: PolicyGraph | undefined = newGraph();
  // explicit_policy, policy_mapping, inhibit_anyPolicy (6.1.2 d to f): certificates left before the rule applies.
  let untilExplicit = policySettings.explicit ? 0 : length + 1;
  let untilNoMapping = policySettings.inhibitMapping ? 0 : length + 1;
  let untilNoAny = policySettings.inhibitAny ? 0 : length + 1;

  const addPolicies = ({ certificate, isSelfIssued, isTarget }: Step): void => {
    const policies = certificatePolicies(certificate);
    const anyCounts = untilNoAny > 0 || (isSelfIssued && !isTarget);
    graph =
      graph &&
      policies &&
      addLayer(
        graph,
        policies.map(({ oid }) => oid),
        anyCounts,
      );
  };

  // RFC 5280, 6.1.4 a, b and h to j
  const prepareNext = ({ certificate, isSelfIssued }: Step): string | undefined => {
    const mappings = policyMappings(certificate) ?? [];
    if (mappings.some((mapping) => Object.values(mapping).includes(ANY_POLICY)))
      return `${displayName(certificate)} maps a policy to or from anyPolicy.`;
    if (graph && mappings.length)
      graph = untilNoMapping > 0 ? applyMappings(graph, mappings) : removeMapped(graph, mappings);
    const step = isSelfIssued ? 0 : 1;
    const { requireExplicitPolicy, inhibitPolicyMapping } = policyConstraints(certificate) ?? {};
    untilExplicit = lowerTo(untilExplicit - step, requireExplicitPolicy);
    untilNoMapping = lowerTo(untilNoMapping - step, inhibitPolicyMapping);
    untilNoAny = lowerTo(untilNoAny - step, inhibitAnyPolicy(certificate));
    return undefined;
  };

  // RFC 5280, 6.1.5 a, b and g
  const wrapUp = ({ certificate }: Step): Finding[] => {
    const ownDemand = policyConstraints(certificate)?.requireExplicitPolicy === 0;
    untilExplicit = ownDemand ? 0 : Math.max(0, untilExplicit - 1);
    const accepted = graph ? policiesOf(graph, policySettings.accepted) : new Set<string>();
    if (untilExplicit === 0 && accepted.size === 0) return [noPolicyFinding(displayName(certificate))];
    return accepted.size
      ? [
          passedFinding('The path is valid for an accepted certificate policy.', {
            detail: [...accepted].join(', '),
          }),
        ]
      : [];
  };

  return (step) => {
    addPolicies(step);
    if (untilExplicit <= 0 && !graph) return [noPolicyFinding(displayName(step.certificate))];
    if (step.isTarget) return wrapUp(step);
    const problem = prepareNext(step);
    return problem ? [errorFinding('CertificateValidationFailed', problem)] : [];
  };
};

const lowerTo = (left: number, limit: number | undefined): number =>
  Math.max(0, Math.min(left, limit ?? left));

const noPolicyFinding = (whose: string): Finding =>
  errorFinding(
    'CertificateValidationFailed',
    `No accepted certificate policy holds from the trust anchor down to ${whose}.`,
  );
