import { dynamo } from '../../shared/store/client.ts';

const NAME = 'let another writer in first';

type Changes = {
  readonly ConditionExpression?: string;
  readonly TransactItems?: readonly { readonly Update?: { readonly ConditionExpression?: string } }[];
};

// A change goes alone, or in a transaction with what it records.
const isChange = (commandName: string | undefined, input: object): boolean => {
  const { ConditionExpression, TransactItems = [] } = input as Changes;
  if (commandName === 'UpdateItemCommand') return ConditionExpression !== undefined;
  return TransactItems.some(({ Update }) => Update?.ConditionExpression);
};

/**
 * Lets another writer commit right before the next change of an item, or the next transaction, is sent: the race that is
 * lost for sure.
 */
export function letInFirst(
  other: () => Promise<unknown>,
  command: 'UpdateItemCommand' | 'TransactWriteItemsCommand' = 'UpdateItemCommand',
): void {
  dynamo().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (isChange(commandName, args.input)) {
          dynamo().middlewareStack.remove(NAME);
          await other();
        }
        return next(args);
      },
    { step: 'initialize', name: NAME },
  );
}
