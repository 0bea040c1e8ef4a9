import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { requireRingIn } from '../../../infra/local/stores/ring-file.ts';
import { openStores } from '../../../shared/embedded/stores.ts';
import { bareEnvironment, command } from '../../infra/child.ts';
import { admin } from './in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'sinete-installation-'));
afterAll(() => rmSync(folder, { recursive: true }));

const data = join(folder, 'data');
openStores({ folder: join(data, 'store') }).close();

describe('npm run admin -- backup', () => {
  const to = join(folder, 'backups');

  test('works on a data folder without an engine, and says loudly where the sealing keys are', async () => {
    const asProcess = command('cli/admin/admin.ts', { env: bareEnvironment() });
    const without = await asProcess('backup', '--to', to, '--data', data);
    expect(without).toMatchObject({ code: 0, error: '' });
    expect(without.out).toMatch(
      /^Backed up to .*Z: all data of .*, 0 items of tables, 0 files of content with 0 bytes\.\n/,
    );
    expect(without.out).toContain('IT HOLDS NO SEALING KEY: they are in the settings of this installation.');
    requireRingIn(data);
    const { out } = await admin('backup', '--to', to, '--data', data, '--keep', '1');
    expect(out).toContain('Removed the oldest: ');
    expect(out).toContain('IT HOLDS THE SEALING KEYS (data/sealing.keys)');
  });

  test('is restored into an empty folder, and verified by --dry-run', async () => {
    const into = join(folder, 'restored');
    const verified = await admin('restore', '--from', to, '--data', into, '--dry-run');
    expect(verified.out).toMatch(/is complete, and every file has its SHA-256: all data of/);
    expect(existsSync(into)).toBe(false);
    expect((await admin('restore', '--from', to, '--data', into)).out).toMatch(
      /^Restored .* into .*restored: all data/,
    );
    expect(readdirSync(into).toSorted()).toEqual(['sealing.keys', 'store']);
    const again = await admin('restore', '--from', to, '--data', into);
    expect(again).toMatchObject({ code: 1, out: '', error: expect.stringContaining('is not empty') });
  });

  test('takes the data folder of a host from its file', async () => {
    const config = join(folder, 'sinete.yaml');
    writeFileSync(config, 'stage: prod\npublicUrl: https://assina.example.com\ndata: data\n');
    const { out } = await admin('backup', '--to', join(folder, 'of-host'), '--config', config);
    expect(out).toContain('IT HOLDS THE SEALING KEYS');
    writeFileSync(config, 'stage: prod\npublicUrl: https://assina.example.com\nstores: aws\n');
    const { error } = await admin('backup', '--to', join(folder, 'of-host'), '--config', config);
    expect(error).toBe(
      `${config} has no data folder: its stores are elsewhere (stores: aws). Back them up there.`,
    );
  });

  test.each([
    [['backup'], 'Name where: --to DIR'],
    [['restore'], 'Name where: --from DIR'],
    [['backup', '--to', 'x', '--keep', 'many'], '--keep takes a number from 1, not "many".'],
    [['backup', 'lst'], 'There is no command "backup lst". Did you mean backup list? See: npm run admin'],
    [['restore', '--from', folder], `${folder} is no folder of backups, and no backup. Name one: --from DIR`],
  ])('%j is refused in one line', async (words, line) => {
    expect(await admin(...words, '--data', data)).toEqual({ code: 1, out: '', error: line });
  });
});
