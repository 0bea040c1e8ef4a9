import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { type ServiceName, tableName } from '../settings/names.ts';
import { dynamo } from './client.ts';

export type Hit = {
  readonly service: ServiceName;
  /** The rule's name: windows of different policies never share a count. */
  readonly policy: string;
  readonly client: string;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly now?: () => number;
};

export type Allowance = { readonly allowed: boolean; readonly retryAfterSeconds: number };

// Windows this process has already seen full. A flood from a refused client then costs no writes,
// and cannot throttle the one item its count lives in.
const full = new Map<string, number>();
const FULL_WINDOWS_KEPT = 10_000;

/**
 * Counts one call in the client's current fixed window and says whether it is still allowed.
 * @example const { allowed, retryAfterSeconds } = await hit({ service: 'session', policy: 'sign', client: keyId, limit: 60, windowSeconds: 60 });
 */
export async function hit({
  service,
  policy,
  client,
  limit,
  windowSeconds,
  now = Date.now,
}: Hit): Promise<Allowance> {
  const nowSeconds = now() / 1000;
  const startsAt = Math.floor(nowSeconds / windowSeconds) * windowSeconds;
  const endsAt = startsAt + windowSeconds;
  const refused = { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(endsAt - nowSeconds)) };

  const window = JSON.stringify([service, policy, client, limit, windowSeconds]);
  if (full.get(window) === startsAt) return refused;

  const { Attributes } = await dynamo().send(
    new UpdateItemCommand({
      TableName: tableName(service),
      Key: { pk: { S: `RATE#${policy}#${client}` }, sk: { S: `${windowSeconds}#${startsAt}` } },
      UpdateExpression: 'ADD hits :one SET #ttl = :ttl',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':one': { N: '1' }, ':ttl': { N: String(endsAt + windowSeconds) } },
      ReturnValues: 'UPDATED_NEW',
    }),
  );
  if (Number(Attributes?.hits?.N) <= limit) return { allowed: true, retryAfterSeconds: 0 };

  if (full.size >= FULL_WINDOWS_KEPT) full.clear();
  full.set(window, startsAt);
  return refused;
}
