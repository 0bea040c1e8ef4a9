import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { tableName } from '../../../../shared/settings/names.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { clientOf } from './a-client.ts';

async function storedText(): Promise<string> {
  const pages: string[] = [];
  let from: ScanCommand['input']['ExclusiveStartKey'];
  do {
    const scan = new ScanCommand({ TableName: tableName('sandbox'), ExclusiveStartKey: from });
    const { Items, LastEvaluatedKey } = await dynamo().send(scan);
    pages.push(JSON.stringify(Items));
    from = LastEvaluatedKey;
  } while (from);
  return pages.join('');
}

test('a provider keeps of codes and tokens no more than a hash', async () => {
  const alpha = clientOf('alpha');
  const code = await alpha.code();
  const { access_token: token } = (await alpha.exchange({ code })).json() as { access_token: string };
  const text = await storedText();
  expect(text).toContain('PROVIDER-TOKEN#');
  expect(text).toContain('PROVIDER-CODE#');
  expect(text).not.toContain(token);
  expect(text).not.toContain(code);
});
