// Run by exports.test.ts, which kills it: begins an export that never writes its first object.
import { openDatabase } from '../../../../shared/embedded/database.ts';
import { createTableStore } from '../../../../shared/embedded/tables/store.ts';
import { tableArn } from '../../../../shared/embedded/tables/tables.ts';
import { TableName } from './accounts.ts';

const [folder = '', S3Bucket = ''] = process.argv.slice(2);
const putObject = () => new Promise<object>(() => undefined);
const tables = createTableStore(openDatabase(folder), { now: Date.now, strict: undefined, putObject });
const { ExportDescription } = (await tables.run('ExportTableToPointInTime', {
  TableArn: tableArn(TableName),
  S3Bucket,
})) as { ExportDescription: { ExportArn: string } };
process.send?.(ExportDescription.ExportArn);
