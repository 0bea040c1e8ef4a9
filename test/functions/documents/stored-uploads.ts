import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { tableName } from '../../../shared/settings/names.ts';
import { dynamo } from '../../../shared/store/client.ts';

/** The state of every upload in the table. */
export async function storedUploads(): Promise<(string | undefined)[]> {
  const { Items = [] } = await dynamo().send(new ScanCommand({ TableName: tableName('documents') }));
  return Items.filter(({ sk }) => sk?.S === 'UPLOAD').map(({ state }) => state?.S);
}
