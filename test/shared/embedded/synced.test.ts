import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const WRITES = 20;

/** Puts items one after another, and tells each answer on its standard output. */
const script = (folder: string): string => `
  const { writeSync } = await import('node:fs');
  const { openStores } = await import(${JSON.stringify(join(process.cwd(), 'shared/embedded/stores.ts'))});
  const { tables } = openStores({ folder: ${JSON.stringify(folder)} });
  const TableName = 'things';
  await tables.run('CreateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  });
  for (let n = 0; n < ${WRITES}; n++) {
    writeSync(1, 'asked ' + n + '\\n');
    await tables.run('PutItem', { TableName, Item: { pk: { S: 'item ' + n } } });
    writeSync(1, 'answered ' + n + '\\n');
  }
`;

/** Why strace cannot be used here, or undefined. */
function obstacle(): string | undefined {
  const { error, status, stderr } = spawnSync('strace', ['-f', 'true'], { encoding: 'utf8' });
  if (error) return 'strace is not installed';
  return status === 0 ? undefined : `this machine does not permit strace: ${stderr.split('\n')[0]}`;
}

//   store         asked 1 |--pwrite64--|           | answered 1 | asked 2 |--…
//   its threads                        |-fdatasync-|
test('a write is answered after its log was synced to the disk', ({ skip }) => {
  const reason = obstacle();
  if (reason) skip(`Not seen at the system's calls, because ${reason}.`);
  const folder = mkdtempSync(join(tmpdir(), 'sinete-synced-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const trace = join(folder, 'trace');
  const calls = ['-f', '-y', '-o', trace, '-e', 'trace=fdatasync,fsync,pwrite64,write'];
  const command = [process.execPath, '--input-type=module', '-e', script(join(folder, 'store'))];
  const { status, stderr } = spawnSync('strace', [...calls, ...command], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);

  const lines = readFileSync(trace, 'utf8').split('\n');
  // A call that another thread's comes between has a second line for its end.
  const endOf = (at: number): number => {
    const [thread = ''] = lines[at]?.split(' ') ?? [];
    return lines[at]?.includes('<unfinished')
      ? lines.findIndex(
          (line, index) => index > at && line.startsWith(`${thread} `) && line.includes('resumed>'),
        )
      : at;
  };
  for (let n = 0; n < WRITES; n++) {
    const from = lines.findIndex((line) => line.includes(`"asked ${n}\\n"`));
    const to = lines.findIndex((line) => line.includes(`"answered ${n}\\n"`));
    const last = (call: RegExp): number =>
      lines.findLastIndex(
        (line, at) => at > from && at < to && line.includes('store.db-wal>') && call.test(line),
      );
    const [written, synced] = [last(/pwrite64\(/), last(/f(?:data)?sync\(/)];
    expect(written).toBeGreaterThan(from);
    expect(synced).toBeGreaterThan(written);
    expect(endOf(synced)).toBeGreaterThanOrEqual(synced);
    expect(endOf(synced)).toBeLessThan(to);
  }
});
