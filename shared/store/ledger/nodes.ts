import { unmarshall } from '@aws-sdk/util-dynamodb';
import { getBatch } from '../collection.ts';
import type { Attributes, Key } from '../item.ts';
import type { CountPlace, CountsOf } from '../write.ts';
import type { Shard, ShardKey } from './shard.ts';
import { contentOf, type NodeContent } from './tree.ts';

/** The counts of one node by field, those above 0. */
export type NodeCounts = ReadonlyMap<string, number>;

/** A fold wrote a node after the head was read: the two do not belong together. */
export class FoldedMeanwhile extends Error {
  override readonly name = 'FoldedMeanwhile';
}

/** The item of a node. The nodes of a shard have a key each, so that reading the records does not read them. */
export const nodeKey = ({ pk }: ShardKey, node: string): Key => ({ pk: `${pk}#NODE#${node}`, sk: 'NODE' });

type StoredNode = { readonly generation: number; readonly content: NodeContent };

/** The nodes that have an item, by its partition key. */
async function readItems(table: string, keys: readonly Key[]): Promise<Map<string, StoredNode>> {
  const read = (attributes: Attributes) => {
    const { pk, sk, generation, ...stored } = unmarshall(attributes);
    return [pk, { generation, content: contentOf(stored) }] as const;
  };
  return new Map((await getBatch(table, keys)).map(read));
}

/** Those of one shard, by name. */
export async function readNodes(key: ShardKey, nodes: readonly string[]): Promise<Map<string, NodeContent>> {
  const keys = nodes.map((node) => ({ node, ...nodeKey(key, node) }));
  const found = await readItems(key.table, keys);
  return new Map(
    keys.flatMap(({ node, pk }) => {
      const stored = found.get(pk);
      return stored ? [[node, stored.content]] : [];
    }),
  );
}

/** Reads nodes as they were when these shards were read. On the last attempt a node may be newer. */
export function nodeReader(
  shards: readonly Shard[],
  countsOf: CountsOf,
  { isLastAttempt }: { readonly isLastAttempt: boolean },
): (path: readonly string[]) => Promise<NodeCounts> {
  const sums = new Map<string, Map<string, number>>();
  const addTo = ({ node, field }: CountPlace, amount: number): void => {
    const fields = sums.get(node) ?? new Map<string, number>();
    sums.set(node, fields.set(field, (fields.get(field) ?? 0) + amount));
  };
  const known = shards.map((shard) => ({ shard, below: new Set<string>() }));
  const addContent = (node: string, { amounts, below }: NodeContent, to: (typeof known)[number]): void => {
    for (const [name, amount] of amounts) {
      const path = countsOf(name);
      const level = path.findIndex((place) => place.node === node);
      for (const place of path.slice(level)) addTo(place, amount);
    }
    for (const each of below) to.below.add(each);
  };
  for (const each of known) {
    addContent('', each.shard.head.content, each);
    for (const [name, amount] of each.shard.records.flatMap(({ amounts }) => Object.entries(amounts)))
      for (const place of countsOf(name)) addTo(place, amount);
  }

  /** Reads a node of the shards that have an item for it. That of the first node on a path may not exist. */
  const load = async (node: string, isFirst: boolean): Promise<void> => {
    const read = known.filter(({ below }) => isFirst || below.has(node));
    const [table = ''] = shards.map(({ key }) => key.table);
    const found = await readItems(
      table,
      read.map(({ shard }) => nodeKey(shard.key, node)),
    );
    const stored = read.map((each) => ({ each, item: found.get(nodeKey(each.shard.key, node).pk) }));
    for (const { each, item } of stored) {
      const isMissing = !item && !isFirst;
      if (!isLastAttempt && (isMissing || isOfAnotherFold(each.shard, node, item?.generation ?? 0)))
        throw new FoldedMeanwhile();
    }
    for (const { each, item } of stored) if (item) addContent(node, item.content, each);
  };

  const loading = new Map([['', Promise.resolve()]]);
  return async (path) => {
    // A node that is read may tell of further ones.
    for (let read = 0; ; ) {
      const wanted = path.filter((node, at) => at === 0 || known.some(({ below }) => below.has(node)));
      if (wanted.length === read) break;
      read = wanted.length;
      for (const node of wanted) if (!loading.has(node)) loading.set(node, load(node, node === path[0]));
      await Promise.all(wanted.map((node) => loading.get(node)));
    }
    return new Map([...(sums.get(path.at(-1) ?? '') ?? [])].filter(([, count]) => count > 0));
  };
}

// A fold writes the head and its nodes in one transaction, but plain reads may see one item of it before another:
//
//   fold      |--HEAD 8---node 8--|            |--HEAD 8---node 8--|
//   reader  |--HEAD 7---------------node 8            |--HEAD 8--node 7, though HEAD 8 names the node
//
// In both cases the shard is read again, as it is where a node is gone that one above it still tells of.
const isOfAnotherFold = ({ head }: Shard, node: string, generation: number): boolean =>
  generation > head.generation || (head.nodes.has(node) && generation < head.generation);
