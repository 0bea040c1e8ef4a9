/** A file is larger than allowed. Reading stops at the limit. */
export class TooLarge extends Error {
  readonly limitBytes: number;
  readonly seenBytes: number;

  constructor(key: string, limitBytes: number, seenBytes: number) {
    super(
      `The file ${key} is larger than the ${limitBytes} bytes allowed: it has at least ${seenBytes} bytes.`,
    );
    this.name = 'TooLarge';
    this.limitBytes = limitBytes;
    this.seenBytes = seenBytes;
  }
}

/** The received bytes do not have the announced hash. */
export class HashMismatch extends Error {
  constructor(key: string, expectedSha256: string, seenSha256: string) {
    super(`The file ${key} has SHA-256 ${seenSha256}, not ${expectedSha256} as announced. Send it again.`);
    this.name = 'HashMismatch';
  }
}

/** Path traversal: a key that could mean another key, or a place outside the bucket. */
export class BadKey extends Error {
  constructor(key: string, why: string) {
    super(
      `The file key ${JSON.stringify(key.slice(0, 200))} ${why}. Build keys from ids and safeFileName().`,
    );
    this.name = 'BadKey';
  }
}

/** The HTTP status of a failed AWS call, if there was an answer. */
export const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode;

/** There is a file with this key already, and it stays. */
export class FileExists extends Error {
  override readonly name = 'FileExists';

  constructor(key: string) {
    super(`A file ${key} exists already.`);
  }
}

/** Whether a call failed because the file is not there. A bucket that is away says nothing of its files. */
export const isMissingFile = (error: unknown): boolean =>
  statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket';
