/** What went wrong, in one line. A refused connection may come with an empty message and only a code. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const [line = ''] = error.message.split('\n');
  return line === '' ? code : line;
}

const FULL_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);
// LevelDB tells in words; so does SQLite, whose code is 13.
const FULL_WORDS = /no space left on device|disk quota exceeded|database or disk is full/i;

/**
 * Whether something failed because the disk is full, whatever wraps it.
 * @example if (isDiskFull(error)) say(`The disk of ${dataDir} is full.`)
 */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    ('code' in error && FULL_CODES.has(error.code)) ||
    FULL_WORDS.test(error.message) ||
    isDiskFull(error.cause)
  );
}
