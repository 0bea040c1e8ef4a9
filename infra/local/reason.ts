/** What went wrong, in one line. A refused connection may come with an empty message and only a code. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const [line = ''] = error.message.split('\n');
  return line === '' ? code : line;
}
