/** Something that a command cannot do, in words for the person who ran it. */
export class CommandRefusal extends Error {
  override readonly name = 'CommandRefusal';
}

/** The first line of an error's message. A refused connection may have an empty message and only a code. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const [line = ''] = error.message.split('\n');
  return line === '' ? code : line;
}

/** The same of an error's cause where it has one: `fetch` puts the network's error there. */
export const causeOf = (error: unknown): string =>
  reasonOf(error instanceof Error && error.cause instanceof Error ? error.cause : error);

const FULL_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);
// SQLite (code 13) reports a full disk in the message only.
const FULL_MESSAGES = /no space left on device|disk quota exceeded|database or disk is full/i;

/**
 * Whether something failed because the disk is full, however many errors wrap it.
 * @example if (isDiskFull(error)) print(`The disk of ${dataDir} is full.`)
 */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    ('code' in error && FULL_CODES.has(error.code)) ||
    FULL_MESSAGES.test(error.message) ||
    isDiskFull(error.cause)
  );
}
