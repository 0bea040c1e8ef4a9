/**
 * Thrown by a queue handler for a message that can never succeed: it goes to the dead-letter queue at once.
 * @example throw new Poison('The upload belongs to an organization that does not exist.');
 */
export class Poison extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Poison';
  }
}

/** A message is too large for SQS. No message of its group was sent. */
export class MessageTooLarge extends Error {
  constructor(queue: string, index: number, bytes: number, limitBytes: number) {
    super(
      `Message ${index} for the queue ${queue} has ${bytes} bytes; ${limitBytes} are allowed. Keep its content as a file and send the key.`,
    );
    this.name = 'MessageTooLarge';
  }
}

/** Some messages of a group were not sent; `indexes` are their positions, from 0. */
export class NotSent extends Error {
  readonly indexes: readonly number[];

  constructor(queue: string, total: number, reasons: ReadonlyMap<number, string>) {
    const some = [...reasons].slice(0, 5).map(([index, reason]) => `message ${index}: ${reason}`);
    const more = reasons.size > some.length ? `; and ${reasons.size - some.length} more` : '';
    super(
      `${reasons.size} of ${total} messages were not sent to the queue ${queue}. ${some.join('; ')}${more}`,
    );
    this.name = 'NotSent';
    this.indexes = [...reasons.keys()];
  }
}
