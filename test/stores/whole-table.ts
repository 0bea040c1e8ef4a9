import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import { type ServiceName, tableName } from '../../shared/settings/names.ts';
import { dynamo } from '../../shared/store/client.ts';

type Item = Record<string, AttributeValue>;

/** Every item that a service keeps. A scan answers in pages of 1 MB, and tests share a table. */
export async function everyItem(service: ServiceName): Promise<Item[]> {
  const items: Item[] = [];
  let start: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamo().send(
      new ScanCommand({ TableName: tableName(service), ConsistentRead: true, ExclusiveStartKey: start }),
    );
    items.push(...Items);
    start = LastEvaluatedKey;
  } while (start);
  return items;
}

/** The same as text. Bytes are there in base64 and as the text that they may be. */
export const wholeTable = async (service: ServiceName = 'session'): Promise<string> =>
  JSON.stringify(await everyItem(service), (_, value) =>
    value instanceof Uint8Array ? shown(value) : value,
  );

const shown = (bytes: Uint8Array): string =>
  `${Buffer.from(bytes).toString('base64')} ${Buffer.from(bytes).toString('latin1')}`;
