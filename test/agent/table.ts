import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { type ServiceName, tableName } from '../../shared/settings/names.ts';
import { dynamo } from '../../shared/store/client.ts';

/** Everything that a service keeps, as text. Bytes are there in base64 and as the text that they may be. */
export async function wholeTable(service: ServiceName = 'session'): Promise<string> {
  const texts: string[] = [];
  let start: Parameters<typeof scan>[1];
  do {
    const { Items = [], LastEvaluatedKey } = await scan(service, start);
    texts.push(JSON.stringify(Items, (_, value) => (value instanceof Uint8Array ? shown(value) : value)));
    start = LastEvaluatedKey;
  } while (start);
  return texts.join('\n');
}

const shown = (bytes: Uint8Array): string =>
  `${Buffer.from(bytes).toString('base64')} ${Buffer.from(bytes).toString('latin1')}`;

const scan = (service: ServiceName, ExclusiveStartKey: ScanCommand['input']['ExclusiveStartKey']) =>
  dynamo().send(new ScanCommand({ TableName: tableName(service), ConsistentRead: true, ExclusiveStartKey }));
