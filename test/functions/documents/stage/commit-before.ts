import type { TransactWriteItemsCommandInput } from '@aws-sdk/client-dynamodb';
import { dynamo } from '../../../../shared/store/client.ts';

const NAME = 'commit another write before the next one';
const KEYS = 'keys of transactions';

/** Lets another writer commit right before the next transaction that has an item whose key begins so. */
export function commitBefore(pk: string, other: () => Promise<unknown>): void {
  dynamo().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'TransactWriteItemsCommand' && JSON.stringify(args.input).includes(`"${pk}`)) {
          dynamo().middlewareStack.remove(NAME);
          await other();
        }
        return next(args);
      },
    { step: 'initialize', name: NAME },
  );
}

/** The partition keys of all items that transactions write or check while `work` runs. */
export async function keysWritten(work: () => Promise<unknown>): Promise<string[]> {
  const keys: string[] = [];
  dynamo().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'TransactWriteItemsCommand') {
          const { TransactItems = [] } = args.input as TransactWriteItemsCommandInput;
          for (const { Put, Update, Delete, ConditionCheck } of TransactItems)
            keys.push((Put?.Item ?? (Update ?? Delete ?? ConditionCheck)?.Key)?.pk?.S ?? '');
        }
        return next(args);
      },
    { step: 'initialize', name: KEYS },
  );
  try {
    await work();
  } finally {
    dynamo().middlewareStack.remove(KEYS);
  }
  return keys;
}
