import { createHash, randomBytes } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  UpdateItemCommand,
  type UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { dynamo } from '../client.ts';

/** One holder's slot in one shard. */
export type ShardSlot = { readonly table: string; readonly shard: string; readonly holder: string };

/** The holders of a shard, each with the end of its lease in epoch milliseconds. */
type Holders = Readonly<Record<string, number>>;

// A refusal that leaves a free slot means that another caller was faster. So many in a row mean a crowd: the shard
// counts as full for this caller.
const MAX_ATTEMPTS = 8;

// A shard of two slots, whose holder b was killed:
//
//   a  |--acquires---------------------------------------------- releases--|
//   b  |--acquires-- killed   lease of b ends |
//   c            |--refused: full             |
//   d                                         |  |--refused, sees that b expired; replaces b
//   e                                         |  |--the same a moment later: b is gone, refused: full
//
// Each step is one conditional write on one item, so the shard never has more holders than its limit.
const hasFreeSlot = 'size(holders) < :slots';
const isNewShard = 'attribute_not_exists(holders)';

type ShardRequest = {
  readonly limit: number;
  readonly nowMs: number;
  readonly leaseEndsAtMs: number;
  readonly holder?: { readonly name: string; readonly share: number } | undefined;
};

// Names may hold characters that an attribute's path may not, and the table need not know them.
const prefixOf = (name: string): string =>
  `${createHash('sha256').update(name).digest('base64url').slice(0, 8)}.`;

// The write that acquires a slot answers with all holders, so fair sharing costs no call: a caller over its share
// releases the slot again. The share is a part of all slots and not of the free ones, or it would depend on the order
// in which the calls of a process, which has divided them already, reach the store.
function isWithinShare(holders: Holders | undefined, prefix: string, limit: number, share: number): boolean {
  const own = Object.keys(holders ?? {}).filter((name) => name.startsWith(prefix)).length;
  return own <= Math.ceil((limit * share) / (share + 1));
}

/** A slot until `leaseEndsAtMs`, or undefined when the shard is full. */
export async function acquireInShard(
  { table, shard }: { table: string; shard: string },
  { limit, nowMs, leaseEndsAtMs, holder }: ShardRequest,
): Promise<ShardSlot | undefined> {
  const prefix = holder ? prefixOf(holder.name) : '';
  const slot = { table, shard, holder: `${prefix}${randomBytes(8).toString('base64url')}` };
  let expired: Holders = {};
  let attempt = () => replaceExpired(expired, slot, limit, leaseEndsAtMs);

  for (let n = 0; n < MAX_ATTEMPTS; n++) {
    const { holders, isAcquired } = await attempt().then(acquired, refused);
    if (isAcquired) {
      if (!holder || isWithinShare(holders, prefix, limit, holder.share)) return slot;
      await releaseInShard(slot);
      return undefined;
    }
    // The first write landed and its answer was lost: the client's second try found our own holder.
    if (holders?.[slot.holder]) return slot;
    if (!holders) {
      attempt = () => createShard(slot, leaseEndsAtMs);
      continue;
    }
    expired = Object.fromEntries(Object.entries(holders).filter(([, endsAtMs]) => endsAtMs <= nowMs));
    if (Object.keys(holders).length - Object.keys(expired).length >= limit) return undefined;
    attempt = () => replaceExpired(expired, slot, limit, leaseEndsAtMs);
  }
  return undefined;
}

/** Releases a slot. One that was lost at the end of its lease is left alone. */
export async function releaseInShard({ table, shard, holder }: ShardSlot): Promise<void> {
  await dynamo().send(
    new UpdateItemCommand({
      TableName: table,
      Key: keyOf(shard),
      UpdateExpression: 'REMOVE holders.#holder',
      ExpressionAttributeNames: { '#holder': holder },
    }),
  );
}

const keyOf = (shard: string) => ({ pk: { S: shard }, sk: { S: 'SHARD' } });

function replaceExpired(
  expired: Holders,
  { table, shard, holder }: ShardSlot,
  limit: number,
  leaseEndsAtMs: number,
) {
  const gone = Object.entries(expired);
  const stillThere = gone.map((_, i) => `holders.#gone${i} = :gone${i}`);
  const remove = gone.length > 0 ? ` REMOVE ${gone.map((_, i) => `holders.#gone${i}`).join(', ')}` : '';
  return dynamo().send(
    new UpdateItemCommand({
      TableName: table,
      Key: keyOf(shard),
      UpdateExpression: `SET holders.#holder = :endsAt${remove}`,
      ConditionExpression: [hasFreeSlot, ...stillThere].join(' AND '),
      ExpressionAttributeNames: {
        '#holder': holder,
        ...Object.fromEntries(gone.map(([id], i) => [`#gone${i}`, id])),
      },
      ExpressionAttributeValues: {
        ':endsAt': { N: String(leaseEndsAtMs) },
        ':slots': { N: String(limit + gone.length) },
        ...Object.fromEntries(gone.map(([, endsAtMs], i) => [`:gone${i}`, { N: String(endsAtMs) }])),
      },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
}

function createShard({ table, shard, holder }: ShardSlot, leaseEndsAtMs: number) {
  return dynamo().send(
    new UpdateItemCommand({
      TableName: table,
      Key: keyOf(shard),
      UpdateExpression: 'SET holders = :holders',
      ConditionExpression: isNewShard,
      ExpressionAttributeValues: { ':holders': { M: { [holder]: { N: String(leaseEndsAtMs) } } } },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
}

type AttemptResult = { readonly holders: Holders | undefined; readonly isAcquired: boolean };

const acquired = ({ Attributes }: UpdateItemCommandOutput): AttemptResult => ({
  holders: Attributes && unmarshall(Attributes).holders,
  isAcquired: true,
});

function refused(error: unknown): AttemptResult {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
  return { holders: error.Item && unmarshall(error.Item).holders, isAcquired: false };
}
