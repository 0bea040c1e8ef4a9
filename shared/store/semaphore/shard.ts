import { createHash, randomBytes } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  UpdateItemCommand,
  type UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { dynamo } from '../client.ts';

export type Shard = { readonly table: string; readonly shard: string };

/** One holder's slot in one shard. */
export type ShardSlot = Shard & { readonly holder: string };

/** A slot, and how many slots of its shard were held when it was acquired. */
export type AcquiredSlot = ShardSlot & { readonly heldSlots: number };

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
  { table, shard }: Shard,
  { limit, nowMs, leaseEndsAtMs, holder }: ShardRequest,
): Promise<AcquiredSlot | undefined> {
  const prefix = holder ? prefixOf(holder.name) : '';
  const slot = { table, shard, holder: `${prefix}${randomBytes(8).toString('base64url')}` };
  let expired: Holders = {};
  let attempt = () => replaceExpired(expired, slot, limit, leaseEndsAtMs);

  for (let n = 0; n < MAX_ATTEMPTS; n++) {
    const { holders, isAcquired } = await attempt().then(acquired, refused);
    const heldSlots = Object.keys(holders ?? {}).length;
    if (isAcquired) {
      if (!holder || isWithinShare(holders, prefix, limit, holder.share)) return { ...slot, heldSlots };
      await releaseInShard(slot);
      return undefined;
    }
    // The first write landed and its answer was lost: the client's second try found our own holder.
    if (holders?.[slot.holder]) return { ...slot, heldSlots };
    if (!holders) {
      attempt = () => createShard(slot, leaseEndsAtMs);
      continue;
    }
    expired = Object.fromEntries(Object.entries(holders).filter(([, endsAtMs]) => endsAtMs <= nowMs));
    if (heldSlots - Object.keys(expired).length >= limit) return undefined;
    attempt = () => replaceExpired(expired, slot, limit, leaseEndsAtMs);
  }
  return undefined;
}

/** Releases a slot. One that was lost at the end of its lease is left alone. */
export async function releaseInShard(slot: ShardSlot): Promise<void> {
  await updateShard(slot, { released: [slot.holder], renewed: [], leaseEndsAtMs: 0 });
}

export type ShardUpdate = {
  readonly released: readonly string[];
  readonly renewed: readonly string[];
  /** Of the renewed ones. */
  readonly leaseEndsAtMs: number;
};

/**
 * Releases slots of a shard and renews others, in one write. Returns the holders that were not renewed because they
 * lost their slots.
 */
export async function updateShard(
  { table, shard }: Shard,
  { released, renewed, leaseEndsAtMs }: ShardUpdate,
): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  for (;;) {
    const left = renewed.filter((holder) => !lost.has(holder));
    const { holders, isAcquired } = await updateHolders({ table, shard }, released, left, leaseEndsAtMs).then(
      acquired,
      refused,
    );
    if (isAcquired) return lost;
    const gone = left.filter((holder) => !holders?.[holder]);
    for (const holder of gone.length > 0 ? gone : left) lost.add(holder);
  }
}

// A slot that was lost may have a successor. To renew it would be to take one slot more than there are.
const isStillHeld = (name: string): string => `attribute_exists(holders.${name})`;

async function updateHolders(
  { table, shard }: Shard,
  released: readonly string[],
  renewed: readonly string[],
  leaseEndsAtMs: number,
): Promise<UpdateItemCommandOutput> {
  const gone = released.map((holder, i) => [`#gone${i}`, holder] as const);
  const kept = renewed.map((holder, i) => [`#kept${i}`, holder] as const);
  if (gone.length + kept.length === 0) return { $metadata: {} };
  const clauses = [
    ...(kept.length > 0 ? [`SET ${kept.map(([name]) => `holders.${name} = :endsAt`).join(', ')}`] : []),
    ...(gone.length > 0 ? [`REMOVE ${gone.map(([name]) => `holders.${name}`).join(', ')}`] : []),
  ];
  return dynamo().send(
    new UpdateItemCommand({
      TableName: table,
      Key: keyOf(shard),
      UpdateExpression: clauses.join(' '),
      ExpressionAttributeNames: Object.fromEntries([...gone, ...kept]),
      ...(kept.length > 0 && {
        ConditionExpression: kept.map(([name]) => isStillHeld(name)).join(' AND '),
        ExpressionAttributeValues: { ':endsAt': { N: String(leaseEndsAtMs) } },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
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
