import { setTimeout as pause } from 'node:timers/promises';
import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamo } from './client.ts';
import { type Attributes, type Key, keyAttributes } from './item.ts';

// DynamoDB takes no more in one request.
const KEYS_PER_REQUEST = 100;

// With jittered doubling, about two seconds and a half: a burst of throttling is shorter.
const TRIES = 8;
const FIRST_BACKOFF_MS = 20;

/** Reads many items at once, in no order. A key given twice is read once; one that is not there is left out. */
export async function getBatch(table: string, keys: readonly Key[]): Promise<Attributes[]> {
  const distinct = [...new Map(keys.map((key) => [JSON.stringify([key.pk, key.sk]), key])).values()];
  const found: Attributes[] = [];
  for (let from = 0; from < distinct.length; from += KEYS_PER_REQUEST) {
    found.push(...(await getChunk(table, distinct.slice(from, from + KEYS_PER_REQUEST))));
  }
  return found;
}

// A throttled table answers with a part and names the rest as unprocessed.
async function getChunk(table: string, keys: readonly Key[]): Promise<Attributes[]> {
  const found: Attributes[] = [];
  let remaining = keys.map(keyAttributes);
  for (let tries = 1; ; ) {
    const request = { RequestItems: { [table]: { Keys: remaining, ConsistentRead: true } } };
    const { Responses, UnprocessedKeys } = await dynamo().send(new BatchGetItemCommand(request));
    const some = Responses?.[table] ?? [];
    found.push(...some);
    remaining = UnprocessedKeys?.[table]?.Keys ?? [];
    if (remaining.length === 0) return found;
    // Large items come a few at a time. Only an answer without any says that the table is too busy.
    if (some.length > 0) continue;
    tries++;
    if (tries >= TRIES) {
      throw new Error(
        `${table} is throttled: ${remaining.length} of ${keys.length} items were not read. Try again.`,
      );
    }
    await pause(Math.random() * FIRST_BACKOFF_MS * 2 ** tries);
  }
}
