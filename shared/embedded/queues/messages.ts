import { randomBytes, randomUUID } from 'node:crypto';
import type { Database, Row } from '../database.ts';
import { StoreError } from '../errors.ts';
import type { Content } from './content.ts';
import { MAX_VISIBILITY_SECONDS, type Queue } from './queues.ts';
import { invalid } from './request.ts';

export type Counts = { readonly waiting: number; readonly inWork: number; readonly delayed: number };

// One commit has few enough that others do not wait for it.
const DELETED_AT_ONCE = 500;

// A receipt is the time of the receive and a random number; a handle is the row's number and the receipt.
const HANDLE = /^(\d{1,15})-((\d{1,15})-[0-9a-f]{12})$/;
export const handleOf = ({ id, receipt }: Row): string => `${id}-${receipt}`;

type Handle = { readonly id: number; readonly receipt: string; readonly receivedMs: number };

function parseHandle(handle: unknown): Handle {
  const [, id, receipt = '', receivedMs] = HANDLE.exec(String(handle)) ?? [];
  if (id) return { id: Number(id), receipt, receivedMs: Number(receivedMs) };
  throw new StoreError('ReceiptHandleIsInvalid', `The input receipt handle "${handle}" is not valid.`);
}

/**
 * The messages of all queues. All but `nextDueMs`, `earliestDueMs`, `count` and `hasExpired` write, and belong into a commit.
 *
 *   sent  |--delay--|--visible--|--in flight--|--visible--|--in flight--|-- dead letters
 *   due              sent+delay                received+visibility        on the receive after maxReceives
 */
export function createMessages(database: Database, now: () => number) {
  database.run(`CREATE TABLE IF NOT EXISTS messages (
    id INTEGER PRIMARY KEY, queue INTEGER NOT NULL, due INTEGER NOT NULL, sent INTEGER NOT NULL,
    receives INTEGER NOT NULL DEFAULT 0, received INTEGER, receipt TEXT, source TEXT,
    message TEXT NOT NULL, attributes TEXT, body TEXT NOT NULL) STRICT`);
  database.run('CREATE INDEX IF NOT EXISTS messages_by_due ON messages (queue, due, sent)');

  /** Messages sent at this time or before have expired. */
  const expiredMs = ({ retentionMs }: Queue): number => now() - retentionMs;

  const takeSome = (queue: Queue, max: number, visibilityMs: number, receipt: string): Row[] => [
    ...database.each(
      `UPDATE messages SET due = ?, receives = receives + 1, received = coalesce(received, ?), receipt = ?
       WHERE id IN (SELECT id FROM messages WHERE queue = ? AND due <= ? AND sent > ? ORDER BY due, sent, id LIMIT ?)
       RETURNING *`,
      now() + visibilityMs,
      now(),
      receipt,
      queue.id,
      now(),
      expiredMs(queue),
      max,
    ),
  ];

  // Its time of sending stays, so that it expires when it would have.
  const moveToDeadLetters = ({ id }: Row, from: Queue, to: Queue): void =>
    database.run(
      'UPDATE messages SET queue = ?, due = ?, receives = receives - 1, receipt = NULL, source = ? WHERE id = ?',
      to.id,
      now(),
      from.arn,
      Number(id),
    );

  return {
    /** When a queue has its next message to be received. That may be now. */
    nextDueMs(queue: Queue): number {
      const next = database.get(
        'SELECT due FROM messages WHERE queue = ? AND sent > ? ORDER BY due LIMIT 1',
        queue.id,
        expiredMs(queue),
      );
      return next ? Number(next.due) : Number.POSITIVE_INFINITY;
    },

    /** Not after the next message of each queue is due: one that has expired counts too. */
    earliestDueMs: (): ReadonlyMap<string, number> =>
      new Map(
        [
          ...database.each(
            'SELECT name, (SELECT min(due) FROM messages WHERE queue = queues.id) AS due FROM queues',
          ),
        ].map(({ name, due }) => [String(name), due === null ? Number.POSITIVE_INFINITY : Number(due)]),
      ),

    send({ id }: Queue, { body, attributes }: Content, delayMs: number): string {
      const messageId = randomUUID();
      database.run(
        'INSERT INTO messages (queue, due, sent, message, attributes, body) VALUES (?, ?, ?, ?, ?, ?)',
        id,
        now() + delayMs,
        now(),
        messageId,
        attributes ? JSON.stringify(attributes) : null,
        body,
      );
      return messageId;
    },

    /** Those that were received too often go to the dead letters, if there is a queue for them. */
    take(queue: Queue, max: number, visibilityMs: number, deadLetters: Queue | undefined): Row[] {
      const maxReceives = deadLetters && queue.redrive ? queue.redrive.maxReceives : Number.POSITIVE_INFINITY;
      const receipt = `${now()}-${randomBytes(6).toString('hex')}`;
      const taken: Row[] = [];
      let moved: number;
      do {
        const some = takeSome(queue, max - taken.length, visibilityMs, receipt);
        const dead = some.filter(({ receives }) => Number(receives) > maxReceives);
        for (const row of dead) if (deadLetters) moveToDeadLetters(row, queue, deadLetters);
        taken.push(...some.filter((row) => !dead.includes(row)));
        moved = dead.length;
      } while (moved > 0 && taken.length < max);
      return taken.sort((a, b) => Number(a.sent) - Number(b.sent) || Number(a.id) - Number(b.id));
    },

    // An older receipt than the newest deletes nothing and is no error; an expired one still deletes.
    remove(queue: Queue, handle: unknown): void {
      const { id, receipt } = parseHandle(handle);
      database.run('DELETE FROM messages WHERE id = ? AND queue = ? AND receipt = ?', id, queue.id, receipt);
    },

    changeVisibility(queue: Queue, handle: unknown, seconds: number): void {
      const { id, receipt, receivedMs } = parseHandle(handle);
      const found = database.get(
        'SELECT due FROM messages WHERE id = ? AND queue = ? AND receipt = ? AND sent > ?',
        id,
        queue.id,
        receipt,
        expiredMs(queue),
      );
      if (!found)
        throw invalid(
          `Value ${handle} for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change.`,
        );
      if (Number(found.due) <= now())
        throw new StoreError('MessageNotInflight', `The message of ${handle} is not in flight.`);
      const dueMs = now() + seconds * 1_000;
      if (dueMs > receivedMs + MAX_VISIBILITY_SECONDS * 1_000)
        throw invalid(
          `Total VisibilityTimeout for the message is beyond the limit [${MAX_VISIBILITY_SECONDS} seconds]`,
        );
      database.run('UPDATE messages SET due = ? WHERE id = ?', dueMs, id);
    },

    count(queue: Queue): Counts {
      const row = database.get(
        `SELECT count(*) FILTER (WHERE due <= ?1) AS waiting,
           count(*) FILTER (WHERE due > ?1 AND receipt IS NOT NULL) AS inWork,
           count(*) FILTER (WHERE due > ?1 AND receipt IS NULL) AS delayed
         FROM messages WHERE queue = ?2 AND sent > ?3`,
        now(),
        queue.id,
        expiredMs(queue),
      );
      return { waiting: Number(row?.waiting), inWork: Number(row?.inWork), delayed: Number(row?.delayed) };
    },

    /** Moves what can be received now, as new messages: another id, time and count. Gives their number. */
    moveAll(from: Queue, to: Queue): number {
      const ids = [
        ...database.each(
          'SELECT id FROM messages WHERE queue = ? AND due <= ? AND sent > ?',
          from.id,
          now(),
          expiredMs(from),
        ),
      ];
      for (const { id } of ids)
        database.run(
          `UPDATE messages SET queue = ?, due = ?2, sent = ?2, message = ?, receives = 0, received = NULL,
             receipt = NULL, source = NULL WHERE id = ?`,
          to.id,
          now(),
          randomUUID(),
          Number(id),
        );
      return ids.length;
    },

    removeAll: ({ id }: Queue): void => database.run('DELETE FROM messages WHERE queue = ?', id),

    hasExpired: (queue: Queue): boolean =>
      database.get(
        'SELECT 1 FROM messages WHERE queue = ? AND sent <= ? LIMIT 1',
        queue.id,
        expiredMs(queue),
      ) !== undefined,

    /** Deletes some of the expired messages, and tells their number. */
    removeExpired: (queue: Queue): number =>
      [
        ...database.each(
          `DELETE FROM messages WHERE id IN
             (SELECT id FROM messages WHERE queue = ? AND sent <= ? LIMIT ${DELETED_AT_ONCE}) RETURNING id`,
          queue.id,
          expiredMs(queue),
        ),
      ].length,

    /** Makes the messages in flight visible again. Each keeps the count of its receives. */
    releaseAll: (): void =>
      database.run(
        'UPDATE messages SET due = ?1, receipt = NULL WHERE receipt IS NOT NULL AND due > ?1',
        now(),
      ),
  };
}

export type Messages = ReturnType<typeof createMessages>;
