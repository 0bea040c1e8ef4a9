import { ScanCommand } from '@aws-sdk/client-dynamodb';
import type { Files } from '../../../../../../shared/files/files.ts';
import { tableName } from '../../../../../../shared/settings/names.ts';
import { dynamo } from '../../../../../../shared/store/client.ts';
import type { Attributes } from '../../../../../../shared/store/item.ts';
import { parseLine } from '../../../../../../shared/store/lines/lines.ts';
import { itemWriter } from '../../../../../../shared/store/lines/write-items.ts';
import { SHARES_PK } from '../../../../storage/domain/share.ts';
import type { Manifest } from '../manifest.ts';
import { readPart, verifyBackup } from './verify.ts';

/** The table has items: a restore would mix two stores. */
export class TableNotEmpty extends Error {
  override readonly name = 'TableNotEmpty';
}

/** Items of the backups themselves, of browsers that sign in again, and those that count within minutes. */
const LEFT_OUT = /^(?:BACKUPS$|DUE#backup:|RATE#|SEMAPHORE#|(?:OPERATOR|APPROVER)-SESSION#|IDP-SIGN-IN#)/;

export type Restored = { readonly manifest: Manifest; readonly written: number; readonly leftOut: number };

/**
 * Writes a backup into the table of this process's stage, which must be empty. The whole backup is verified before the
 * first write. Throws TableNotEmpty or BackupDamaged.
 */
export async function restoreBackup(store: Files, backupId: string): Promise<Restored> {
  await requireEmptyTable();
  const { manifest } = await verifyBackup(store, backupId);
  await requireEmptyTable();
  const writer = itemWriter(tableName('batch'));
  let [written, leftOut] = [0, 0];
  for (const part of manifest.parts.filter(({ kind }) => kind === 'items'))
    await readPart(store, backupId, part, (text) => {
      const item = parseLine(text);
      if (LEFT_OUT.test(item.pk?.S ?? '')) {
        leftOut += 1;
        return undefined;
      }
      written += 1;
      return writer.add(item);
    });
  await writer.flush();
  return { manifest, written, leftOut };
}

/** Shares may be there: the backup may be on one, and is opened with its record. */
async function requireEmptyTable(): Promise<void> {
  const TableName = tableName('batch');
  let start: Attributes | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamo().send(
      new ScanCommand({ TableName, ConsistentRead: true, Limit: 100, ExclusiveStartKey: start }),
    );
    const other = Items.find(({ pk }) => pk?.S !== SHARES_PK);
    if (other)
      throw new TableNotEmpty(
        `The table ${TableName} has items, ${other.pk?.S} among them. A backup is restored into an empty table only.`,
      );
    start = LastEvaluatedKey;
  } while (start);
}
