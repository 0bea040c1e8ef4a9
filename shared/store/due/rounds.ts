import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { type ServiceName, tableName } from '../../settings/names.ts';
import { dynamo } from '../client.ts';
import type { Attributes } from '../item.ts';

type RoundOptions = {
  readonly service: ServiceName;
  /** Keys of the due index. */
  readonly partitions: readonly string[];
  /** Rows of one partition in one round. */
  readonly pageSize: number;
  readonly now: () => number;
};

/**
 * The rows of some partitions of the due index whose time has come, in rounds: the next page of every partition at once,
 * longest due first. It reads the next round when the caller takes it. The index may be a moment behind the table, so a
 * row may be done or claimed already.
 * @example for await (const rows of dueRounds({ service, partitions, pageSize: 100, now })) await work(rows);
 */
export async function* dueRounds(options: RoundOptions): AsyncGenerator<Attributes[]> {
  let open: { readonly partition: string; readonly after?: Attributes | undefined }[] =
    options.partitions.map((partition) => ({ partition }));
  while (open.length > 0) {
    const pages = await Promise.all(
      open.map(async ({ partition, after }) => ({
        partition,
        ...(await queryDue(options, partition, after)),
      })),
    );
    const rows = pages.flatMap(({ Items = [] }) => Items);
    if (rows.length > 0) yield rows.toSorted((a, b) => dueAtOf(a) - dueAtOf(b));
    open = pages.flatMap(({ partition, LastEvaluatedKey: after }) => (after ? [{ partition, after }] : []));
  }
}

const dueAtOf = ({ dueAt }: Attributes): number => Number(dueAt?.N);

const queryDue = (
  { service, pageSize, now }: RoundOptions,
  partition: string,
  ExclusiveStartKey: Attributes | undefined,
) =>
  dynamo().send(
    new QueryCommand({
      TableName: tableName(service),
      IndexName: 'due',
      KeyConditionExpression: 'duePk = :partition AND dueAt <= :now',
      ExpressionAttributeValues: { ':partition': { S: partition }, ':now': { N: String(now()) } },
      Limit: pageSize,
      ExclusiveStartKey,
    }),
  );
