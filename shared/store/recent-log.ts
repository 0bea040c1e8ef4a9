import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type ServiceName, tableName } from '../settings/names.ts';
import { dynamo } from './client.ts';
import { keyAttributes } from './item.ts';

type Entry = { readonly id: string; readonly atMs: number };
type Log = {
  readonly entries?: readonly Entry[];
  readonly counted?: ReadonlySet<string>;
  readonly withdrawn?: ReadonlySet<string>;
};

/** What stood before an entry inside the window: those that count, and those of which it is not known yet. */
export type Before = { readonly counted: number; readonly open: number };

export type Noted = {
  /** As it is now: what was open may be settled meanwhile. */
  before(): Promise<Before>;
  /** Ends the entry: it counts, or it did not happen after all. One that nobody settles counts. */
  settle(as: 'counted' | 'withdrawn'): Promise<void>;
};

// Kept well below what an item holds. What is older than the window is dropped when there are more.
const MOST_ENTRIES = 200;
// Past the window, for clocks that differ.
const KEPT_SECONDS = 3_600;

/**
 * What happened lately, by subject, in one order for all writers: for a limit over a rolling window that no crowd
 * gets past. An entry is one atomic write, and its place in the list says what came before it.
 *
 *   50 writers  |--append, append, append ...--|  five find fewer than five before them; the others wait for those
 *
 * @example const attempt = await recentLog({ service: 'session', name: 'pin' }).note(cpfHash, windowMs, now());
 *          if ((await attempt.before()).counted >= 5) throw refuse('TOO_MANY_PIN_ATTEMPTS');
 */
export function recentLog({ service, name }: { readonly service: ServiceName; readonly name: string }) {
  const update = async (subject: string, change: Partial<UpdateItemCommandInput>): Promise<Log> => {
    const { Attributes } = await dynamo().send(
      new UpdateItemCommand({
        TableName: tableName(service),
        Key: keyAttributes({ pk: `RECENT#${name}#${subject}`, sk: 'LOG' }),
        ReturnValues: 'ALL_NEW',
        ...change,
      }),
    );
    return Attributes ? unmarshall(Attributes) : {};
  };

  return {
    async note(subject: string, windowMs: number, nowMs: number): Promise<Noted> {
      const id = randomUUID();
      let log = await update(subject, appending({ id, atMs: nowMs }, windowMs));
      let isFresh = true;
      if ((log.entries?.length ?? 0) > MOST_ENTRIES)
        await update(subject, trimming(log, nowMs - windowMs)).catch(orChanged);
      return {
        async before() {
          if (!isFresh) log = await update(subject, {});
          isFresh = false;
          const { entries = [], counted = new Set(), withdrawn = new Set() } = log;
          const place = entries.findIndex((entry) => entry.id === id);
          // Dropped from a list that ran over, it has more before it than anybody's limit.
          const standing = (place < 0 ? entries : entries.slice(0, place)).filter(
            (entry) => entry.atMs > nowMs - windowMs && !withdrawn.has(entry.id),
          );
          const settled = standing.filter((entry) => counted.has(entry.id)).length;
          return { counted: settled, open: standing.length - settled };
        },
        async settle(as) {
          await update(subject, {
            UpdateExpression: 'ADD #set :id',
            ExpressionAttributeNames: { '#set': as },
            ExpressionAttributeValues: { ':id': { SS: [id] } },
          });
        },
      };
    },
  };
}

const asAttribute = ({ id, atMs }: Entry) => ({ M: { id: { S: id }, atMs: { N: String(atMs) } } });

const appending = (entry: Entry, windowMs: number): Partial<UpdateItemCommandInput> => ({
  UpdateExpression: 'SET entries = list_append(if_not_exists(entries, :none), :entry), #ttl = :ttl',
  ExpressionAttributeNames: { '#ttl': 'ttl' },
  ExpressionAttributeValues: {
    ':none': { L: [] },
    ':entry': { L: [asAttribute(entry)] },
    ':ttl': { N: String(Math.ceil((entry.atMs + windowMs) / 1000) + KEPT_SECONDS) },
  },
});

// Only while nobody has added to the list since it was read. Whoever settles an entry meanwhile is not undone: from the
// sets go the names of those that are dropped, and no others.
function trimming({ entries = [], withdrawn }: Log, sinceMs: number): Partial<UpdateItemCommandInput> {
  const kept = entries
    .filter((entry) => entry.atMs > sinceMs && !withdrawn?.has(entry.id))
    .slice(-MOST_ENTRIES / 2);
  const dropped = entries.filter((entry) => !kept.includes(entry)).map(({ id }) => id);
  return {
    UpdateExpression: 'SET entries = :kept DELETE counted :dropped, withdrawn :dropped',
    ConditionExpression: 'size(entries) = :read',
    ExpressionAttributeValues: {
      ':kept': { L: kept.map(asAttribute) },
      ':dropped': { SS: dropped },
      ':read': { N: String(entries.length) },
    },
  };
}

// Whoever added to it drops what is old the next time.
const orChanged = (error: unknown): Log => {
  if (error instanceof ConditionalCheckFailedException) return {};
  throw error;
};
