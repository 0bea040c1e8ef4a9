import { createHash, randomBytes } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  UpdateItemCommand,
  type UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { dynamo } from '../client.ts';

/** One holder's place in one room. */
export type ShardSlot = { readonly table: string; readonly room: string; readonly holder: string };

/** Who is in the room, each with the end of its lease in epoch milliseconds. */
type Holders = Readonly<Record<string, number>>;

// Each refusal that leaves room means another caller moved meanwhile. So many in a row is a crowd:
// the next caller fares no worse for being told the room is full.
const TRIES = 8;

// A room of two, whose holder b was killed:
//
//   a  |--in---------------------------------------------------- out--|
//   b  |--in---- killed       lease of b ends |
//   c            |--refused: full             |
//   d                                         |  |--refused, sees b is over; in, in place of b
//   e                                         |  |--the same a moment later: b is gone, refused: full
//
// Each step is one conditional write on one item, so the room never holds more than its share.
const hasRoom = 'size(holders) < :places';
const isNew = 'attribute_not_exists(holders)';

type Stay = {
  readonly share: number;
  readonly nowMs: number;
  readonly endsAtMs: number;
  readonly holder?: { readonly name: string; readonly share: number } | undefined;
};

// Names may hold what an attribute's path may not, and are nobody's business in the table.
const prefixOf = (name: string): string =>
  `${createHash('sha256').update(name).digest('base64url').slice(0, 8)}.`;

// The write that takes a place answers who is inside with it, so that sharing fairly costs no call: whoever has taken
// more than its part gives the place back. The part is one of all places and not of those that are free, or it would
// depend on the order in which the calls of a process, which has divided them already, reach the store.
function leavesEnough(holders: Holders | undefined, prefix: string, places: number, share: number): boolean {
  const own = Object.keys(holders ?? {}).filter((name) => name.startsWith(prefix)).length;
  return own <= Math.ceil((places * share) / (share + 1));
}

/** Takes a place until `endsAtMs`, or nothing when the room is full. */
export async function takePlace(
  { table, room }: { table: string; room: string },
  { share, nowMs, endsAtMs, holder }: Stay,
): Promise<ShardSlot | undefined> {
  const prefix = holder ? prefixOf(holder.name) : '';
  const place = { table, room, holder: `${prefix}${randomBytes(8).toString('base64url')}` };
  let over: Holders = {};
  let enter = () => enterInPlaceOf(over, place, share, endsAtMs);

  for (let tries = 0; tries < TRIES; tries++) {
    const { holders, isInside } = await enter().then(entered, refusalOf);
    if (isInside) {
      if (!holder || leavesEnough(holders, prefix, share, holder.share)) return place;
      await givePlaceBack(place);
      return undefined;
    }
    // The first write landed and its answer was lost: the second found us inside.
    if (holders?.[place.holder]) return place;
    if (!holders) {
      enter = () => enterNewRoom(place, endsAtMs);
      continue;
    }
    over = Object.fromEntries(Object.entries(holders).filter(([, leaseEndsAtMs]) => leaseEndsAtMs <= nowMs));
    if (Object.keys(holders).length - Object.keys(over).length >= share) return undefined;
    enter = () => enterInPlaceOf(over, place, share, endsAtMs);
  }
  return undefined;
}

/** Gives the place back. One that was lost to the end of its lease is left alone. */
export async function givePlaceBack({ table, room, holder }: ShardSlot): Promise<void> {
  await dynamo().send(
    new UpdateItemCommand({
      TableName: table,
      Key: keyOf(room),
      UpdateExpression: 'REMOVE holders.#holder',
      ExpressionAttributeNames: { '#holder': holder },
    }),
  );
}

const keyOf = (room: string) => ({ pk: { S: room }, sk: { S: 'ROOM' } });

function enterInPlaceOf(over: Holders, { table, room, holder }: ShardSlot, share: number, endsAtMs: number) {
  const gone = Object.entries(over);
  const stillThere = gone.map((_, i) => `holders.#gone${i} = :gone${i}`);
  const remove = gone.length > 0 ? ` REMOVE ${gone.map((_, i) => `holders.#gone${i}`).join(', ')}` : '';
  return dynamo().send(
    new UpdateItemCommand({
      TableName: table,
      Key: keyOf(room),
      UpdateExpression: `SET holders.#holder = :endsAt${remove}`,
      ConditionExpression: [hasRoom, ...stillThere].join(' AND '),
      ExpressionAttributeNames: {
        '#holder': holder,
        ...Object.fromEntries(gone.map(([id], i) => [`#gone${i}`, id])),
      },
      ExpressionAttributeValues: {
        ':endsAt': { N: String(endsAtMs) },
        ':places': { N: String(share + gone.length) },
        ...Object.fromEntries(
          gone.map(([, leaseEndsAtMs], i) => [`:gone${i}`, { N: String(leaseEndsAtMs) }]),
        ),
      },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
}

function enterNewRoom({ table, room, holder }: ShardSlot, endsAtMs: number) {
  return dynamo().send(
    new UpdateItemCommand({
      TableName: table,
      Key: keyOf(room),
      UpdateExpression: 'SET holders = :holders',
      ConditionExpression: isNew,
      ExpressionAttributeValues: { ':holders': { M: { [holder]: { N: String(endsAtMs) } } } },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
}

type Tried = { readonly holders: Holders | undefined; readonly isInside: boolean };

const entered = ({ Attributes }: UpdateItemCommandOutput): Tried => ({
  holders: Attributes && unmarshall(Attributes).holders,
  isInside: true,
});

function refusalOf(error: unknown): Tried {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
  return { holders: error.Item && unmarshall(error.Item).holders, isInside: false };
}
