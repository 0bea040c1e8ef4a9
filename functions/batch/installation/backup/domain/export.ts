import {
  DescribeExportCommand,
  DescribeTableCommand,
  ExportTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { ownBucket } from '../../../../../shared/files/client.ts';
import { files } from '../../../../../shared/files/files.ts';
import { tableName } from '../../../../../shared/settings/names.ts';
import { dynamo } from '../../../../../shared/store/client.ts';
import { folderOf } from './target.ts';

/** The store has no exports: it is another engine, or point-in-time recovery is switched off. */
export class NoExports extends Error {
  override readonly name = 'NoExports';

  constructor(options?: ErrorOptions) {
    super(
      'The store cannot export its table: switch on point-in-time recovery of the table, or use the backup of the engine that it runs on.',
      options,
    );
  }
}

const REFUSALS = ['UnknownOperationException', 'PointInTimeRecoveryUnavailableException'];
const NOT_IMPLEMENTED = 501;

/**
 * Has the store export the table to the folder of a backup in the service's own bucket. Gives the name of the export: the
 * same for a backup, however often it is called. Throws NoExports.
 */
export async function beginExport(backupId: string): Promise<string> {
  const { Table } = await dynamo().send(new DescribeTableCommand({ TableName: tableName('batch') }));
  try {
    const { ExportDescription } = await dynamo().send(
      new ExportTableToPointInTimeCommand({
        TableArn: Table?.TableArn,
        S3Bucket: ownBucket('batch').name,
        S3Prefix: folderOf(backupId).slice(0, -1),
        ClientToken: backupId,
      }),
    );
    if (ExportDescription?.ExportArn === undefined) throw new Error('The store named no export.');
    return ExportDescription.ExportArn;
  } catch (error) {
    const { name, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
    const isRefused = REFUSALS.includes(name) || $metadata?.httpStatusCode === NOT_IMPLEMENTED;
    throw isRefused ? new NoExports({ cause: error }) : error;
  }
}

export type Export =
  | { readonly status: 'IN_PROGRESS' }
  | { readonly status: 'FAILED'; readonly reason: string }
  | { readonly status: 'COMPLETED'; readonly exportedAtMs: number; readonly items: number };

/** What has become of an export. */
export async function followExport(ExportArn: string): Promise<Export> {
  try {
    const { ExportDescription } = await dynamo().send(new DescribeExportCommand({ ExportArn }));
    const { ExportStatus, ExportTime, ItemCount = 0, FailureMessage } = ExportDescription ?? {};
    if (ExportStatus === 'COMPLETED' && ExportTime)
      return { status: 'COMPLETED', exportedAtMs: ExportTime.getTime(), items: ItemCount };
    if (ExportStatus === 'IN_PROGRESS') return { status: 'IN_PROGRESS' };
    return { status: 'FAILED', reason: `The export failed: ${FailureMessage ?? 'no reason was given.'}` };
  } catch (error) {
    if ((error as Error).name !== 'ExportNotFoundException') throw error;
    return { status: 'FAILED', reason: 'The store does not know its export any more.' };
  }
}

const ExportedFile = z.object({ itemCount: z.int(), dataFileS3Key: z.string() });

// Some 200 bytes a file.
const MAX_LIST_BYTES = 16 * 1024 * 1024;

/** The data files of a complete export, by their keys below the folder of the backup. */
export async function exportedFiles(backupId: string, exportArn: string) {
  const folder = `AWSDynamoDB/${exportArn.split('/').at(-1)}/`;
  const key = `${folderOf(backupId)}${folder}manifest-files.json`;
  const text = await files('batch').read(key, MAX_LIST_BYTES);
  if (!text) throw new Error(`The export has no list of its files: ${key} is not there.`);
  return (
    text
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ExportedFile.parse(JSON.parse(line)))
      // A part of the table that is empty has a file without content.
      .filter(({ itemCount }) => itemCount > 0)
      .map(({ itemCount, dataFileS3Key }) => ({
        name: `${folder}data/${dataFileS3Key.split('/').at(-1)}`,
        lines: itemCount,
      }))
  );
}
