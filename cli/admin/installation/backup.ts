import {
  BackupDamaged,
  completeBackups,
  type Manifest,
  readManifest,
} from '../../../functions/batch/installation/backup/domain/manifest.ts';
import { recount } from '../../../functions/batch/installation/backup/domain/restore/recount.ts';
import {
  restoreBackup,
  TableNotEmpty,
} from '../../../functions/batch/installation/backup/domain/restore/restore.ts';
import { verifyBackup } from '../../../functions/batch/installation/backup/domain/restore/verify.ts';
import { targetFiles, targetName } from '../../../functions/batch/installation/backup/domain/target.ts';
import { ShareUnusable } from '../../../functions/batch/storage/domain/share.ts';
import { createDeclared } from '../../../infra/runtime/resources/create.ts';
import { readDeclared } from '../../../infra/runtime/resources/read.ts';
import { AdminRefusal } from '../../../shared/access/administration.ts';
import { isLocal, LOCAL_STAGE, stage, tableName } from '../../../shared/settings/names.ts';

/** The complete backups of Backup:Target, newest first. */
export const list = (): Promise<string> =>
  explained(async () => {
    const store = await targetFiles();
    const ids = await completeBackups(store);
    const lines: string[] = [];
    for (const id of ids) {
      const manifest = await readManifest(store, id).catch(() => undefined);
      lines.push(manifest ? lineOf(manifest) : `${id}  its manifest cannot be read`);
    }
    return lines.length > 0 ? lines.join('\n') : `There are no backups in ${targetName()}.`;
  });

const lineOf = ({ id, cutAt, counts, files }: Manifest): string =>
  `${id}  of ${cutAt}  ${counts.items} items, ${counts.bytes} bytes; ${files.count} files listed`;

export const verify = (id: string): Promise<string> =>
  explained(async () => {
    const { manifest, lines } = await verifyBackup(await targetFiles(), id);
    return `${lineOf(manifest)}\nIts manifest has its HMAC, every file its SHA-256, and all ${lines} lines can be read.`;
  });

/** Restores a backup of this stage into the empty table of another, or of the same. */
export const restore = (id: string, into: string | undefined): Promise<string> =>
  explained(async () => {
    if (into === undefined || !/^[a-z][a-z0-9-]*$/.test(into))
      throw new AdminRefusal('Name the stage whose empty table it is restored into: --into STAGE.');
    const store = await targetFiles();
    const from = stage();
    // The stores of one machine have the tables of any stage. In an account a stage is deployed first.
    if (isLocal() && into !== LOCAL_STAGE)
      await createDeclared(readDeclared(process.cwd(), into), () => undefined);
    process.env.STAGE = into;
    try {
      const { manifest, written, leftOut } = await restoreBackup(store, id);
      const { compared, isRight, ...counted } = await recount();
      const rows = compared.map(
        ({ what, expected, found, isSame }) =>
          `  ${what}: ${expected} follow from jobs and events, ${found} are there${isSame ? '' : ': NOT THE SAME'}`,
      );
      const result = [
        `Restored ${id} of ${manifest.cutAt} into ${tableName('batch')}: ${written} items written, ${leftOut} left out.`,
        `Recounted ${counted.jobs} jobs and ${counted.events} events:`,
        ...rows,
        isRight ? 'All agree. The files are not in a backup: copy them.' : '',
      ].join('\n');
      if (!isRight) throw new Error(`${result}The restored table does not agree with itself. Do not use it.`);
      return result;
    } finally {
      process.env.STAGE = from;
    }
  });

/** What an operator can do something about is said in a line. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isKnown =
      error instanceof BackupDamaged || error instanceof TableNotEmpty || error instanceof ShareUnusable;
    if (isKnown) throw new AdminRefusal(error.message);
    if ((error as Error).name === 'ResourceNotFoundException')
      throw new AdminRefusal('The stage has no table. Deploy the service there first.');
    throw error;
  }
}
