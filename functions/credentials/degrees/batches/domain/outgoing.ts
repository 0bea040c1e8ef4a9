import { senderOf } from '../../../../../shared/queue/outbox.ts';
import {
  type DueMessage,
  dueMessage,
  type RecordedMessage,
} from '../../../../../shared/store/due/message.ts';
import type { ItemWrite, Write } from '../../../../../shared/store/write.ts';
import { TASKS_QUEUE } from '../../../flows/domain/tasks.ts';

// SQS takes so many in one call.
const MESSAGES_PER_CALL = 10;

type MessageWrite = ItemWrite & { readonly message: DueMessage };

const isMessage = (write: Write): write is MessageWrite => 'message' in write;

/**
 * The writes of a new degree, with its tasks due at a time in place of at once. The sweeper sends them then, so that
 * degrees that are created alone do not wait in the queue behind those of a large batch.
 */
export const postponingTasks = (writes: readonly Write[], dueAtMs: number): Write[] =>
  writes.map((write) => {
    if (!isMessage(write) || write.message.queue !== TASKS_QUEUE) return write;
    const { service, queue, body, id } = write.message;
    return dueMessage({ service, queue, body, id, dueAtMs });
  });

export type Outgoing = ReturnType<typeof outgoingMessages>;

// The delivery of a webhook is due after its head start, for the case that nobody sends it. A postponed task is not sent.
const isToSend = ({ afterCommit, message }: MessageWrite): boolean =>
  afterCommit !== undefined || message.queue !== TASKS_QUEUE;

/** The same writes without sends of their own, for a commit whose messages are sent with those of others. */
export const holdingMessages = (writes: readonly Write[]): Write[] =>
  writes.map((write) => (isMessage(write) ? { ...write, afterCommit: undefined } : write));

/**
 * The messages of many commits, sent ten at a time and not one by one. Nothing here throws: the sweeper sends what is
 * not sent.
 * @example await commit(holdingMessages(writes));
 *          await outgoing.add(writes);
 *          await outgoing.flush();
 */
export function outgoingMessages(send = senderOf('credentials')) {
  const waiting = new Map<string, RecordedMessage[]>();
  const sendAll = async (queue: string, messages: readonly RecordedMessage[]): Promise<void> => {
    await send(queue, messages).catch(() => undefined);
  };
  return {
    async add(writes: readonly Write[]): Promise<void> {
      for (const { message } of writes.filter(isMessage).filter(isToSend)) {
        const { queue, body, id, token } = message;
        const messages = waiting.get(queue) ?? [];
        messages.push({ body, record: { id, token } });
        waiting.set(queue, messages.length < MESSAGES_PER_CALL ? messages : []);
        if (messages.length === MESSAGES_PER_CALL) await sendAll(queue, messages);
      }
    },
    async flush(): Promise<void> {
      const rest = [...waiting].filter(([, messages]) => messages.length > 0);
      waiting.clear();
      await Promise.all(rest.map(([queue, messages]) => sendAll(queue, messages)));
    },
  };
}
