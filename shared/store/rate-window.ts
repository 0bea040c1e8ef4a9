import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { processWide } from '../async/process-wide.ts';
import { type ServiceName, tableName } from '../settings/names.ts';
import { dynamo } from './client.ts';

export type Hit = {
  readonly service: ServiceName;
  /** The name of the rule: windows of different policies never share a count. */
  readonly policy: string;
  readonly client: string;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly now?: () => number;
};

export type Allowance = { readonly allowed: boolean; readonly retryAfterSeconds: number };

// Windows that this process has seen full. A flood from a refused client then costs no writes and cannot throttle the
// item that holds its count.
const fullWindows = processWide('full-windows', () => new Map<string, number>());
// The calls that this process itself has counted: over the limit, no answer of the store is waited for.
const ownHits = processWide('window-hits', () => new Map<string, { startsAt: number; hits: number }>());
const MAX_WINDOWS = 10_000;

/**
 * Counts one call in the client's current fixed window. The result says whether the call is allowed.
 * @example const { allowed, retryAfterSeconds } = await hit({ service: 'session', policy: 'sign', client: keyId, limit: 60, windowSeconds: 60 });
 */
export async function hit(hit: Hit): Promise<Allowance> {
  const window = windowOf(hit);
  if (fullWindows.get(window.name) === window.startsAt) return refusedUntil(window);
  if (countOwn(window) > hit.limit) return markFull(window);
  if ((await addHits(hit, window, 1)) <= hit.limit) return ALLOWED;
  return markFull(window);
}

/**
 * Whether a call would be allowed, as far as this process knows. It counts nothing, and asks the store for nothing.
 * @example if (!peek(refusedKeys).allowed) throw new Problem('rateLimited');
 */
export function peek(hit: Hit): Allowance {
  const window = windowOf(hit);
  const own = ownHits.get(window.name);
  const isUsedUp = own?.startsAt === window.startsAt && own.hits >= hit.limit;
  return isUsedUp || fullWindows.get(window.name) === window.startsAt ? refusedUntil(window) : ALLOWED;
}

function countOwn({ name, startsAt }: Window): number {
  const known = ownHits.get(name);
  const hits = known?.startsAt === startsAt ? known.hits + 1 : 1;
  if (ownHits.size >= MAX_WINDOWS) ownHits.clear();
  ownHits.set(name, { startsAt, hits });
  return hits;
}

/** Calls that this process may still allow in a window without a request to the store. */
type Block = {
  readonly startsAt: number;
  left: number;
  /** The store gives no more. */
  isLast: boolean;
  refill?: Promise<void> | undefined;
};
const blocks = new Map<string, Block>();
// Requests to the store for a caller that uses up its whole limit.
const BLOCKS_PER_LIMIT = 20;

// Two processes and a limit of 100, in blocks of 5:
//
//   process 1  |--5 uncounted--|--takes 5: 5 of 100--|--takes 5: 15 of 100-- ...
//   process 2  |--5 uncounted--|------takes 5: 10 of 100--| ...
//
// A quiet caller costs no request to the store, a busy one 1 in 5. It is sent when half of a block is used up, so calls
// wait for it only where they come faster than the store answers; and however many wait, they take one block together.
// Over all instances the limit holds, plus one block for each instance.

/**
 * Counts one call in the process and, for a client that calls more than a few times, over all instances in blocks.
 * @example const { allowed } = await hitInBlocks({ service: 'hub', policy: 'application', client: name, limit: 30_000, windowSeconds: 60 });
 */
export async function hitInBlocks(hit: Hit): Promise<Allowance> {
  const window = windowOf(hit);
  if (fullWindows.get(window.name) === window.startsAt) return refusedUntil(window);
  const size = Math.ceil(hit.limit / BLOCKS_PER_LIMIT);
  const block = blockOf(window, size);
  if (block.left <= size / 2) startRefill(hit, window, block, size);
  while (block.left <= 0) {
    if (block.isLast) return markFull(window);
    await startRefill(hit, window, block, size);
  }
  block.left -= 1;
  return ALLOWED;
}

function startRefill(hit: Hit, window: Window, block: Block, size: number): Promise<void> | undefined {
  if (block.isLast || block.refill) return block.refill;
  block.refill = addHits(hit, window, size)
    .then((hits) => {
      if (hits > hit.limit) block.isLast = true;
      else block.left += size;
    })
    .finally(() => {
      block.refill = undefined;
    });
  // Only those who wait for it learn that it failed; the next call tries again.
  block.refill.catch(() => undefined);
  return block.refill;
}

function blockOf({ name, startsAt }: Window, size: number): Block {
  const known = blocks.get(name);
  if (known?.startsAt === startsAt) return known;
  if (blocks.size >= MAX_WINDOWS) blocks.clear();
  const block: Block = { startsAt, left: size, isLast: false };
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
  if (fullWindows.size >= MAX_WINDOWS) fullWindows.clear();
  fullWindows.set(window.name, window.startsAt);
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
