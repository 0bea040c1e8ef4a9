import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { dynamo } from '../client.ts';
import type { Attributes } from '../item.ts';
import { type LedgerWrite, RECORD_PREFIX } from '../write.ts';
import { contentOf, type NodeContent } from './tree.ts';

/** One shard of a ledger: its head and its records have this key. */
export type ShardKey = Pick<LedgerWrite, 'table' | 'pk'>;

/** The item with the counts of the top node. It is before every record in the order of keys. */
export type Head = {
  /** Grows with every fold. */
  readonly generation: number;
  /** The records of the newest fold. They may still exist; they no longer count. */
  readonly folded: ReadonlySet<string>;
  /** The other nodes that the newest fold wrote. */
  readonly nodes: ReadonlySet<string>;
  readonly content: NodeContent;
};

export type LedgerRecord = { readonly sk: string; readonly amounts: LedgerWrite['amounts'] };

export type Shard = {
  readonly key: ShardKey;
  readonly head: Head;
  readonly records: readonly LedgerRecord[];
};

export const HEAD = 'HEAD';

const headOf = (attributes: Attributes | undefined): Head => {
  const { pk, sk, generation = 0, folded, nodes, ...stored } = attributes ? unmarshall(attributes) : {};
  return {
    generation: Number(generation),
    folded: new Set(folded),
    nodes: new Set(nodes),
    content: contentOf(stored),
  };
};

const isRecord = ({ sk }: Attributes): boolean => sk?.S?.startsWith(RECORD_PREFIX) ?? false;

/** The head and the records among rows of a shard, those of the newest fold apart. */
export function parseShard(key: ShardKey, rows: readonly Attributes[]) {
  const head = headOf(rows.find((row) => !isRecord(row)));
  const records = rows.filter(isRecord).map((row) => unmarshall(row) as LedgerRecord);
  return {
    key,
    head,
    records: records.filter(({ sk }) => !head.folded.has(sk)),
    folded: records.filter(({ sk }) => head.folded.has(sk)).map(({ sk }) => sk),
  };
}

export const shardQuery = ({ table, pk }: ShardKey, options: Partial<QueryCommandInput>) =>
  new QueryCommand({
    TableName: table,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: pk } },
    ...options,
  });

const MAX_READINGS = 5;

// A query is no snapshot. A shard is read backwards, the head last:
//
//   reader  |--a, b---------------------------------- HEAD 8 names a: a is left out, b counts--|
//   fold         |--generation 8: a folded--deletes a--|
//
// A record that was deleted before it was read is in the head that is read after it. Only two whole folds within one
// reading could hide that a record was folded. One page is read in less time than a fold takes. More pages are read
// again, until at most one fold came between the end of the reading before and the end of this one.

/** The head of a shard with the records that it does not count, in one query. */
export async function readShard(key: ShardKey): Promise<Shard> {
  let before: number | undefined;
  for (let reading = 1; ; reading++) {
    const { rows, pages } = await readBackwards(key);
    const shard = parseShard(key, rows);
    const { generation } = shard.head;
    if (pages === 1 || reading === MAX_READINGS || (before !== undefined && generation <= before + 1))
      return shard;
    before = generation;
  }
}

async function readBackwards(key: ShardKey): Promise<{ rows: Attributes[]; pages: number }> {
  const rows: Attributes[] = [];
  let pages = 0;
  let start: Attributes | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamo().send(
      shardQuery(key, { ScanIndexForward: false, ExclusiveStartKey: start }),
    );
    rows.push(...Items);
    pages += 1;
    start = LastEvaluatedKey;
  } while (start);
  return { rows, pages };
}
