import * as z from 'zod';
import { sending } from '../../../../shared/queue/outbox.ts';
import { canceling } from '../../../../shared/store/due/message.ts';
import type { ItemId } from '../../items/domain/item.ts';
import { KINDS, type KindName } from '../../items/domain/kinds.ts';

/** Work that goes on after a call has ended. A task may be delivered twice; the second run does nothing. */
export const TASKS_QUEUE = 'tasks';

const Kind = z.enum(Object.keys(KINDS) as [KindName, ...KindName[]]);

/** How long a task has waited for this run. The next one waits twice as long. */
const Wait = z.number().default(0);

export const Task = z.discriminatedUnion('task', [
  /** Hands the files of an item to the document-signature platform. */
  z.object({ task: z.literal('handOver'), kind: Kind, id: z.string(), waitSeconds: Wait }),
  /** Asks the platform how the documents of an item stand, and takes what is signed. Goes on until all are. */
  z.object({ task: z.literal('look'), kind: Kind, id: z.string(), waitSeconds: Wait }),
  /** The same, once, because the platform has told that something happened. */
  z.object({ task: z.literal('event'), kind: Kind, id: z.string() }),
  /** Cancels the documents of an item that has ended without their signatures. */
  z.object({ task: z.literal('withdraw'), kind: Kind, id: z.string(), waitSeconds: Wait }),
  /** Writes the XML of an inspection file. */
  z.object({ task: z.literal('generate'), kind: Kind, id: z.string(), waitSeconds: Wait }),
  /** Obtains the token of a restamp, or tries a failed one again. */
  z.object({ task: z.literal('restamp'), kind: Kind, id: z.string(), waitSeconds: Wait }),
  /** Stamps a signed file again, when its newest timestamp nears its expiry. */
  z.object({ task: z.literal('restampFile'), kind: Kind, id: z.string(), name: z.string() }),
]);
export type Task = z.infer<typeof Task>;

/** A task that has replaced or deleted its own outbox record. */
export type Forgotten = 'forgotten';

type Repeated = Extract<Task, { waitSeconds: number }>['task'];

const idOf = (task: Repeated | 'event', { kind, id }: ItemId): string => `${task}:${kind}:${id}`;

/**
 * A task as a write, for the commit of the change that causes it. It is due at once, or at a time. A later one of the
 * same item replaces it.
 */
export const taskMessage = (task: Repeated, { kind, id }: ItemId, dueAtMs?: number, waitSeconds = 0) =>
  sending({
    service: 'credentials',
    queue: TASKS_QUEUE,
    body: { task, kind, id, waitSeconds } satisfies Task,
    id: idOf(task, { kind, id }),
    dueAtMs,
  });

// The signatures of several people on several files are often of the same minute, and so are their events.
export const EVENT_DELAY_SECONDS = 2;

/** The look that an event of the platform asks for. Those of one item that come within the delay are one. */
export const eventMessage = ({ kind, id }: ItemId) => ({
  service: 'credentials' as const,
  queue: TASKS_QUEUE,
  body: { task: 'event', kind, id } satisfies Task,
  id: idOf('event', { kind, id }),
  delaySeconds: EVENT_DELAY_SECONDS,
});

/** The next look at the timestamps of a signed file. A later one of the same file replaces it. */
export const restampFileMessage = ({ kind, id }: ItemId, name: string, dueAtMs: number) =>
  sending({
    service: 'credentials',
    queue: TASKS_QUEUE,
    body: { task: 'restampFile', kind, id, name } satisfies Task,
    id: `restampFile:${kind}:${id}:${name}`,
    dueAtMs,
  });

/** A task that is due at once, as a part of the commit that causes it. */
export const startingTask = (task: Repeated, item: ItemId) => ({ writes: [taskMessage(task, item)] });

/** The hand-over of an item's files, for the commit that brings it into the state in which its signers get them. */
export const handingOver = (item: ItemId) => startingTask('handOver', item);

/** A task that waits so long, in place of one of the same item that waits already. */
export const laterTask = (task: Repeated, item: ItemId, waitSeconds: number, nowMs: number) =>
  taskMessage(task, item, nowMs + waitSeconds * 1000, waitSeconds);

/** The write that stops a task of an item, where one waits. */
export const cancelingTask = (task: Repeated | 'event', item: ItemId) =>
  canceling('credentials', idOf(task, item));

export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 86_400;

// People take minutes at least, and an event of the platform comes before it.
const FIRST_WAIT_SECONDS = 60;

/** The wait after one of so long: it doubles, from a minute up to an hour, or to the given limit. */
export const nextWait = (waitSeconds: number, maxSeconds = HOUR_SECONDS): number =>
  Math.min(Math.max(2 * waitSeconds, FIRST_WAIT_SECONDS), maxSeconds);
