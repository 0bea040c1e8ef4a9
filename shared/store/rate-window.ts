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
const WINDOWS_KEPT = 10_000;

/**
 * Counts one call in the client's current fixed window and says whether it is still allowed.
 * @example const { allowed, retryAfterSeconds } = await hit({ service: 'session', policy: 'sign', client: keyId, limit: 60, windowSeconds: 60 });
 */
export async function hit(hit: Hit): Promise<Allowance> {
  const window = windowOf(hit);
  if (full.get(window.name) === window.startsAt) return refusedUntil(window);
  if ((await addHits(hit, window, 1)) <= hit.limit) return ALLOWED;
  return markFull(window);
}

/** What this process may still let through in a window without asking the store. */
type Block = { readonly startsAt: number; left: number };
const blocks = new Map<string, Block>();
// A process asks the store so often for a caller that uses up its whole limit.
const BLOCKS_PER_LIMIT = 20;

// Two processes and a limit of 100, in blocks of 5:
//
//   process 1  |--5 for nothing--|--asks for 5: 5 of 100--|--asks for 5: 15 of 100-- ...
//   process 2  |--5 for nothing--|------asks for 5: 10 of 100--| ...
//
// A quiet caller costs no call of the store, a busy one 1 in 5. Over all instances the limit holds but for a block of each.

/**
 * The same, counted in the process and, by whoever calls more than a few times, over all instances in blocks.
 * @example const { allowed } = await hitInBlocks({ service: 'hub', policy: 'application', client: name, limit: 30_000, windowSeconds: 60 });
 */
export async function hitInBlocks(hit: Hit): Promise<Allowance> {
  const window = windowOf(hit);
  if (full.get(window.name) === window.startsAt) return refusedUntil(window);
  const size = Math.ceil(hit.limit / BLOCKS_PER_LIMIT);
  const block = blockOf(window, size);
  if (block.left <= 0) {
    if ((await addHits(hit, window, size)) > hit.limit) return markFull(window);
    block.left += size;
  }
  block.left -= 1;
  return ALLOWED;
}

function blockOf({ name, startsAt }: Window, size: number): Block {
  const known = blocks.get(name);
  if (known?.startsAt === startsAt) return known;
  if (blocks.size >= WINDOWS_KEPT) blocks.clear();
  const block = { startsAt, left: size };
  blocks.set(name, block);
  return block;
}

const ALLOWED: Allowance = { allowed: true, retryAfterSeconds: 0 };

type Window = { readonly name: string; readonly startsAt: number; readonly leftSeconds: number };

function windowOf({ service, policy, client, limit, windowSeconds, now = Date.now }: Hit): Window {
  const nowSeconds = now() / 1000;
  const startsAt = Math.floor(nowSeconds / windowSeconds) * windowSeconds;
  return {
    name: JSON.stringify([service, policy, client, limit, windowSeconds]),
    startsAt,
    leftSeconds: startsAt + windowSeconds - nowSeconds,
  };
}

const refusedUntil = ({ leftSeconds }: Window): Allowance => ({
  allowed: false,
  retryAfterSeconds: Math.max(1, Math.ceil(leftSeconds)),
});

function markFull(window: Window): Allowance {
  if (full.size >= WINDOWS_KEPT) full.clear();
  full.set(window.name, window.startsAt);
  return refusedUntil(window);
}

async function addHits(
  { service, policy, client, windowSeconds }: Hit,
  { startsAt }: Window,
  hits: number,
): Promise<number> {
  const { Attributes } = await dynamo().send(
    new UpdateItemCommand({
      TableName: tableName(service),
      Key: { pk: { S: `RATE#${policy}#${client}` }, sk: { S: `${windowSeconds}#${startsAt}` } },
      UpdateExpression: 'ADD hits :hits SET #ttl = :ttl',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':hits': { N: String(hits) },
        ':ttl': { N: String(startsAt + 2 * windowSeconds) },
      },
      ReturnValues: 'UPDATED_NEW',
    }),
  );
  return Number(Attributes?.hits?.N);
}
