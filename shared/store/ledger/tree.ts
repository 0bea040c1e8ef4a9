import type { CountPlace, CountsOf } from '../write.ts';

/**
 * One node as its item has it: amounts by name, which count in this node and in those below it on their path, and the
 * nodes below that have an item of their own. Of those it has the sums, under names that end above them.
 */
export type NodeContent = {
  readonly amounts: Map<string, number>;
  readonly below: Set<string>;
};

/** The attribute of an item with its content. One text is read far faster than a thousand attributes. */
export type StoredContent = { readonly content?: string };

export function contentOf({ content = '{}' }: StoredContent): NodeContent {
  const { amounts = {}, below = [] } = JSON.parse(content);
  return { amounts: new Map(Object.entries<number>(amounts)), below: new Set(below) };
}

export const storedContent = ({ amounts, below }: NodeContent): StoredContent => ({
  content: JSON.stringify({ amounts: Object.fromEntries(amounts), below: [...below] }),
});

// An item of 100 amounts is some 4 KB. A group of 25 is worth an item; smaller ones get theirs where there is no such.
const MAX_AMOUNTS = 100;
const AMOUNTS_AFTER_SPLIT = 50;
const MIN_GROUP = 25;

/** Reads the nodes that have an item, by name. */
type ReadNodes = (nodes: readonly string[]) => Promise<ReadonlyMap<string, NodeContent>>;

/** The items that a fold has to write or delete. */
export type TreeChanges = {
  readonly written: ReadonlyMap<string, StoredContent>;
  readonly gone: readonly string[];
};

type Path = readonly CountPlace[];

/** Where the path of an amount goes on after a node: the next place in a node with an item of its own, if any. */
export const nextOf = (path: Path, node: string, { below }: NodeContent): number | undefined => {
  const level = path.findIndex((place) => place.node === node);
  const next = path.findIndex((place, at) => at > level && below.has(place.node));
  return next < 0 ? undefined : next;
};

/**
 * The nodes of one shard, as a fold changes them. A node gets an item of its own once one above it has many amounts, and
 * loses it when nothing is left to count. Nodes between the two may have none:
 *
 *   ''                    { '2026-11-14T02:05:33.123': 1, '2026-11-14T02:09:41.007': 1 }             a few
 *
 *   ''                    { '2026-11-14T02:05:33': 100, '2026-11-14T02:09:41.007': 1 }               many
 *   '2026-11-14T02:05:33' { '2026-11-14T02:05:33.123': 1, ... }
 *
 * So the items of a list follow its entries: one for few of them, wherever they are, and a short path to the millisecond
 * where thousands share a second. An amount is in one item in full, and in sums in those above it.
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

  /** The nodes with an item that an amount is added to, as far as they are known. The last may not have been read. */
  const itemsOn = (path: Path): string[] => {
    const found: string[] = [];
    for (let at: number | undefined = 0; at !== undefined; ) {
      const node: string = path[at]?.node ?? '';
      found.push(node);
      const content = nodes.get(node);
      at = content && nextOf(path, node, content);
    }
    return found;
  };

  const add = (name: string, amount: number): void => {
    const path = countsOf(name);
    const items = itemsOn(path);
    for (const [at, node] of items.entries()) {
      const below = items[at + 1];
      const end = path.findIndex((place) => place.node === below) - 1;
      addTo(contentAt(node).amounts, below === undefined ? name : (path[end]?.name ?? name), amount);
    }
  };

  /** Moves the amounts of one node below into an item of its own. Answers that node; undefined where none has several. */
  const split = (node: string, content: NodeContent): string | undefined => {
    const chosen = chooseGroup([...content.amounts.keys()].map(countsOf), node);
    if (!chosen) return undefined;
    const child = contentAt(chosen);
    for (const [name, amount] of [...content.amounts]) {
      const path = countsOf(name);
      const level = path.findIndex((place) => place.node === chosen);
      if (level < 0) continue;
      content.amounts.delete(name);
      addTo(content.amounts, path[level - 1]?.name ?? name, amount);
      addTo(child.amounts, name, amount);
    }
    for (const below of [...content.below].filter((each) => each.startsWith(chosen))) {
      content.below.delete(below);
      child.below.add(below);
    }
    content.below.add(chosen);
    return chosen;
  };

  /** Splits what is crowded, as far as a transaction has room. The next fold goes on. */
  const splitCrowded = (maxItems: number): void => {
    const crowded = [...touched];
    for (let node = crowded.pop(); node !== undefined; node = crowded.pop()) {
      const content = contentAt(node);
      const isCrowded = content.amounts.size > MAX_AMOUNTS;
      while (isCrowded && content.amounts.size > AMOUNTS_AFTER_SPLIT && touched.size < maxItems) {
        const made = split(node, content);
        if (made === undefined) break;
        crowded.push(made);
      }
    }
  };

  /** Takes out the nodes that count nothing, the lowest first. The first node of a path stays. */
  const removeEmpty = (): string[] => {
    const lowestFirst = [...touched].sort((a, b) => b.length - a.length);
    return lowestFirst.filter((node) => {
      const { amounts, below } = contentAt(node);
      if (amounts.size > 0 || below.size > 0) return false;
      // It has the sums of this node, so it is written too.
      const parent = [...nodes.values()].find((content) => content.below.has(node));
      if (!parent) return false;
      parent.below.delete(node);
      nodes.delete(node);
      touched.delete(node);
      return true;
    });
  };

  return {
    /** Reads the nodes that have an item on the paths of these amounts, level by level. The head is given. */
    async load(head: NodeContent, names: ReadonlySet<string>): Promise<void> {
      nodes.set('', head);
      const paths = [...names].map(countsOf);
      for (;;) {
        const unread = new Set(
          paths.map((path) => itemsOn(path).at(-1) ?? '').filter((node) => !nodes.has(node)),
        );
        if (unread.size === 0) return;
        const found = await readNodes([...unread]);
        for (const node of unread) nodes.set(node, found.get(node) ?? contentOf({}));
      }
    },

    add,

    /** How many items are to be written when these amounts are added too. */
    sizeWith: (names: readonly string[]): number =>
      new Set([...touched, '', ...names.flatMap((name) => itemsOn(countsOf(name)))]).size,

    /** The changes since the last call, and the head. */
    takeChanges(maxItems: number): TreeChanges {
      contentAt('');
      splitCrowded(maxItems);
      const gone = removeEmpty();
      const written = new Map([...touched].map((node) => [node, storedContent(contentAt(node))]));
      touched.clear();
      return { written, gone };
    },
  };
}

export type CountTree = ReturnType<typeof countTree>;

/** The node below this one that gets the next item: the lowest with a large group of amounts, or else the largest group. */
function chooseGroup(paths: readonly Path[], node: string): string | undefined {
  const groups = new Map<string, { level: number; count: number; sums: Set<string> }>();
  for (const path of paths) {
    const from = path.findIndex((place) => place.node === node) + 1;
    for (let level = from; level < path.length; level++) {
      const below = path[level]?.node ?? '';
      const group = groups.get(below) ?? { level, count: 0, sums: new Set() };
      group.sums.add(path[level - 1]?.name ?? '');
      groups.set(below, { ...group, count: group.count + 1 });
    }
  }
  // One that leaves as many sums behind as it takes amounts away would make nothing smaller.
  const smaller = [...groups].filter(([, { count, sums }]) => count > sums.size);
  const large = smaller.filter(([, { count }]) => count >= MIN_GROUP);
  const [best] =
    large.length > 0
      ? large.sort(([, a], [, b]) => b.level - a.level || b.count - a.count)
      : smaller.sort(([, a], [, b]) => b.count - a.count || b.level - a.level);
  return best?.[0];
}

/** A sum that is nothing takes no room. */
function addTo(sums: Map<string, number>, name: string, amount: number): void {
  const sum = (sums.get(name) ?? 0) + amount;
  if (sum === 0) sums.delete(name);
  else sums.set(name, sum);
}
