import { unmarshall } from '@aws-sdk/util-dynamodb';
import { getBatch } from '../collection.ts';
import type { Attributes, Key } from '../item.ts';
import type { CountsOf, Shard, ShardKey } from './shard.ts';

/** The counts of one node, 0 or more, by field. */
export type NodeCounts = ReadonlyMap<string, number>;

/** A fold wrote a node after the head was read: the two do not belong together. */
export class FoldedMeanwhile extends Error {
  override readonly name = 'FoldedMeanwhile';
}

/** The item of a node. The nodes of a shard have a key each, so that reading the records does not read them. */
export const nodeKey = ({ pk }: ShardKey, node: string): Key => ({ pk: `${pk}#NODE#${node}`, sk: 'NODE' });

/** Reads nodes as they were when these shards were read. On the last attempt a node may be newer. */
export function nodeReader(
  shards: readonly Shard[],
  countsOf: CountsOf,
  { isLastAttempt }: { readonly isLastAttempt: boolean },
): (node: string) => Promise<NodeCounts> {
  const unfolded = new Map<string, Map<string, number>>();
  for (const { amounts } of shards.flatMap(({ records }) => records)) {
    for (const [name, amount] of Object.entries(amounts)) {
      for (const { node, field } of countsOf(name)) {
        const counts = unfolded.get(node) ?? new Map();
        unfolded.set(node, counts.set(field, (counts.get(field) ?? 0) + amount));
      }
    }
  }

  const foldedCounts = async (node: string): Promise<readonly Readonly<Record<string, number>>[]> => {
    if (node === '') return shards.map(({ head }) => head.counts);
    const [table = ''] = shards.map(({ key }) => key.table);
    const found = await getBatch(
      table,
      shards.map(({ key }) => nodeKey(key, node)),
    );
    const byPk = new Map(found.map((attributes) => [attributes.pk?.S, attributes]));
    return shards.map((shard) => {
      const { generation, counts } = readNode(byPk.get(nodeKey(shard.key, node).pk));
      if (!isLastAttempt && isOfAnotherFold(shard, node, generation)) throw new FoldedMeanwhile();
      return counts;
    });
  };

  const read = async (node: string): Promise<NodeCounts> => {
    const sums = new Map(unfolded.get(node));
    for (const [field, count] of (await foldedCounts(node)).flatMap(Object.entries<number>))
      sums.set(field, (sums.get(field) ?? 0) + count);
    return new Map([...sums].map(([field, count]) => [field, Math.max(0, count)]));
  };

  const known = new Map<string, Promise<NodeCounts>>();
  return (node) => {
    const counts = known.get(node) ?? read(node);
    known.set(node, counts);
    return counts;
  };
}

function readNode(attributes: Attributes | undefined) {
  const { pk, sk, generation = 0, ...counts } = attributes ? unmarshall(attributes) : {};
  return { generation: Number(generation), counts };
}

// A fold writes the head and its nodes in one transaction, but plain reads may see one item of it before another:
//
//   fold      |--HEAD 8---node 8--|            |--HEAD 8---node 8--|
//   reader  |--HEAD 7---------------node 8            |--HEAD 8--node 7, though HEAD 8 names the node
//
// In both cases the shard is read again.
const isOfAnotherFold = ({ head }: Shard, node: string, generation: number): boolean =>
  generation > head.generation || (head.nodes.has(node) && generation < head.generation);
