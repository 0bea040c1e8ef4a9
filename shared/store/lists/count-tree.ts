import { randomInt } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { type ServiceName, tableName } from '../../settings/names.ts';
import { dynamo } from '../client.ts';
import type { Write } from '../write.ts';

// Counts of entries by their time, as a tree. A node is the beginning of an ISO time. It holds one number for each
// child, under the part that the child's name adds:
//
//   ''              { '2026-10': 80211, '2026-11': 1204 }
//   '2026-11'       { '-13': 900, '-14': 304 }
//   '2026-11-14'    { 'T01': 4, 'T02': 300 }
//   '2026-11-14T02' { ':04': 1, ':05': 299 }
//
// Adding one entry adds 1 along one path, to four small items. Finding the nth newest reads one path: the cost does not
// depend on the number of entries. An item holds at most 60 numbers, except the root, which grows by 12 a year.
//
// Each level has the length of the node's name and that of its children's names.
const LEVELS = [
  [0, 7],
  [7, 10],
  [10, 13],
  [13, 16],
] as const;

/** The counts of a node's children, newest child first. */
type Counts = readonly (readonly [child: string, count: number])[];

/** A position in the order from newest to oldest: skip so many entries before this time. */
export type Position = { readonly before: string; readonly skip: number };

/** The length of 2026-11-14T02:05. */
export const MINUTE_LENGTH = 16;

/** ';' comes right after ':', so every time within the minute is before it and no time equals it. */
export const endOfMinute = (minute: string): string => `${minute};`;

/** The keys of the tree begin with `prefix`. Each node is spread over shards, because all writers meet at the root. */
export function countTree({
  service,
  prefix,
  shards,
}: {
  service: ServiceName;
  prefix: string;
  shards: number;
}) {
  const keyOf = (node: string): string => `${prefix}#COUNTS#${node}`;

  /** Adds to the counts on the path to this time. */
  const adding = (iso: string, amount: number): Write[] => {
    // One shard for the whole path: two changes on different shards meet nowhere.
    const sk = `SHARD#${randomInt(shards)}`;
    return LEVELS.map(([start, end]) => ({
      table: tableName(service),
      key: { pk: keyOf(iso.slice(0, start)), sk },
      amounts: { [iso.slice(start, end)]: amount },
    }));
  };

  const readNode = async (node: string): Promise<Counts> => {
    const { Items = [] } = await dynamo().send(
      new QueryCommand({
        TableName: tableName(service),
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: keyOf(node) } },
      }),
    );
    const sums = new Map<string, number>();
    for (const { pk, sk, ...counts } of Items) {
      for (const [child, count] of Object.entries(counts))
        sums.set(child, (sums.get(child) ?? 0) + Number(count.N));
    }
    return [...sums].sort(([a], [b]) => (a < b ? 1 : -1));
  };

  /** The tree for one request: a node that several questions need is read once. */
  const reading = () => {
    const nodes = new Map<string, Promise<Counts>>();
    const counts = (node: string): Promise<Counts> => {
      const known = nodes.get(node) ?? readNode(node);
      nodes.set(node, known);
      return known;
    };
    return {
      total: async (): Promise<number> => sum(await counts('')),

      /** The position of the entry with `offset` newer ones before it, or undefined when there are not so many. */
      async locate(offset: number): Promise<Position | undefined> {
        let node = '';
        let skip = offset;
        for (const _level of LEVELS) {
          const found = pick(await counts(node), skip);
          // The level above still had counts here, so entries were removed during the read: the next entry is older
          // than this node.
          if (!found) return node === '' ? undefined : { before: node, skip: 0 };
          node += found.child;
          skip = found.skip;
        }
        return { before: endOfMinute(node), skip };
      },

      /** How many entries are newer than the minute of this time. */
      async newerThanMinute(iso: string): Promise<number> {
        let newer = 0;
        for (const [start, end] of LEVELS) {
          const children = await counts(iso.slice(0, start));
          newer += sum(children.filter(([child]) => child > iso.slice(start, end)));
        }
        return newer;
      },
    };
  };

  return { adding, reading };
}

// The child that holds the entry with `skip` newer ones before it, and how many of those are in that child.
function pick(children: Counts, skip: number): { child: string; skip: number } | undefined {
  let newer = 0;
  for (const [child, count] of children) {
    if (skip < newer + count) return { child, skip: skip - newer };
    newer += count;
  }
  return undefined;
}

const sum = (counts: Counts): number => counts.reduce((total, [, count]) => total + count, 0);
