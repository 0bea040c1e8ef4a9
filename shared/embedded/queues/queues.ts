import type { Database } from '../database.ts';
import { StoreError } from '../errors.ts';
import { invalid, unsupported } from './request.ts';

export type Redrive = { readonly deadLetters: string; readonly maxReceives: number };
export type Queue = {
  readonly id: number;
  readonly name: string;
  readonly arn: string;
  /** Those that are set, and the defaults of SQS for the others. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly visibilityMs: number;
  readonly delayMs: number;
  readonly retentionMs: number;
  readonly waitSeconds: number;
  readonly maxBytes: number;
  readonly redrive: Redrive | undefined;
  readonly createdMs: number;
  readonly modifiedMs: number;
};

type Range = readonly [min: number, max: number, initial: number];
export const MAX_MESSAGE_BYTES = 1_048_576;
export const MAX_VISIBILITY_SECONDS = 12 * 60 * 60;
export const MAX_DELAY_SECONDS = 900;
export const MAX_WAIT_SECONDS = 20;
const DAY_SECONDS = 24 * 60 * 60;
const RANGES: Readonly<Record<string, Range>> = {
  VisibilityTimeout: [0, MAX_VISIBILITY_SECONDS, 30],
  MessageRetentionPeriod: [60, 14 * DAY_SECONDS, 4 * DAY_SECONDS],
  DelaySeconds: [0, MAX_DELAY_SECONDS, 0],
  ReceiveMessageWaitTimeSeconds: [0, MAX_WAIT_SECONDS, 0],
  MaximumMessageSize: [1_024, MAX_MESSAGE_BYTES, MAX_MESSAGE_BYTES],
};
const DEFAULTS = Object.fromEntries(
  Object.entries(RANGES).map(([name, [, , value]]) => [name, String(value)]),
);
const MAX_RECEIVES = 1_000;

const URL_PREFIX = 'sinete://queues/';
export const urlOf = (name: string): string => `${URL_PREFIX}${name}`;

export function nameOfUrl(url: string): string {
  if (url.startsWith(URL_PREFIX)) return url.slice(URL_PREFIX.length);
  throw new StoreError('InvalidAddress', `The address ${url} is not a queue of the embedded store.`);
}

// As the templates of the resources name them.
const arnOf = (name: string): string =>
  `arn:aws:sqs:${process.env.AWS_REGION ?? 'us-east-1'}:${process.env.AWS_ACCOUNT_ID ?? '000000000000'}:${name}`;
export const nameOfArn = (arn: string): string => arn.slice(arn.lastIndexOf(':') + 1);

type Attributes = Readonly<Record<string, string>>;
export type Queues = ReturnType<typeof createQueues>;

/** The queues of a database. Other processes may create and change them. */
export function createQueues(database: Database, now: () => number) {
  database.run(`CREATE TABLE IF NOT EXISTS queues (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, attributes TEXT NOT NULL,
    created INTEGER NOT NULL, modified INTEGER NOT NULL) STRICT`);

  const lookUp = (name: string): Queue | undefined => {
    const row = database.get('SELECT * FROM queues WHERE name = ?', name);
    return row && queueOf(row);
  };
  const find = (name: string): Queue => {
    const queue = lookUp(name);
    if (!queue) throw new StoreError('QueueDoesNotExist', 'The specified queue does not exist.');
    return queue;
  };
  const check = (attributes: Attributes): void => {
    for (const [name, value] of Object.entries(attributes)) checkAttribute(name, value);
    const deadLetters = attributes.RedrivePolicy
      ? redriveOf(attributes.RedrivePolicy)?.deadLetters
      : undefined;
    if (deadLetters && !lookUp(deadLetters))
      throw invalid(
        `Value ${attributes.RedrivePolicy} for parameter RedrivePolicy is invalid. Reason: Dead letter target does not exist.`,
      );
  };

  return {
    lookUp,
    find,
    ofUrl: (url: string): Queue => find(nameOfUrl(url)),

    create(name: string, attributes: Attributes): Queue {
      if (name.endsWith('.fifo')) throw unsupported('The embedded store does not implement FIFO queues.');
      if (!/^[\w-]{1,80}$/.test(name))
        throw invalid(
          'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length.',
        );
      check(attributes);
      const found = lookUp(name);
      if (found) return requireSame(found, attributes);
      database.run(
        'INSERT INTO queues (name, attributes, created, modified) VALUES (?, ?, ?, ?)',
        name,
        JSON.stringify(attributes),
        now(),
        now(),
      );
      return find(name);
    },

    change({ id, attributes: before }: Queue, attributes: Attributes): void {
      check(attributes);
      const { RedrivePolicy, ...rest } = { ...before, ...attributes };
      // An empty policy removes it.
      const after = RedrivePolicy ? { ...rest, RedrivePolicy } : rest;
      database.run(
        'UPDATE queues SET attributes = ?, modified = ? WHERE id = ?',
        JSON.stringify(after),
        now(),
        id,
      );
    },

    remove: ({ id }: Queue): void => database.run('DELETE FROM queues WHERE id = ?', id),

    /** In the order of their names, after one of them. */
    names: (prefix: string, after: string, limit: number): string[] =>
      [
        ...database.each(
          'SELECT name FROM queues WHERE substr(name, 1, ?) = ? AND name > ? ORDER BY name LIMIT ?',
          prefix.length,
          prefix,
          after,
          limit,
        ),
      ].map(({ name }) => String(name)),

    all: (): Queue[] => [...database.each('SELECT * FROM queues')].map(queueOf),
  };
}

function queueOf(row: Readonly<Record<string, unknown>>): Queue {
  const attributes: Record<string, string> = { ...DEFAULTS, ...JSON.parse(String(row.attributes)) };
  return {
    id: Number(row.id),
    name: String(row.name),
    arn: arnOf(String(row.name)),
    attributes,
    visibilityMs: Number(attributes.VisibilityTimeout) * 1_000,
    delayMs: Number(attributes.DelaySeconds) * 1_000,
    retentionMs: Number(attributes.MessageRetentionPeriod) * 1_000,
    waitSeconds: Number(attributes.ReceiveMessageWaitTimeSeconds),
    maxBytes: Number(attributes.MaximumMessageSize),
    redrive: attributes.RedrivePolicy ? redriveOf(attributes.RedrivePolicy) : undefined,
    createdMs: Number(row.created),
    modifiedMs: Number(row.modified),
  };
}

function checkAttribute(name: string, value: string): void {
  if (name === 'RedrivePolicy') {
    if (value === '' || redriveOf(value)) return;
  } else {
    const range = RANGES[name];
    if (!range)
      throw new StoreError(
        'InvalidAttributeName',
        `The embedded store does not implement the attribute ${name}.`,
      );
    const [min, max] = range;
    if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max) return;
  }
  throw new StoreError('InvalidAttributeValue', `Invalid value for the parameter ${name}.`);
}

function redriveOf(policy: string): Redrive | undefined {
  try {
    const { deadLetterTargetArn, maxReceiveCount } = JSON.parse(policy) as Record<string, unknown>;
    const maxReceives = Number(maxReceiveCount);
    if (typeof deadLetterTargetArn !== 'string' || !Number.isInteger(maxReceives)) return undefined;
    if (maxReceives < 1 || maxReceives > MAX_RECEIVES) return undefined;
    return { deadLetters: nameOfArn(deadLetterTargetArn), maxReceives };
  } catch {
    return undefined;
  }
}

function requireSame(queue: Queue, attributes: Attributes): Queue {
  for (const [name, value] of Object.entries(attributes)) {
    const found = queue.attributes[name] ?? '';
    const isSame =
      name === 'RedrivePolicy'
        ? JSON.stringify(redriveOf(found)) === JSON.stringify(redriveOf(value))
        : Number(found) === Number(value);
    if (!isSame)
      throw new StoreError(
        'QueueNameExists',
        `A queue already exists with the same name and a different value for attribute ${name}`,
      );
  }
  return queue;
}
