import type { TableStore } from '../../../../../shared/embedded/tables/store.ts';
import { type Command, INDEXES, type Key, type Range, type Write } from './commands.ts';
import { renderCondition } from './conditions.ts';
import type { Outcome, Page } from './model.ts';
import { renderUpdate } from './updates.ts';
import { itemFromWire, itemToWire, newScope, type Plain, type PlainItem, type Scope } from './values.ts';

const TableName = 'things';

/** The embedded tables, or those of another engine. */
export type Tables = Pick<TableStore, 'run'>;

export const tableOf = (rangeType: 'N' | 'S') => ({
  TableName,
  AttributeDefinitions: [
    ...['pk', 'g', 's'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    { AttributeName: 'sk', AttributeType: rangeType },
    { AttributeName: 'r', AttributeType: 'N' },
  ],
  KeySchema: schemaOf('pk', 'sk'),
  GlobalSecondaryIndexes: Object.entries(INDEXES).map(([IndexName, { hash, range, isWhole }]) => ({
    IndexName,
    KeySchema: schemaOf(hash, range),
    Projection: { ProjectionType: isWhole ? 'ALL' : 'KEYS_ONLY' },
  })),
});

const schemaOf = (hash: string, range?: string) => [
  { AttributeName: hash, KeyType: 'HASH' },
  ...(range ? [{ AttributeName: range, KeyType: 'RANGE' }] : []),
];

type Wire = Parameters<typeof itemFromWire>[0];
type Told = { readonly code: string; readonly item?: unknown };

/** Runs a command on the store, as the model tells its outcome. */
export async function runOn(store: Tables, command: Command): Promise<Outcome> {
  try {
    return { answer: await answerOf(store, command) };
  } catch (error) {
    const { name, more } = error as Error & {
      more?: { Item?: Wire; CancellationReasons?: { Code: string; Item?: Wire }[] };
    };
    if (!more) throw error;
    return {
      error: name,
      ...(more.Item && { item: itemFromWire(more.Item) }),
      ...(more.CancellationReasons && {
        reasons: more.CancellationReasons.map(
          ({ Code, Item }): Told => ({ code: Code, ...(Item && { item: itemFromWire(Item) }) }),
        ) as never,
      }),
    };
  }
}

async function answerOf(store: Tables, command: Command): Promise<unknown> {
  const scope = newScope();
  switch (command.do) {
    case 'write': {
      const { kind } = command.write;
      const { Attributes } = (await store.run(`${kind}Item`, {
        ...requestOf(command.write),
        ReturnValues: command.returns,
      })) as {
        Attributes?: Wire;
      };
      return Attributes ? { item: itemFromWire(Attributes) } : {};
    }
    case 'get': {
      const ProjectionExpression = command.paths.map(scope.path).join(', ') || undefined;
      const { Item } = (await store.run('GetItem', {
        TableName,
        Key: keyOf(command.key),
        ProjectionExpression,
        ...scope.bound(),
      })) as {
        Item?: Wire;
      };
      return Item ? { item: itemFromWire(Item) } : {};
    }
    case 'transact':
      return store.run('TransactWriteItems', {
        TransactItems: command.writes.map((write) => ({ [write.kind]: requestOf(write) })),
      });
    case 'transactGet': {
      const TransactItems = command.keys.map((key) => ({ Get: { TableName, Key: keyOf(key) } }));
      const { Responses } = (await store.run('TransactGetItems', { TransactItems })) as {
        Responses: { Item?: Wire }[];
      };
      return Responses.map(({ Item }) => (Item ? itemFromWire(Item) : null));
    }
    case 'batchGet': {
      const RequestItems = { [TableName]: { Keys: command.keys.map(keyOf) } };
      const { Responses } = (await store.run('BatchGetItem', { RequestItems })) as {
        Responses: Record<string, Wire[]>;
      };
      const found = (Responses[TableName] ?? []).map(itemFromWire);
      // They come in any order.
      const isOf = (key: Key) => (item: PlainItem) => item.pk === key.pk && item.sk === key.sk;
      return command.keys.flatMap((key) => found.find(isOf(key)) ?? []);
    }
    case 'batchWrite': {
      const requests = command.writes.map((write) =>
        write.kind === 'Put'
          ? { PutRequest: { Item: itemToWire({ ...write.key, ...write.attributes }) } }
          : { DeleteRequest: { Key: keyOf(write.key) } },
      );
      const { UnprocessedItems = {} } = (await store.run('BatchWriteItem', {
        RequestItems: { [TableName]: requests },
      })) as { UnprocessedItems?: Record<string, unknown[]> };
      return { unprocessed: UnprocessedItems[TableName]?.length ?? 0 };
    }
    case 'query':
    case 'scan':
      return pagesOf(store, command);
  }
}

const keyOf = (key: Key) => itemToWire(key);

function requestOf(write: Write): Record<string, unknown> {
  const scope = newScope();
  return {
    TableName,
    ...(write.kind === 'Put'
      ? { Item: itemToWire({ ...write.key, ...write.attributes }) }
      : { Key: keyOf(write.key) }),
    ...(write.kind === 'Update' && { UpdateExpression: renderUpdate(write.update, scope) }),
    ...(write.condition && { ConditionExpression: renderCondition(write.condition, scope) }),
    ...(write.tellsOld && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
    ...scope.bound(),
  };
}

const MAX_PAGES = 200;

async function pagesOf(store: Tables, command: Command & { do: 'query' | 'scan' }): Promise<Page[]> {
  const scope = newScope();
  const request = {
    TableName,
    IndexName: command.index,
    Limit: command.limit,
    ...(command.do === 'query' && {
      KeyConditionExpression: renderKeyCondition(command, scope),
      ScanIndexForward: command.isForward,
    }),
    ...(command.filter && { FilterExpression: renderCondition(command.filter, scope) }),
    ...(command.isCount && { Select: 'COUNT' }),
    ...scope.bound(),
  };
  const pages: Page[] = [];
  let ExclusiveStartKey: Wire | undefined;
  do {
    const page = (await store.run(command.do === 'query' ? 'Query' : 'Scan', {
      ...request,
      ExclusiveStartKey,
    })) as {
      Items?: Wire[];
      Count: number;
      ScannedCount: number;
      LastEvaluatedKey?: Wire;
    };
    pages.push({
      ...(page.Items && { items: page.Items.map(itemFromWire) }),
      count: page.Count,
      scanned: page.ScannedCount,
    });
    ExclusiveStartKey = page.LastEvaluatedKey;
    if (pages.length > MAX_PAGES) throw new Error('The pages do not end.');
  } while (ExclusiveStartKey);
  return pages;
}

function renderKeyCondition(
  { index, hash, range }: Command & { do: 'query' },
  { path, value }: Scope,
): string {
  const schema = index ? INDEXES[index as keyof typeof INDEXES] : { hash: 'pk', range: 'sk' };
  const first = `${path([schema.hash])} = ${value(hash)}`;
  return range && schema.range ? `${first} AND ${renderRange(range, path([schema.range]), value)}` : first;
}

function renderRange(range: Range, named: string, value: (of: Plain) => string): string {
  if (range.by === 'begins') return `begins_with(${named}, ${value(range.prefix)})`;
  if (range.by === 'between') return `${named} BETWEEN ${value(range.low)} AND ${value(range.high)}`;
  return `${named} ${range.by} ${value(range.value)}`;
}
