/** A file is larger than allowed. Reading stopped as soon as that was certain. */
export class TooLarge extends Error {
  readonly limitBytes: number;
  readonly seenBytes: number;

  constructor(key: string, limitBytes: number, seenBytes: number) {
    super(
      `The file ${key} is larger than the ${limitBytes} bytes allowed: at least ${seenBytes} bytes came.`,
    );
    this.name = 'TooLarge';
    this.limitBytes = limitBytes;
    this.seenBytes = seenBytes;
  }
}

/** The bytes that came are not the bytes that were announced. */
export class HashMismatch extends Error {
  constructor(key: string, expectedSha256: string, seenSha256: string) {
    super(
      `The file ${key} came with SHA-256 ${seenSha256}, not ${expectedSha256} as announced. Send it again.`,
    );
    this.name = 'HashMismatch';
  }
}

/** A key that could be read as another one, or as a place outside its bucket. */
export class BadKey extends Error {
  constructor(key: string, why: string) {
    super(
      `The file key ${JSON.stringify(key.slice(0, 200))} ${why}. Build keys from ids and safeFileName().`,
    );
    this.name = 'BadKey';
  }
}

/** The HTTP status of a failed AWS call, if it was answered at all. */
export const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode;
