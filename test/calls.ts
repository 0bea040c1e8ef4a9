import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { s3 } from '../shared/files/client.ts';
import { sqs } from '../shared/queue/client.ts';
import { dynamo } from '../shared/store/client.ts';

export type Calls = {
  readonly total: number;
  /** How often each command was sent, by its name without `Command`. */
  readonly byCommand: Readonly<Record<string, number>>;
};

type Stack = Pick<DynamoDBClient['middlewareStack'], 'add' | 'remove'>;

/**
 * The AWS calls that the product's clients make during some work. A call that the SDK repeats counts once.
 * @example const { total } = await countCalls(() => call(handler, request));
 */
export async function countCalls(work: () => Promise<unknown>): Promise<Calls> {
  const byCommand: Record<string, number> = {};
  const counting = (stack: Stack) => {
    stack.add(
      (next, { commandName = '' }) =>
        (args) => {
          const name = commandName.replace(/Command$/, '');
          byCommand[name] = (byCommand[name] ?? 0) + 1;
          return next(args);
        },
      { step: 'initialize', name: 'countCalls' },
    );
    return () => stack.remove('countCalls');
  };
  const stop = [dynamo(), sqs(), s3()].map(({ middlewareStack }) => counting(middlewareStack as Stack));
  try {
    await work();
  } finally {
    for (const each of stop) each();
  }
  return { total: Object.values(byCommand).reduce((sum, count) => sum + count, 0), byCommand };
}
