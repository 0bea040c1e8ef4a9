import { dynamo } from '../../shared/store/client.ts';

const NAME = 'let another writer in first';

/** Lets another writer commit right before the next change of an item is sent: the race that is lost for sure. */
export function letInFirst(other: () => Promise<unknown>): void {
  dynamo().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const { ConditionExpression } = args.input as { ConditionExpression?: string };
        if (commandName === 'UpdateItemCommand' && ConditionExpression) {
          dynamo().middlewareStack.remove(NAME);
          await other();
        }
        return next(args);
      },
    { step: 'initialize', name: NAME },
  );
}
