import { randomUUID } from 'node:crypto';
import { UpdateItemCommand, type UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type ServiceName, tableName } from '../settings/names.ts';
import { dynamo } from './client.ts';
import { keyAttributes } from './item.ts';
import { retryWhileLocked } from './retry-on-conflict.ts';
import type { ItemWrite } from './write.ts';

/** The entries that count inside the window, and those before this entry that are still open. */
export type EntriesBefore = { readonly counted: number; readonly open: number };

export type RecentLogEntry = {
  /** The current counts. Each call renews the entry's lease: an entry without a call for a lease is dropped. */
  before(nowMs: number): Promise<EntriesBefore>;
  /** Ends the entry: it counts, or it is withdrawn. */
  settle(as: 'counted' | 'withdrawn', nowMs: number): Promise<void>;
  /** The withdrawal as a value, for the commit of what the entry led to. */
  withdrawing(): ItemWrite;
};

export type RecentLogOptions = {
  readonly service: ServiceName;
  readonly name: string;
  /** How long an entry counts. */
  readonly windowMs: () => number;
  /** An open entry whose process was killed blocks others for at most this long. */
  readonly leaseMs: number;
};

// For a limit of so many or fewer, the newest counted entries decide when it is lifted. Older ones may go: an item holds
// a few thousand, and every refused caller adds one.
const MAX_COUNTED = 100;
const MAX_COUNTED_BEFORE_TRIM = 2 * MAX_COUNTED;
// Names in one expression. Later calls drop the others.
const MAX_DROPPED = 150;
// After the window, for clocks that differ.
const KEPT_SECONDS = 3_600;

/**
 * A log of recent entries by subject, in one order for all writers: for a limit over a rolling window that a crowd
 * cannot exceed. Each entry has attributes of its own in one item, so that no write undoes another:
 *
 *   note      place:a = the item's count, which grows; seen:a = now     50 writers: five find fewer than five
 *   before    seen:a = now
 *   settle    removes place:a and seen:a; if the entry counts, counted:a = now
 *
 * @example const attempt = await recentLog({ service: 'session', name: 'pin', windowMs, leaseMs }).note(cpfHash, nowMs);
 *          if ((await attempt.before(nowMs)).counted >= 5) throw refuse('TOO_MANY_PIN_ATTEMPTS');
 */
export function recentLog({ service, name, windowMs, leaseMs }: RecentLogOptions) {
  const target = (subject: string) => ({
    TableName: tableName(service),
    Key: keyAttributes({ pk: `RECENT#${name}#${subject}`, sk: 'LOG' }),
  });
  const update = async (subject: string, change: Change): Promise<Log> => {
    const request = { ...target(subject), ReturnValues: 'ALL_NEW', ...change } as const;
    const { Attributes = {} } = await retryWhileLocked(() => dynamo().send(new UpdateItemCommand(request)));
    return logOf(unmarshall(Attributes));
  };
  const trim = async (subject: string, log: Log, nowMs: number): Promise<void> => {
    const dropped = droppable(log, { countedSinceMs: nowMs - windowMs(), seenSinceMs: nowMs - leaseMs });
    if (dropped.length > 0) await update(subject, removing(dropped.slice(0, MAX_DROPPED)));
  };

  return {
    async note(subject: string, notedAtMs: number): Promise<RecentLogEntry> {
      const id = randomUUID();
      let fresh: Log | undefined = await update(subject, noting(id, notedAtMs, windowMs()));
      await trim(subject, fresh, notedAtMs);
      return {
        async before(nowMs) {
          const { counted, open } = fresh ?? (await update(subject, seeing(id, nowMs)));
          fresh = undefined;
          // An entry that was dropped while its process stalled has lost its place and is behind all others.
          const place = open.get(id)?.place ?? Number.POSITIVE_INFINITY;
          const isBefore = (each: Open): boolean => each.place < place && each.seenMs > nowMs - leaseMs;
          return {
            counted: [...counted.values()].filter((atMs) => atMs > nowMs - windowMs()).length,
            open: [...open.values()].filter(isBefore).length,
          };
        },
        async settle(as, nowMs) {
          await update(subject, as === 'counted' ? counting(id, nowMs, windowMs()) : removing(openNames(id)));
        },
        withdrawing: () => ({ item: { Update: { ...target(subject), ...removing(openNames(id)) } } }),
      };
    },
  };
}

type Change = Partial<UpdateItemCommandInput> & { readonly UpdateExpression: string };
/** `place` is infinite when the entry was dropped before it was seen again; it is dropped like any stale entry. */
type Open = { readonly place: number; readonly seenMs: number };
type Log = {
  /** The time of each entry, by id. */
  readonly counted: ReadonlyMap<string, number>;
  readonly open: ReadonlyMap<string, Open>;
};

const openNames = (id: string): string[] => [`place:${id}`, `seen:${id}`];

function logOf(attributes: Record<string, unknown>): Log {
  const entriesOf = (kind: string): [string, number][] =>
    Object.entries(attributes).flatMap(([name, value]) =>
      name.startsWith(`${kind}:`) ? [[name.slice(kind.length + 1), Number(value)]] : [],
    );
  const places = new Map(entriesOf('place'));
  return {
    counted: new Map(entriesOf('counted')),
    open: new Map(
      entriesOf('seen').map(([id, seenMs]) => [
        id,
        { place: places.get(id) ?? Number.POSITIVE_INFINITY, seenMs },
      ]),
    ),
  };
}

/** The attributes that no longer decide anything. */
function droppable(
  { counted, open }: Log,
  { countedSinceMs, seenSinceMs }: { readonly countedSinceMs: number; readonly seenSinceMs: number },
): string[] {
  const stale = [...open].filter(([, { seenMs }]) => seenMs <= seenSinceMs).flatMap(([id]) => openNames(id));
  if (counted.size <= MAX_COUNTED_BEFORE_TRIM) return stale;
  const newestFirst = [...counted].toSorted(([, a], [, b]) => b - a);
  const surplus = newestFirst.filter(([, atMs], index) => index >= MAX_COUNTED || atMs <= countedSinceMs);
  return [...stale, ...surplus.map(([id]) => `counted:${id}`)];
}

const ttlOf = (nowMs: number, windowMs: number) => ({
  N: String(Math.ceil((nowMs + windowMs) / 1000) + KEPT_SECONDS),
});

const noting = (id: string, nowMs: number, windowMs: number): Change => ({
  // The right side reads the item before this write, so every entry gets a place of its own.
  UpdateExpression:
    'SET #place = if_not_exists(#count, :zero), #count = if_not_exists(#count, :zero) + :one, #seen = :now, #ttl = :ttl',
  ExpressionAttributeNames: {
    '#place': `place:${id}`,
    '#seen': `seen:${id}`,
    '#count': 'noted',
    '#ttl': 'ttl',
  },
  ExpressionAttributeValues: {
    ':zero': { N: '0' },
    ':one': { N: '1' },
    ':now': { N: String(nowMs) },
    ':ttl': ttlOf(nowMs, windowMs),
  },
});

const seeing = (id: string, nowMs: number): Change => ({
  UpdateExpression: 'SET #seen = :now',
  ExpressionAttributeNames: { '#seen': `seen:${id}` },
  ExpressionAttributeValues: { ':now': { N: String(nowMs) } },
});

const counting = (id: string, nowMs: number, windowMs: number): Change => ({
  UpdateExpression: 'SET #counted = :now, #ttl = :ttl REMOVE #place, #seen',
  ExpressionAttributeNames: {
    '#counted': `counted:${id}`,
    '#place': `place:${id}`,
    '#seen': `seen:${id}`,
    '#ttl': 'ttl',
  },
  ExpressionAttributeValues: { ':now': { N: String(nowMs) }, ':ttl': ttlOf(nowMs, windowMs) },
});

const removing = (names: readonly string[]): Change => ({
  UpdateExpression: `REMOVE ${names.map((_, index) => `#n${index}`).join(', ')}`,
  ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#n${index}`, name])),
});
