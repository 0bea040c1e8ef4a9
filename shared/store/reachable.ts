import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { type ServiceName, tableName } from '../settings/names.ts';
import { dynamo } from './client.ts';

/**
 * Whether the service's table answers, and if not, why.
 * @example const { ok, detail } = await isReachable('batch');
 */
export async function checkReachable(service: ServiceName): Promise<{ ok: boolean; detail: string }> {
  const key = { pk: { S: 'READINESS' }, sk: { S: 'PROBE' } };
  try {
    await dynamo().send(new GetItemCommand({ TableName: tableName(service), Key: key }));
    return { ok: true, detail: 'The operational store answers.' };
  } catch (error) {
    return { ok: false, detail: `The operational store does not answer: ${(error as Error).name}.` };
  }
}
