import * as dynamodb from '@aws-sdk/client-dynamodb';
import { StoreError } from '../../../shared/embedded/errors.ts';
import type { Tables } from '../../shared/embedded/tables/model/store.ts';
import { ACCESS } from '../engines/start.ts';

type Input = ConstructorParameters<typeof dynamodb.GetItemCommand>[0];
type Commands = Record<string, new (input: Input) => dynamodb.GetItemCommand>;

/** The tables of an engine, called as the embedded ones are. */
export function tablesAt(endpoint: string): Tables {
  const client = new dynamodb.DynamoDBClient({ ...ACCESS, endpoint, maxAttempts: 1 });
  const commands = dynamodb as unknown as Commands;
  return {
    run: async (operation, request) => {
      const Command = commands[`${operation}Command`];
      if (!Command) throw new Error(`The SDK has no ${operation}.`);
      try {
        const { $metadata: _, ...answer } = await client.send(new Command(request as unknown as Input));
        return answer;
      } catch (error) {
        throw asStoreError(error);
      }
    },
  };
}

function asStoreError(error: unknown): unknown {
  if (!(error instanceof dynamodb.DynamoDBServiceException)) return error;
  const { Item, CancellationReasons } = error as { Item?: object; CancellationReasons?: object[] };
  return new StoreError(error.name, error.message, {
    ...(Item && { Item }),
    ...(CancellationReasons && { CancellationReasons }),
  });
}
