import { dynamo } from '../../../shared/store/client.ts';

const NAME = 'let another in before a commit';

/**
 * Lets another writer commit right before the next transaction that rests on or writes an item under this key:
 * the race that is lost for sure.
 */
export function letInBefore(pk: string, other: () => Promise<unknown>): void {
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
