// The notifications that a bucket sends to queues. A declaration that the local engine would not honor, or that S3
// refuses, stops the start.
import * as z from 'zod';

export type BucketNotification = {
  readonly queueArn: string;
  readonly event: (typeof EVENTS)[number];
  readonly prefix: string;
  readonly suffix: string;
};

const EVERY_EVENT = 's3:ObjectCreated:*';
const EVENTS = [
  EVERY_EVENT,
  's3:ObjectCreated:Put',
  's3:ObjectCreated:Post',
  's3:ObjectCreated:Copy',
  's3:ObjectCreated:CompleteMultipartUpload',
] as const;

/**
 * A key as S3 writes it in a notification: as a form field, with its slashes.
 * @example encodeKey('input/red flower.pdf') // 'input/red+flower.pdf'
 */
export const encodeKey = (key: string): string =>
  new URLSearchParams([['', key]]).toString().slice(1).replaceAll('%2F', '/');

const onlyThese = {
  error: ({ code, keys }: { code?: string; keys?: string[] }) =>
    code === 'unrecognized_keys' ? `the local engine does not honor ${keys?.join(' and ')}` : undefined,
};

const FilterRule = z.strictObject(
  {
    Name: z.enum(['prefix', 'suffix'], {
      error: ({ input }) => `${String(input)} is not a filter; use prefix or suffix`,
    }),
    // S3 takes other characters percent-encoded, and an emulator may not.
    Value: z
      .string()
      .max(1024)
      .refine((value) => encodeKey(value) === value, 'use only letters, digits and / . - _ *'),
  },
  onlyThese,
);
const Filter = z
  .array(FilterRule)
  .refine((rules) => new Set(rules.map(({ Name }) => Name)).size === rules.length, 'has a filter twice');

const Declaration = z.strictObject({
  NotificationConfiguration: z
    .strictObject(
      {
        QueueConfigurations: z
          .array(
            z.strictObject(
              {
                Event: z.enum(EVENTS, {
                  error: ({ input }) => `${String(input)} is not emitted here; use ${EVENTS.join(', ')}`,
                }),
                Queue: z.unknown(),
                Filter: z
                  .strictObject({ S3Key: z.strictObject({ Rules: Filter }, onlyThese) }, onlyThese)
                  .optional(),
              },
              onlyThese,
            ),
          )
          .default([]),
      },
      onlyThese,
    )
    .default({ QueueConfigurations: [] }),
});

/**
 * Reads the property NotificationConfiguration of a bucket. `findQueue` turns a reference into the ARN of a queue, or
 * throws.
 */
export function readNotifications(
  declaration: unknown,
  findQueue: (reference: unknown) => string,
): BucketNotification[] {
  const { data, error } = Declaration.safeParse(declaration);
  if (!data) {
    const [issue] = error.issues;
    throw new Error(`${issue?.path.join('.')}: ${issue?.message}`, { cause: error });
  }
  const notifications = data.NotificationConfiguration.QueueConfigurations.map(
    ({ Event, Queue, Filter }, index): BucketNotification => {
      const filterOf = (name: string) => Filter?.S3Key.Rules.find((rule) => rule.Name === name)?.Value ?? '';
      return {
        queueArn: at(`${pathOf(index)}.Queue`, () => findQueue(Queue)),
        event: Event,
        prefix: filterOf('prefix'),
        suffix: filterOf('suffix'),
      };
    },
  );
  for (const [index, notification] of notifications.entries()) {
    const earlier = notifications.slice(0, index).findIndex((other) => overlap(notification, other));
    if (earlier >= 0)
      throw new Error(
        `${pathOf(index)}: S3 refuses filters that overlap for the same event, as those of ${pathOf(earlier)} do`,
      );
  }
  return notifications;
}

const pathOf = (index: number): string => `NotificationConfiguration.QueueConfigurations.${index}`;

function at<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** Whether some write would match both. S3 looks at prefixes and suffixes each for itself. */
function overlap(one: BucketNotification, other: BucketNotification): boolean {
  const either = (test: (a: BucketNotification, b: BucketNotification) => boolean) =>
    test(one, other) || test(other, one);
  return (
    either((a, b) => a.event === b.event || a.event === EVERY_EVENT) &&
    either((a, b) => a.prefix.startsWith(b.prefix)) &&
    either((a, b) => a.suffix.endsWith(b.suffix))
  );
}

/**
 * Whether a write is one of those that a notification is for.
 * @example matches(notification, 's3:ObjectCreated:Copy', 'input/a.pdf')
 */
export const matches = (
  { event, prefix, suffix }: BucketNotification,
  happened: BucketNotification['event'],
  key: string,
): boolean => (event === EVERY_EVENT || event === happened) && key.startsWith(prefix) && key.endsWith(suffix);
