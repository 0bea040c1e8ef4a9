import { ScanCommand } from '@aws-sdk/client-dynamodb';
import type { Files } from '../../../../../shared/files/files.ts';
import { tableName } from '../../../../../shared/settings/names.ts';
import { dynamo } from '../../../../../shared/store/client.ts';
import type { Attributes } from '../../../../../shared/store/item.ts';
import { parseLine } from '../../../../../shared/store/lines/lines.ts';
import { lineWriter } from '../../../../../shared/store/lines/write-lines.ts';
import { SHARES_PK } from '../../../storage/domain/share.ts';
import type { Manifest } from '../manifest.ts';
import { readPart, verifyBackup } from './verify.ts';

/** The table has items: a restore would mix two stores. */
export class TableNotEmpty extends Error {
  override readonly name = 'TableNotEmpty';
}

export type Restored = { readonly manifest: Manifest; readonly puts: number; readonly deletes: number };

/**
 * Writes a backup into the table of this process's stage, which must be empty. The whole backup is verified before the
 * first write. Throws TableNotEmpty or BackupDamaged.
 */
export async function restoreBackup(store: Files, backupId: string): Promise<Restored> {
  await requireEmptyTable();
  const { manifest } = await verifyBackup(store, backupId);
  await requireEmptyTable();
  let [puts, deletes] = [0, 0];
  // One part after another, and of one part no key twice in a request: the last line of a key wins.
  for (const part of manifest.parts) {
    const writer = lineWriter(tableName('batch'));
    await readPart(store, backupId, part, (text) => {
      const line = parseLine(text);
      if ('put' in line) puts += 1;
      else deletes += 1;
      return writer.add(line);
    });
    await writer.flush();
  }
  return { manifest, puts, deletes };
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
