import { randomBytes } from 'node:crypto';
import type { Database, Row } from '../database.ts';
import { StoreError } from '../errors.ts';
import { onlyKnown, type Request } from './request.ts';
import { itemsSql, type Tables, tableArn } from './tables.ts';
import { type PutObject, writeExport } from './write-export.ts';

// A file of an export takes a fraction of a second.
const STALLED_MS = 60_000;
// As DynamoDB keeps them.
const KEPT_MS = 90 * 86_400_000;

type ExportsOptions = {
  readonly database: Database;
  readonly tables: Tables;
  readonly putObject: PutObject;
  readonly now: () => number;
};

// An export is written by the process that was asked for it, from one read transaction:
//
//   process 1  |--ExportTableToPointInTime--|--file--|--file--|-- killed
//   process 2       |--DescribeExport: IN_PROGRESS--|        (stands still) |--DescribeExport: FAILED--|

/** ExportTableToPointInTime and DescribeExport. */
export function createExports({ database, tables, putObject, now }: ExportsOptions) {
  database.run(`CREATE TABLE IF NOT EXISTS exports (arn TEXT PRIMARY KEY, token TEXT UNIQUE, status TEXT NOT NULL,
    description TEXT NOT NULL, touched INTEGER NOT NULL) STRICT, WITHOUT ROWID`);
  const find = (arn: string) => database.get('SELECT * FROM exports WHERE arn = ?', arn);

  async function exportTable(request: Request) {
    onlyKnown(request, ['TableArn', 'S3Bucket', 'S3Prefix', 'ClientToken']);
    const { S3Bucket, S3Prefix, ClientToken = randomBytes(16).toString('hex') } = request;
    const table = tables.find(String(request.TableArn).replace(/^.*:table\//, ''));
    const snapshot = database.snapshot();
    const exportedMs = now();
    const id = `${String(exportedMs).padStart(14, '0')}-${randomBytes(4).toString('hex')}`;
    const arn = `${tableArn(table.name)}/export/${id}`;
    const times = { ExportTime: exportedMs, StartTime: exportedMs };
    const description = JSON.stringify({
      ...{ TableArn: tableArn(table.name), TableId: String(table.id), ExportFormat: 'DYNAMODB_JSON' },
      ...{ S3Bucket, S3Prefix, ClientToken, ...times },
    });
    try {
      // The same request again, after an answer that was lost, finds its export.
      const row = await database.commit(() => {
        database.run('DELETE FROM exports WHERE touched < ?', exportedMs - KEPT_MS);
        const before = database.get('SELECT * FROM exports WHERE token = ?', String(ClientToken));
        if (before) return before;
        const inserting = "INSERT INTO exports VALUES (?, ?, 'IN_PROGRESS', ?, ?)";
        database.run(inserting, arn, String(ClientToken), description, exportedMs);
        return find(arn);
      });
      if (row?.arn !== arn) snapshot.close();
      else {
        const rows = snapshot.each(`SELECT item FROM ${itemsSql(table.id)}`);
        const [bucket, prefix] = [String(S3Bucket), S3Prefix as string | undefined];
        const to = { arn, exportedMs, bucket, prefix, putObject, touch: () => touch(arn) };
        void finish(arn, writeExport(rows, to)).finally(snapshot.close);
      }
      return { ExportDescription: describe(row) };
    } catch (error) {
      snapshot.close();
      throw error;
    }
  }

  async function describeExport(request: Request) {
    onlyKnown(request, ['ExportArn']);
    const arn = String(request.ExportArn);
    const found = find(arn);
    if (!found) throw new StoreError('ExportNotFoundException', `Export not found: ${arn}`);
    if (found.status === 'IN_PROGRESS' && Number(found.touched) <= now() - STALLED_MS)
      await finish(arn, Promise.reject(new Error('The process that wrote it was stopped.')));
    return { ExportDescription: describe(find(arn)) };
  }

  /** Shows that it is being written. Throws where it was taken for dead. */
  const touch = (arn: string): Promise<void> =>
    database.commit(() => {
      if (find(arn)?.status !== 'IN_PROGRESS') throw new Error('The export stood still for too long.');
      database.run('UPDATE exports SET touched = ? WHERE arn = ?', now(), arn);
    });

  /** Notes how an export ends. In a store that was closed it is seen to stand still. */
  async function finish(arn: string, writing: Promise<object>): Promise<void> {
    const note = (status: string, facts: object) =>
      database.commit(() =>
        database.run(
          "UPDATE exports SET status = ?, description = json_patch(description, ?) WHERE arn = ? AND status = 'IN_PROGRESS'",
          status,
          JSON.stringify({ ...facts, EndTime: now() }),
          arn,
        ),
      );
    await writing
      .then((facts) => note('COMPLETED', facts))
      .catch(({ name, message }: Error) => note('FAILED', { FailureCode: name, FailureMessage: message }))
      .catch(() => undefined);
  }

  return { ExportTableToPointInTime: exportTable, DescribeExport: describeExport };
}

function describe(row: Row | undefined): object {
  const description = JSON.parse(String(row?.description)) as Record<string, unknown>;
  const times = Object.entries(description)
    .filter(([name]) => name.endsWith('Time'))
    .map(([name, ms]) => [name, new Date(Number(ms))]);
  return { ...description, ...Object.fromEntries(times), ExportArn: row?.arn, ExportStatus: row?.status };
}
