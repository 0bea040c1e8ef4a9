import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { logger } from '../../../../../shared/log/logger.ts';
import { readPayments } from '../../../jobs/domain/cnab240/payments-list.ts';
import type { PaymentsIndex } from '../../../jobs/domain/job/approval.ts';
import { type Job, paymentsKey, stagedKey } from '../../../jobs/domain/job/job.ts';
import { workFiles } from '../../../storage/domain/stores.ts';
import { type IndexedPage, lineOf, PAYMENTS_PER_PAGE, sha256Of } from './entry.ts';

/** The measured copy on this worker's disk, and a folder for more. */
type Copy = { readonly path: string; readonly folder: string; readonly contentSha256: string };

/**
 * Writes the payments of a job beside its staged copy, so that a page of the portal reads a page, and not the file. The
 * job keeps what binds the index to it. Undefined where it could not be written: pages then read the file.
 *
 *   head   the length and the hash of each page     <- its hash is in the job
 *   pages  a hundred payments each                  <- their hashes are in the head
 */
export async function writePaymentsIndex(job: Job, copy: Copy): Promise<PaymentsIndex | undefined> {
  try {
    const path = join(copy.folder, 'payments');
    const pages = await writePages(copy, path);
    const work = await workFiles();
    const staged = pages && (await work.head(stagedKey(job)));
    if (!staged) return undefined;
    const head = Buffer.from(`${JSON.stringify(pages)}\n`);
    const parts = async function* () {
      yield head;
      yield* createReadStream(path);
    };
    await work.put(paymentsKey(job), Readable.from(parts()), { contentType: 'application/octet-stream' });
    return { headBytes: head.length, headSha256: sha256Of(head), stagedEtag: staged.etag };
  } catch (error) {
    logger('batch').warn('The payments of a job were not indexed.', { jobId: job.id, error });
    return undefined;
  }
}

/** The pages of the index, on disk. Undefined where the bytes are not those that were measured. */
async function writePages(
  { path, contentSha256 }: Copy,
  to: string,
): Promise<readonly IndexedPage[] | undefined> {
  const pages: IndexedPage[] = [];
  let lines: string[] = [];
  const file = openSync(to, 'w');
  const endPage = (): void => {
    const page = Buffer.from(lines.join(''));
    lines = [];
    // Some 40 KB at a time: the records are visited without a pause.
    writeSync(file, page);
    pages.push({ bytes: page.length, sha256: sha256Of(page) });
  };
  try {
    const sha256 = await readPayments(createReadStream(path), (payment) => {
      lines.push(lineOf(payment));
      if (lines.length === PAYMENTS_PER_PAGE) endPage();
    });
    if (lines.length > 0) endPage();
    return sha256 === contentSha256 ? pages : undefined;
  } finally {
    closeSync(file);
  }
}
