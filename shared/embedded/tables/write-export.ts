// A table as objects, in the form of DynamoDB's own exports:
//
//   PREFIX/AWSDynamoDB/ID/data/NAME.json.gz        lines {"Item":{…}}
//   PREFIX/AWSDynamoDB/ID/manifest-files.json      a line for each of them
//   PREFIX/AWSDynamoDB/ID/manifest-summary.json
import { randomBytes } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { Row } from '../database.ts';
import type { Request } from './request.ts';

export type PutObject = (request: Request) => Promise<object>;

/** About so much text is one data file. */
const FILE_BYTES = 8 * 1_024 * 1_024;
/** Read at once. Others have their turn in between. */
const CHUNK_BYTES = 128 * 1_024;

export type ExportFiles = {
  readonly arn: string;
  readonly exportedMs: number;
  readonly bucket: string;
  readonly prefix: string | undefined;
  readonly putObject: PutObject;
  /** Is called after each file. */
  readonly touch: () => Promise<void>;
};

/** Writes the items of these rows. Gives what the description of an export tells at its end. */
export async function writeExport(rows: Iterator<Row>, to: ExportFiles) {
  const { arn, bucket, prefix, putObject, touch } = to;
  const folder = `${prefix === undefined ? '' : `${prefix}/`}AWSDynamoDB/${arn.split('/').at(-1)}/`;
  const put = async (name: string, Body: unknown, ContentType: string): Promise<string> => {
    const stored = await putObject({ Bucket: bucket, Key: folder + name, Body, ContentType });
    return (stored as { ETag: string }).ETag.replaceAll('"', '');
  };
  const files: string[] = [];
  const size = { items: 0, bytes: 0 };
  for (let isLast = false; !isLast; ) {
    const [before, upTo] = [size.items, size.bytes + FILE_BYTES];
    const name = `data/${randomBytes(13).toString('hex')}.json.gz`;
    const etag = await put(name, compressed(linesOf(rows, size, upTo)), 'application/gzip');
    isLast = size.bytes < upTo;
    const md5Checksum = Buffer.from(etag, 'hex').toString('base64');
    const file = { itemCount: size.items - before, md5Checksum, etag, dataFileS3Key: folder + name };
    files.push(`${JSON.stringify(file)}\n`);
    await touch();
  }
  await put('manifest-files.json', files.join(''), 'application/json');
  const summary = {
    ...{ version: '2020-06-30', exportArn: arn, s3Bucket: bucket, s3Prefix: prefix ?? null },
    exportTime: new Date(to.exportedMs).toISOString(),
    manifestFilesS3Key: `${folder}manifest-files.json`,
    ...{ itemCount: size.items, billedSizeBytes: size.bytes, outputFormat: 'DYNAMODB_JSON' },
  };
  await put('manifest-summary.json', JSON.stringify(summary), 'application/json');
  return {
    ItemCount: size.items,
    BilledSizeBytes: size.bytes,
    ExportManifest: `${folder}manifest-summary.json`,
  };
}

/** The lines of one file, in chunks. */
function* linesOf(rows: Iterator<Row>, size: { items: number; bytes: number }, upTo: number) {
  let isOver = false;
  while (!isOver) {
    let text = '';
    while (text.length < CHUNK_BYTES && !isOver) {
      const { done, value } = rows.next();
      if (!done) {
        const line = `{"Item":${value.item}}\n`;
        text += line;
        size.items += 1;
        size.bytes += line.length;
      }
      isOver = done === true || size.bytes >= upTo;
    }
    if (text !== '') yield text;
  }
}

// A failure of the lines is one of what comes out.
const compressed = (lines: Iterable<string>) =>
  pipeline(Readable.from(lines), createGzip({ level: constants.Z_BEST_SPEED }), () => undefined);
