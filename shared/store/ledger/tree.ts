import type { CountsOf } from '../write.ts';

/**
 * One node of a shard, as its item has it: the counts of its children by field, and the details, which are amounts by
 * name whose nodes further down have no item. A detail counts in its node and in every one below it on its path.
 */
export type NodeContent = {
  readonly counts: Map<string, number>;
  readonly details: Map<string, number>;
};

// An item has both as attributes. No field begins with this sign.
const DETAIL = '=';

/** The content of an item, from its attributes without keys. */
export function contentOf(values: Readonly<Record<string, number>>): NodeContent {
  const entries = Object.entries(values);
  return {
    counts: new Map(entries.filter(([name]) => !name.startsWith(DETAIL))),
    details: new Map(
      entries.filter(([name]) => name.startsWith(DETAIL)).map(([name, amount]) => [name.slice(1), amount]),
    ),
  };
}

const fieldsOf = ({ counts, details }: NodeContent): Record<string, number> =>
  Object.fromEntries([
    ...counts,
    ...[...details].map(([name, amount]) => [`${DETAIL}${name}`, amount] as const),
  ]);

// An item of 100 details is some 4 KB. Few entries far apart, as most lists have, need no other; among many close
// together each of them has its share.
const MAX_DETAILS = 100;
const DETAILS_AFTER_SPLIT = 50;

/** Reads the nodes that have an item, by name. */
type ReadNodes = (nodes: readonly string[]) => Promise<ReadonlyMap<string, NodeContent>>;

/** The items that a fold has to write or delete. */
export type TreeChanges = {
  readonly written: ReadonlyMap<string, Readonly<Record<string, number>>>;
  readonly gone: readonly string[];
};

/**
 * The nodes of one shard, as a fold changes them. A node gets an item of its own once its parent has many details, those
 * with most of them first, and loses it when nothing is left to count:
 *
 *   ''              { '=2026-11-14T02:05:33.123': 1, '=2026-11-14T02:09:41.007': 1 }          a few
 *   ''              { '2026-11': 101 }                                                        many
 *   '2026-11'       { '14T02': 97, '=2026-11-13T23:50:00.000': 1, ... }
 *   '2026-11-14T02' { '=2026-11-14T02:05:33.123': 1, ... }
 *
 * So the items of a list follow its entries: one for few of them, and a path to the millisecond where thousands share a
 * second. A count is the sum over all of its places, and is right wherever a detail is.
 */
export function countTree(countsOf: CountsOf, readNodes: ReadNodes) {
  const nodes = new Map<string, NodeContent>();
  const touched = new Set<string>();

  const contentAt = (node: string): NodeContent => {
    const content = nodes.get(node) ?? contentOf({});
    nodes.set(node, content);
    touched.add(node);
    return content;
  };

  /** Adds an amount from one place of its path on, down to the last node that has an item. */
  const addFrom = (level: number, name: string, amount: number): void => {
    const path = countsOf(name).slice(level);
    for (const [at, { node, field }] of path.entries()) {
      const below = path[at + 1];
      const isDetail = below !== undefined && !nodes.has(below.node);
      const { counts, details } = contentAt(node);
      if (isDetail) addTo(details, name, amount);
      else addTo(counts, field, amount);
      if (isDetail) break;
    }
  };

  /** The details of a node by the node below that they would be in, the largest group first. */
  const groupsOf = (node: string, { details }: NodeContent) => {
    const placed = [...details].map(([name, amount]) => {
      const path = countsOf(name);
      const level = path.findIndex((place) => place.node === node);
      return { name, amount, level, field: path[level]?.field ?? '', below: path[level + 1]?.node ?? '' };
    });
    return [...Map.groupBy(placed, ({ below }) => below)].sort(([, a], [, b]) => b.length - a.length);
  };

  const read = async (wanted: readonly string[]): Promise<void> => {
    const unread = wanted.filter((node) => !nodes.has(node));
    if (unread.length === 0) return;
    for (const [node, content] of await readNodes(unread)) nodes.set(node, content);
  };

  /** Moves the largest groups of a node's details into nodes of their own. Answers those. */
  const split = async (node: string, content: NodeContent, maxTouched: number): Promise<string[]> => {
    const groups = groupsOf(node, content).slice(0, Math.max(0, maxTouched - touched.size));
    // One may exist: a node without any count is deleted, those below it that still have some are not.
    await read(groups.map(([below]) => below));
    const made: string[] = [];
    for (const [below, group] of groups) {
      if (content.details.size <= DETAILS_AFTER_SPLIT || touched.size >= maxTouched) break;
      contentAt(below);
      made.push(below);
      for (const { name, amount, level, field } of group) {
        content.details.delete(name);
        addTo(content.counts, field, amount);
        addFrom(level + 1, name, amount);
      }
    }
    return made;
  };

  return {
    /** Reads the nodes that have an item on the paths of these amounts, level by level. The head is given. */
    async load(head: NodeContent, names: ReadonlySet<string>): Promise<void> {
      nodes.set('', head);
      let paths = [...names].map((name) => countsOf(name).map(({ node }) => node));
      for (let level = 0; paths.length > 0; level++) {
        await read([...new Set(paths.map((path) => path[level] ?? ''))]);
        paths = paths.filter((path) => path.length > level + 1 && nodes.has(path[level] ?? ''));
      }
    },

    add: (name: string, amount: number): void => addFrom(0, name, amount),

    /** How many items are to be written when these amounts are added too. */
    sizeWith: (names: readonly string[]): number => {
      const written = new Set(touched).add('');
      for (const name of names)
        for (const [level, { node }] of countsOf(name).entries())
          if (level === 0 || nodes.has(node)) written.add(node);
      return written.size;
    },

    /** The changes since the last call, and the head. A node for whose parts there is no room waits for the next fold. */
    async takeChanges(maxItems: number): Promise<TreeChanges> {
      contentAt('');
      const crowded = [...touched];
      for (let node = crowded.pop(); node !== undefined; node = crowded.pop()) {
        const content = nodes.get(node);
        if (content && content.details.size > MAX_DETAILS)
          crowded.push(...(await split(node, content, maxItems)));
      }
      const fields = [...touched].map((node) => [node, fieldsOf(nodes.get(node) ?? contentOf({}))] as const);
      const isEmpty = ([node, of]: (typeof fields)[number]) => node !== '' && Object.keys(of).length === 0;
      const gone = fields.filter(isEmpty).map(([node]) => node);
      for (const node of gone) nodes.delete(node);
      touched.clear();
      return { written: new Map(fields.filter((each) => !isEmpty(each))), gone };
    },
  };
}

export type CountTree = ReturnType<typeof countTree>;

/** A sum that is nothing takes no room. */
function addTo(sums: Map<string, number>, name: string, amount: number): void {
  const sum = (sums.get(name) ?? 0) + amount;
  if (sum === 0) sums.delete(name);
  else sums.set(name, sum);
}
