import { s3 } from '../shared/files/client.ts';
import { sqs } from '../shared/queue/client.ts';
import { dynamo } from '../shared/store/client.ts';

export type Calls = {
  readonly total: number;
  /** By the name of the command, for example `{ GetItem: 1, TransactWriteItems: 1 }`. */
  readonly byCommand: Readonly<Record<string, number>>;
};

type Next = (args: never) => Promise<unknown>;
type Stack = {
  add(
    middleware: (next: Next, context: { readonly commandName?: string }) => Next,
    options: { readonly step: 'initialize'; readonly name: string },
  ): void;
  remove(name: string): boolean;
};

/**
 * Counts the calls to DynamoDB, S3 and SQS, or to some of them, that this process begins while `work` runs. Retries of the SDK do not count.
 * @example const { total } = await countCalls(() => createDocuments(caller, request, nowMs));
 */
export async function countCalls(
  work: () => Promise<unknown>,
  clients: readonly { readonly middlewareStack: unknown }[] = [dynamo(), s3(), sqs()],
): Promise<Calls> {
  const byCommand: Record<string, number> = {};
  const name = `count calls ${crypto.randomUUID()}`;
  const stacks = clients.map(({ middlewareStack }) => middlewareStack as Stack);
  for (const stack of stacks)
    stack.add(
      (next, { commandName = '' }) =>
        (args) => {
          const command = commandName.replace(/Command$/, '');
          byCommand[command] = (byCommand[command] ?? 0) + 1;
          return next(args);
        },
      { step: 'initialize', name },
    );
  try {
    await work();
  } finally {
    for (const stack of stacks) stack.remove(name);
  }
  return { total: Object.values(byCommand).reduce((sum, count) => sum + count, 0), byCommand };
}
