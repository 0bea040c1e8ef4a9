// The SQS commands that Sinete uses, on SQLite in the process that calls them. Standard queues only.
import type { Database, Row } from '../database.ts';
import { StoreError } from '../errors.ts';
import { bytesOf, contentOf, md5OfAttributes, md5OfBody } from './content.ts';
import { describeQueue, messageDescriber } from './describe.ts';
import { abortError, createLongPolls } from './long-polls.ts';
import { createMessages } from './messages.ts';
import { createMoveTasks } from './move-tasks.ts';
import {
  createQueues,
  MAX_DELAY_SECONDS,
  MAX_MESSAGE_BYTES,
  MAX_VISIBILITY_SECONDS,
  MAX_WAIT_SECONDS,
  nameOfArn,
  nameOfUrl,
  type Queue,
  urlOf,
} from './queues.ts';
import {
  entriesOf,
  forEntries,
  onlyKnown,
  optionalInteger,
  optionalNames,
  type Request,
  requireText,
  unsupported,
} from './request.ts';

const MAX_RECEIVED = 10;
const MAX_LISTED = 1_000;
const MESSAGE = ['MessageBody', 'DelaySeconds', 'MessageAttributes'];
const RECEIVE = [
  'QueueUrl',
  'MaxNumberOfMessages',
  'WaitTimeSeconds',
  'VisibilityTimeout',
  'AttributeNames',
  'MessageSystemAttributeNames',
  'MessageAttributeNames',
];

export type RunOptions = { readonly abortSignal?: AbortSignal | undefined };

export type QueueStore = {
  /** Runs a command by its name. @example await run('SendMessage', { QueueUrl, MessageBody }) */
  readonly run: (operation: string, request: Request, options?: RunOptions) => Promise<object>;
  /** Sends a message inside a commit of another store. Throws, before it writes, when there is no such queue. */
  readonly enqueue: (queueArn: string, body: string) => void;
  /** Deletes messages that are older than their queue keeps them, and tells their number. */
  readonly collectExpired: () => Promise<number>;
  /** Makes the messages in flight visible again: whoever had received them has ended. */
  readonly releaseAll: () => Promise<void>;
  /** Ends the long polls. */
  readonly close: () => void;
};

/** The queues of a database. */
export function createQueueStore(database: Database, { now }: { now: () => number }): QueueStore {
  const queues = createQueues(database, now);
  const messages = createMessages(database, now);
  const moveTasks = createMoveTasks(database, queues, messages, now);
  const polls = createLongPolls(database, {
    now,
    nextDueMs: (name) => messages.nextDueMs(queues.find(name)),
    earliestDueMs: messages.earliestDueMs,
  });

  const queueOf = (request: Request): Queue => queues.ofUrl(requireText(request, 'QueueUrl'));

  const send = (queue: Queue, request: Request): object => {
    onlyKnown(request, MESSAGE);
    const delaySeconds = optionalInteger(request, 'DelaySeconds', 0, MAX_DELAY_SECONDS);
    const content = contentOf(request, queue.maxBytes);
    const delayMs = delaySeconds === undefined ? queue.delayMs : delaySeconds * 1_000;
    const MessageId = messages.send(queue, content, delayMs);
    polls.touch(queue.name);
    return {
      MessageId,
      MD5OfMessageBody: md5OfBody(content.body),
      ...(content.attributes && { MD5OfMessageAttributes: md5OfAttributes(content.attributes) }),
    };
  };

  async function receive(request: Request, { abortSignal: signal }: RunOptions): Promise<object> {
    onlyKnown(request, RECEIVE);
    const max = optionalInteger(request, 'MaxNumberOfMessages', 1, MAX_RECEIVED) ?? 1;
    const seconds = optionalInteger(request, 'VisibilityTimeout', 0, MAX_VISIBILITY_SECONDS);
    const waitSeconds = optionalInteger(request, 'WaitTimeSeconds', 0, MAX_WAIT_SECONDS);
    const describe = messageDescriber(request);
    const name = nameOfUrl(requireText(request, 'QueueUrl'));
    const take = (): Row[] => {
      if (signal?.aborted) throw abortError(signal);
      const queue = queues.find(name);
      const deadLetters = queue.redrive && queues.lookUp(queue.redrive.deadLetters);
      const visibilityMs = seconds === undefined ? queue.visibilityMs : seconds * 1_000;
      const rows = messages.take(queue, max, visibilityMs, deadLetters);
      if (rows.length > 0) polls.touch(name);
      if (deadLetters) polls.touch(deadLetters.name);
      return rows;
    };
    if (signal?.aborted) throw abortError(signal);
    const queue = queues.find(name);
    const untilMs = now() + (waitSeconds ?? queue.waitSeconds) * 1_000;
    // A commit syncs the disk: an empty queue is only read.
    let rows = messages.nextDueMs(queue) <= now() ? await database.commit(take) : [];
    if (rows.length === 0 && untilMs > now()) rows = await polls.wait({ queue: name, untilMs, signal, take });
    return rows.length > 0 ? { Messages: rows.map(describe) } : {};
  }

  const changeVisibility = (queue: Queue, request: Request): object => {
    onlyKnown(request, ['ReceiptHandle', 'VisibilityTimeout']);
    const seconds = optionalInteger(request, 'VisibilityTimeout', 0, MAX_VISIBILITY_SECONDS);
    if (seconds === undefined)
      throw new StoreError('MissingParameter', 'The request must contain the parameter VisibilityTimeout.');
    messages.changeVisibility(queue, requireText(request, 'ReceiptHandle'), seconds);
    polls.touch(queue.name);
    return {};
  };
  const remove = (queue: Queue, request: Request): object => {
    onlyKnown(request, ['ReceiptHandle']);
    messages.remove(queue, requireText(request, 'ReceiptHandle'));
    return {};
  };

  const inCommit =
    (work: (request: Request) => object) =>
    (request: Request): Promise<object> =>
      database.commit(() => work(request));
  /** A command on one message, and its batch. */
  const single = (work: (queue: Queue, entry: Request) => object) =>
    inCommit(({ QueueUrl, ...entry }) => work(queueOf({ QueueUrl }), entry));
  const batch = (
    work: (queue: Queue, entry: Request) => object,
    check?: (entries: readonly Request[]) => void,
  ) =>
    inCommit((request) => {
      const entries = entriesOf(request);
      check?.(entries);
      const queue = queueOf(request);
      return forEntries(entries, (entry) => work(queue, entry));
    });

  const operations: Record<string, (request: Request, options: RunOptions) => Promise<object>> = {
    SendMessage: single(send),
    SendMessageBatch: batch(send, requireFits),
    ReceiveMessage: receive,
    DeleteMessage: single(remove),
    DeleteMessageBatch: batch(remove),
    ChangeMessageVisibility: single(changeVisibility),
    ChangeMessageVisibilityBatch: batch(changeVisibility),
    CreateQueue: inCommit((request) => {
      onlyKnown(request, ['QueueName', 'Attributes']);
      const attributes = (request.Attributes ?? {}) as Readonly<Record<string, string>>;
      return { QueueUrl: urlOf(queues.create(requireText(request, 'QueueName'), attributes).name) };
    }),
    GetQueueUrl: async (request) => {
      onlyKnown(request, ['QueueName']);
      return { QueueUrl: urlOf(queues.find(requireText(request, 'QueueName')).name) };
    },
    GetQueueAttributes: async (request) => {
      onlyKnown(request, ['QueueUrl', 'AttributeNames']);
      const queue = queueOf(request);
      return describeQueue(queue, optionalNames(request, 'AttributeNames'), () => messages.count(queue));
    },
    SetQueueAttributes: inCommit((request) => {
      onlyKnown(request, ['QueueUrl', 'Attributes']);
      const queue = queueOf(request);
      queues.change(queue, (request.Attributes ?? {}) as Readonly<Record<string, string>>);
      polls.touch(queue.name);
      return {};
    }),
    ListQueues: async (request) => {
      onlyKnown(request, ['QueueNamePrefix', 'MaxResults', 'NextToken']);
      const max = optionalInteger(request, 'MaxResults', 1, MAX_LISTED);
      const { QueueNamePrefix = '', NextToken = '' } = request;
      const names = queues.names(String(QueueNamePrefix), String(NextToken), max ?? MAX_LISTED);
      // SQS gives a token only to whom asks for pages.
      const isPage = names.length === max;
      return {
        ...(names.length > 0 && { QueueUrls: names.map(urlOf) }),
        ...(isPage && { NextToken: names.at(-1) }),
      };
    },
    DeleteQueue: inCommit((request) => {
      onlyKnown(request, ['QueueUrl']);
      const queue = queueOf(request);
      messages.removeAll(queue);
      queues.remove(queue);
      polls.touch(queue.name);
      return {};
    }),
    StartMessageMoveTask: inCommit((request) => {
      const { destination, ...answer } = moveTasks.start(request);
      polls.touch(destination);
      return answer;
    }),
    ListMessageMoveTasks: async (request) => moveTasks.list(request),
  };

  return {
    run: async (operation, request, options = {}) => {
      const known = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
      if (!known) throw unsupported(`The embedded store does not implement ${operation}.`);
      return database.answer(() => known(request, options));
    },
    enqueue: (queueArn, body) => void send(queues.find(nameOfArn(queueArn)), { MessageBody: body }),
    collectExpired: async () => {
      let collected = 0;
      for (const queue of queues.all())
        while (messages.hasExpired(queue))
          collected += await database.commit(() => messages.removeExpired(queue));
      return collected;
    },
    releaseAll: () =>
      database.commit(() => {
        messages.releaseAll();
        polls.touchAll();
      }),
    close: polls.close,
  };
}

// Together they have the limit of one.
function requireFits(entries: readonly Request[]): void {
  const bytes = entries.reduce((sum, entry) => sum + bytesOf(entry), 0);
  if (bytes > MAX_MESSAGE_BYTES)
    throw new StoreError(
      'BatchRequestTooLong',
      `Batch requests cannot be longer than ${MAX_MESSAGE_BYTES} bytes. You have sent ${bytes} bytes.`,
    );
}
