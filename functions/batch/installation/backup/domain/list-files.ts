import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { type Files, files } from '../../../../../shared/files/files.ts';
import { settings } from '../../../settings.ts';
import { workFiles } from '../../../storage/domain/stores.ts';
import type { Run } from './run.ts';
import { BACKUPS_FOLDER, folderOf, targetFiles } from './target.ts';

/** One line of the list of files: they are not in the backup themselves. */
export type FileLine = {
  readonly store: 'bucket' | 'work';
  readonly key: string;
  readonly length: number;
  readonly etag: string;
};

const NAME = 'files.jsonl.gz';

/** Stores a list of the files of the bucket, and of the work share where there is one. */
export async function listFiles(run: Run): Promise<void> {
  const { parts } = run.record();
  if (parts.some(({ name }) => name === NAME)) return;
  const size = { lines: 0, fileBytes: 0 };
  const linesOf = async function* (store: FileLine['store'], from: Files): AsyncGenerator<string> {
    for await (const page of from.pages('')) {
      const listed = page.filter(({ key }) => !key.startsWith(BACKUPS_FOLDER));
      size.lines += listed.length;
      for (const { length } of listed) size.fileBytes += length;
      yield listed
        .map(
          ({ key, length, etag }) => `${JSON.stringify({ store, key, length, etag } satisfies FileLine)}\n`,
        )
        .join('');
    }
  };
  const all = async function* (): AsyncGenerator<string> {
    yield* linesOf('bucket', files('batch'));
    if (settings['Storage:Work'] !== undefined) yield* linesOf('work', await workFiles());
  };
  const to = await targetFiles();
  const { length: bytes, sha256 } = await run.whileRenewed(() =>
    to.put(
      `${folderOf(run.id)}${NAME}`,
      pipeline(Readable.from(all()), createGzip(), () => undefined),
      { contentType: 'application/gzip' },
    ),
  );
  const { lines, fileBytes } = size;
  await run.save({ fileBytes, parts: [...parts, { name: NAME, kind: 'files', lines, bytes, sha256 }] });
}
