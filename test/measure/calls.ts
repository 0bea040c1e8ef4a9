import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { s3 } from '../../shared/files/client.ts';
import { sqs } from '../../shared/queue/client.ts';
import { dynamo } from '../../shared/store/client.ts';

export type Calls = {
  readonly total: number;
  /** By the name of the command, for example `{ GetItem: 1, TransactWriteItems: 1 }`. */
  readonly byCommand: Readonly<Record<string, number>>;
  /** Items of write transactions, each at twice the price of a plain write. */
  readonly items: number;
  /** The same by the kind of the item, for example `{ JOB: 1, LEDGER: 2 }`. */
  readonly byKind: Readonly<Record<string, number>>;
  /** Keys of batched reads, each at the price of a read. */
  readonly keys: number;
};

type Input = {
  readonly TableName?: string;
  readonly RequestItems?: Readonly<Record<string, { readonly Keys?: readonly unknown[] }>>;
  readonly TransactItems?: readonly TransactWriteItem[];
};
type Args = { readonly input?: Input };
type Next = (args: Args) => Promise<unknown>;
type Stack = {
  add(
    middleware: (next: Next, context: { readonly commandName?: string }) => Next,
    options: { readonly step: 'initialize'; readonly name: string },
  ): void;
  remove(name: string): boolean;
};

/**
 * Counts the calls to DynamoDB, S3 and SQS, or to some of them, that this process begins while `work` runs. Retries of the
 * SDK do not count, and those to tables that are left out.
 * @example const { total } = await countCalls(() => createDocuments(caller, request, nowMs));
 */
export async function countCalls(
  work: () => Promise<unknown>,
  clients: readonly { readonly middlewareStack: unknown }[] = [dynamo(), s3(), sqs()],
  { without = [] }: { readonly without?: readonly string[] } = {},
): Promise<Calls> {
  const byCommand: Record<string, number> = {};
  const byKind: Record<string, number> = {};
  let keys = 0;
  const name = `count calls ${crypto.randomUUID()}`;
  const stacks = clients.map(({ middlewareStack }) => middlewareStack as Stack);
  for (const stack of stacks)
    stack.add(
      (next, { commandName = '' }) =>
        (args) => {
          if (tablesOf(args.input).some((table) => without.includes(table))) return next(args);
          const command = commandName.replace(/Command$/, '');
          byCommand[command] = (byCommand[command] ?? 0) + 1;
          keys += keysOf(args.input);
          for (const kind of (args.input?.TransactItems ?? []).map(kindOf))
            byKind[kind] = (byKind[kind] ?? 0) + 1;
          return next(args);
        },
      { step: 'initialize', name },
    );
  try {
    await work();
  } finally {
    for (const stack of stacks) stack.remove(name);
  }
  return { total: sumOf(byCommand), byCommand, items: sumOf(byKind), byKind, keys };
}

export const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

const tablesOf = ({ TableName = '', RequestItems = {} }: Input = {}): string[] => [
  TableName,
  ...Object.keys(RequestItems),
];

const keysOf = ({ RequestItems = {} }: Input = {}): number =>
  Object.values(RequestItems).reduce((sum, { Keys = [] }) => sum + Keys.length, 0);

/** The first part of the partition key. */
function kindOf({ Put, Update, Delete, ConditionCheck }: TransactWriteItem): string {
  const key = Put?.Item ?? (Update ?? Delete ?? ConditionCheck)?.Key;
  return key?.pk?.S?.split('#')[0] ?? '';
}
