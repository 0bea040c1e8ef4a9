import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// Node forgives the first line, and throws at one of a later turn.
test('a command whose output nobody reads any more ends without an error', async () => {
  const program = `import { setImmediate as nextTurn } from 'node:timers/promises';
    import { CONSOLE } from './shared/command-line/output.ts';
    for (let line = 0; line < 9; line++) { CONSOLE.print('line'); await nextTurn(); }`;
  const script = '{ "$0" --input-type=module --eval "$1"; echo "ended with $?" >&2; } | true';
  const { stderr } = await promisify(execFile)('sh', ['-c', script, process.execPath, program]);
  expect(stderr).toBe('ended with 0\n');
});
