import { type BackupResult, backUp } from '../../../infra/host/backup/backup.ts';
import type { Manifest } from '../../../infra/host/backup/layout.ts';
import { findBackup, restore, verifyBackup } from '../../../infra/host/backup/restore.ts';
import { RING_FILE } from '../../../infra/local/stores/ring-file.ts';
import { AdminRefusal } from '../../../shared/access/administration.ts';
import { dataFolder, explained, type InstallationValues, packageVersion, requirePath } from './options.ts';

const KEPT = 7;

/** Backs up the data folder of an installation, which may be running. */
export const backUpInstallation = (values: InstallationValues): Promise<string> =>
  explained(async () => {
    const to = requirePath('to', values.to, 'DIR');
    const [dataDir, keep] = [await dataFolder(values), numberOf(values.keep)];
    return describe(await backUp({ dataDir, to, keep, version: packageVersion() }), to);
  });

function describe({ manifest, folder, copied, removed }: BackupResult, to: string): string {
  const keys = keysOf(manifest);
  const secrets =
    keys.length > 0
      ? `IT HOLDS THE SEALING KEYS (${keys.join(', ')}): whoever has this folder can read every secret and sign with every key that is kept. Without them no secret can be read again.`
      : 'IT HOLDS NO SEALING KEY: they are in the settings of this installation. Keep them elsewhere; without them no secret of this backup can be read.';
  return [
    `Backed up to ${folder}: ${summaryOf(manifest)}.`,
    `Copied ${copied.count} new files of content, ${copied.bytes} bytes; the others were in ${to} already.`,
    ...(removed.length > 0 ? [`Removed the oldest: ${removed.join(', ')}.`] : []),
    secrets,
  ].join('\n');
}

/** Restores a backup into an empty data folder, or only verifies it. */
export const restoreInstallation = (values: InstallationValues, dryRun = false): Promise<string> =>
  explained(async () => {
    const backup = findBackup(requirePath('from', values.from, 'DIR'));
    if (dryRun)
      return `${backup} is complete, and every file has its SHA-256: ${summaryOf(await verifyBackup(backup))}.`;
    const into = await dataFolder(values);
    const manifest = await restore(backup, into);
    const noKeys =
      keysOf(manifest).length === 0
        ? ['It has no sealing key: start with the settings that the old installation had.']
        : [];
    return [`Restored ${backup} into ${into}: ${summaryOf(manifest)}.`, ...noKeys].join('\n');
  });

const summaryOf = ({ takenAt, rows, content }: Manifest): string => {
  const items = Object.entries(rows).reduce(
    (sum, [table, count]) => sum + (table.startsWith('items_') ? count : 0),
    0,
  );
  return `all data of ${takenAt}, ${items} items of tables, ${content.count} files of content with ${content.bytes} bytes`;
};

const keysOf = ({ files }: Manifest): string[] =>
  files.map(({ path }) => path).filter((path) => path.endsWith(RING_FILE));

function numberOf(text: string | undefined): number {
  const number = text === undefined ? KEPT : Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new AdminRefusal(`--keep takes a number from 1, not "${text}".`);
  return number;
}
