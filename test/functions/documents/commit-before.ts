import { dynamo } from '../../../shared/store/client.ts';

const NAME = 'commit another write before the next one';

/**
 * Lets another writer commit right before the next transaction that reads or writes an item under this key. That
 * transaction loses the race for sure.
 */
export function commitBefore(pk: string, other: () => Promise<unknown>): void {
  dynamo().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'TransactWriteItemsCommand' && JSON.stringify(args.input).includes(`"${pk}"`)) {
          dynamo().middlewareStack.remove(NAME);
          await other();
        }
        return next(args);
      },
    { step: 'initialize', name: NAME },
  );
}
