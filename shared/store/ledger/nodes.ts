import { unmarshall } from '@aws-sdk/util-dynamodb';
import { getBatch } from '../collection.ts';
import type { Attributes, Key } from '../item.ts';
import type { CountsOf } from '../write.ts';
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
    const { pk, sk, generation, ...values } = unmarshall(attributes);
    return [pk, { generation, content: contentOf(values) }] as const;
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
  const addTo = (node: string, field: string, amount: number): void => {
    const fields = sums.get(node) ?? new Map<string, number>();
    sums.set(node, fields.set(field, (fields.get(field) ?? 0) + amount));
  };
  const addContent = (node: string, { counts, details }: NodeContent): void => {
    for (const [field, amount] of counts) addTo(node, field, amount);
    for (const [name, amount] of details) {
      const path = countsOf(name);
      const level = path.findIndex((place) => place.node === node);
      for (const place of path.slice(level)) addTo(place.node, place.field, amount);
    }
  };
  for (const { head, records } of shards) {
    addContent('', head.content);
    for (const [name, amount] of records.flatMap(({ amounts }) => Object.entries(amounts)))
      for (const { node, field } of countsOf(name)) addTo(node, field, amount);
  }

  const load = async (node: string): Promise<void> => {
    const [table = ''] = shards.map(({ key }) => key.table);
    const found = await readItems(
      table,
      shards.map(({ key }) => nodeKey(key, node)),
    );
    const stored = shards.map((shard) => {
      const { generation = 0, content } = found.get(nodeKey(shard.key, node).pk) ?? {};
      if (!isLastAttempt && isOfAnotherFold(shard, node, generation)) throw new FoldedMeanwhile();
      return content;
    });
    for (const content of stored) if (content) addContent(node, content);
  };

  const loaded = new Map([['', Promise.resolve()]]);
  return async (path) => {
    for (const node of path) if (!loaded.has(node)) loaded.set(node, load(node));
    await Promise.all(path.map((node) => loaded.get(node)));
    return new Map([...(sums.get(path.at(-1) ?? '') ?? [])].filter(([, count]) => count > 0));
  };
}

// A fold writes the head and its nodes in one transaction, but plain reads may see one item of it before another:
//
//   fold      |--HEAD 8---node 8--|            |--HEAD 8---node 8--|
//   reader  |--HEAD 7---------------node 8            |--HEAD 8--node 7, though HEAD 8 names the node
//
// In both cases the shard is read again. A node that is deleted after HEAD 7 was read is not told from one that never was:
// its entries are gone, and a reader takes it for empty.
const isOfAnotherFold = ({ head }: Shard, node: string, generation: number): boolean =>
  generation > head.generation ||
  (head.nodes.has(node) && generation < head.generation) ||
  (head.gone.has(node) && generation > 0 && generation < head.generation);
