import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockData, openToOthers } from '../../../infra/host/data-folder.ts';

test('a data folder that others may read is told with the command that closes it', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'sinete-folder-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const made = join(parent, 'made');
  (await lockData(made, 3000)).release();
  expect(openToOthers(made)).toBeUndefined();

  const older = join(parent, 'older');
  mkdirSync(join(older, 'store'), { recursive: true });
  for (const folder of [older, join(older, 'store')]) chmodSync(folder, 0o755);
  const [, command = ''] = openToOthers(older)?.split('Close it: ') ?? [];
  execFileSync('sh', ['-c', command]);
  expect(statSync(join(older, 'store')).mode & 0o777).toBe(0o700);
  expect(openToOthers(older)).toBeUndefined();
});
