import { ANY_POLICY, type PolicyMapping } from '../../extensions/policies.ts';

type Node = {
  readonly policy: string;
  /** expected_policy_set: the names of this policy in the next certificate. */
  expected: ReadonlySet<string>;
  readonly parents: ReadonlySet<Node>;
};

type Layer = Map<string, Node>;

/**
 * The valid policies from the anchor down, one layer per certificate (RFC 5280, 6.1.2 a). RFC 9618 replaces the policy
 * tree by a graph with one node per policy and layer: the tree grows exponentially (CVE-2023-0464).
 */
export type PolicyGraph = { readonly layers: readonly Layer[] };

export const newGraph = (): PolicyGraph => ({
  layers: [
    new Map([[ANY_POLICY, { policy: ANY_POLICY, expected: new Set([ANY_POLICY]), parents: new Set() }]]),
  ],
});

/** Adds a layer for a certificate's policies; undefined when no policy is left (RFC 5280, 6.1.3 d). */
export function addLayer(
  graph: PolicyGraph,
  policies: readonly string[],
  anyPolicyCounts: boolean,
): PolicyGraph | undefined {
  const above = graph.layers.at(-1) ?? new Map<string, Node>();
  const expectedFrom = parentsByExpected(above);
  const any = above.get(ANY_POLICY);
  const layer: Layer = new Map();
  const add = (policy: string, parents: Iterable<Node>): void => {
    layer.set(policy, { policy, expected: new Set([policy]), parents: new Set(parents) });
  };

  for (const policy of policies) {
    if (policy === ANY_POLICY) continue;
    const parents = expectedFrom.get(policy) ?? (any ? [any] : []);
    if (parents.length) add(policy, parents);
  }
  if (anyPolicyCounts && policies.includes(ANY_POLICY))
    for (const [policy, parents] of expectedFrom) if (!layer.has(policy)) add(policy, parents);
  return prune([...graph.layers, layer]);
}

function parentsByExpected(layer: Layer): Map<string, Node[]> {
  const found = new Map<string, Node[]>();
  for (const node of layer.values())
    for (const policy of node.expected) found.set(policy, [...(found.get(policy) ?? []), node]);
  return found;
}

/** Renames the last layer's policies for the next certificate (RFC 5280, 6.1.4 b 1). */
export function applyMappings(graph: PolicyGraph, mappings: readonly PolicyMapping[]): PolicyGraph {
  const layer = graph.layers.at(-1) ?? new Map<string, Node>();
  const any = layer.get(ANY_POLICY);
  for (const [policy, subjects] of subjectsByIssuer(mappings)) {
    const node = layer.get(policy);
    if (node) node.expected = subjects;
    else if (any) layer.set(policy, { policy, expected: subjects, parents: any.parents });
  }
  return graph;
}

/** Removes mapped policies where mapping is inhibited (RFC 5280, 6.1.4 b 2). */
export function removeMapped(
  graph: PolicyGraph,
  mappings: readonly PolicyMapping[],
): PolicyGraph | undefined {
  const last = new Map(graph.layers.at(-1));
  for (const { issuerPolicy } of mappings) last.delete(issuerPolicy);
  return prune([...graph.layers.slice(0, -1), last]);
}

function subjectsByIssuer(mappings: readonly PolicyMapping[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { issuerPolicy, subjectPolicy } of mappings)
    found.set(issuerPolicy, (found.get(issuerPolicy) ?? new Set()).add(subjectPolicy));
  return found;
}

// A node stays while a node in the layer below has it as a parent. An empty last layer means no graph.
function prune(layers: readonly Layer[]): PolicyGraph | undefined {
  if (!layers.at(-1)?.size) return undefined;
  const kept: Layer[] = [];
  let needed: ReadonlySet<Node> | undefined;
  for (const layer of layers.toReversed()) {
    const rest: Layer = new Map([...layer].filter(([, node]) => !needed || needed.has(node)));
    needed = new Set([...rest.values()].flatMap((node) => [...node.parents]));
    kept.unshift(rest);
  }
  return { layers: kept };
}

/** The accepted policies of the whole path; all accepted ones where anyPolicy holds (RFC 5280, 6.1.5 g). */
export function policiesOf(graph: PolicyGraph, accepted: readonly string[] | undefined): ReadonlySet<string> {
  const found = new Set<string>();
  for (const layer of graph.layers)
    for (const { policy, parents } of layer.values())
      if (policy !== ANY_POLICY && [...parents].some((parent) => parent.policy === ANY_POLICY))
        found.add(policy);
  const anyHolds = graph.layers.at(-1)?.has(ANY_POLICY) ?? false;
  if (!accepted) return anyHolds ? found.add(ANY_POLICY) : found;
  return new Set(accepted.filter((policy) => anyHolds || found.has(policy)));
}
