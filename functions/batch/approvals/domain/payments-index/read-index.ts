import { statusOf } from '../../../../../shared/files/errors.ts';
import type { ListedPayment } from '../../../jobs/domain/cnab240/payments-list.ts';
import type { PaymentsIndex } from '../../../jobs/domain/job/approval.ts';
import { type Job, paymentsKey, stagedKey } from '../../../jobs/domain/job/job.ts';
import { jobStates } from '../../../jobs/domain/job/states.ts';
import { withWorkInReach, workFiles } from '../../../storage/domain/stores.ts';
import { type IndexedPage, paymentOf, sha256Of, textOf } from './entry.ts';

/** The index of a job, if it is there. Every part that is read is the part that was written when the job was parked. */
export type OpenIndex = {
  readonly pageCount: number;
  readonly readPage: (page: number) => Promise<readonly ListedPayment[]>;
  /** All payments whose folded texts contain this one, in their order. */
  readonly search: (folded: string) => AsyncIterable<ListedPayment>;
};

/** The index, or the staged copy, is not as it was when the job was parked. */
export class IndexChanged extends Error {
  override readonly name = 'IndexChanged';
}

/**
 * Opens the index of a job. 'missing' where there is none, 'gone' where nothing of what people saw is left. Throws
 * IndexChanged, as its functions do.
 */
export const openIndex = (
  job: Job,
  { headBytes, headSha256, stagedEtag }: PaymentsIndex,
): Promise<OpenIndex | 'missing' | 'gone'> =>
  withWorkInReach(async () => {
    const work = await workFiles();
    const key = paymentsKey(job);
    const hasEnded = jobStates.isTerminal(job.state);
    const [staged, head] = await Promise.all([
      hasEnded ? undefined : work.head(stagedKey(job)),
      work.readRange(key, { from: 0, length: headBytes }),
    ]);
    // What was decided stays to be seen; what is to be decided must still be what it was.
    if (!staged && !hasEnded) return 'gone';
    if (!head) return hasEnded ? 'gone' : 'missing';
    if ((staged && staged.etag !== stagedEtag) || sha256Of(head) !== headSha256) throw new IndexChanged();
    const pages = JSON.parse(head.toString()) as readonly IndexedPage[];

    const readLines = async (index: number): Promise<readonly string[]> => {
      const page = pages[index];
      if (!page) return [];
      const from = pages.slice(0, index).reduce((sum, { bytes }) => sum + bytes, headBytes);
      return linesOf(page, await work.readRange(key, { from, length: page.bytes }).catch(refuseShort));
    };
    return {
      pageCount: Math.max(1, pages.length),
      readPage: async (page) => (await readLines(page - 1)).map(paymentOf),
      async *search(folded: string) {
        const opened = await work.get(key);
        if (!opened) throw new IndexChanged();
        try {
          for await (const [page, bytes] of partsOf(opened.stream, headBytes, pages))
            for (const line of linesOf(page, bytes)) if (textOf(line).includes(folded)) yield paymentOf(line);
        } finally {
          opened.stream.destroy();
        }
      },
    };
  });

const RANGE_NOT_SATISFIABLE = 416;

function refuseShort(error: unknown): never {
  throw statusOf(error) === RANGE_NOT_SATISFIABLE ? new IndexChanged() : error;
}

function linesOf(page: IndexedPage, bytes: Buffer | undefined): readonly string[] {
  if (!bytes || sha256Of(bytes) !== page.sha256) throw new IndexChanged();
  return bytes.toString().split('\n').slice(0, -1);
}

/** The pages of a stream, behind its head. */
async function* partsOf(
  stream: AsyncIterable<Buffer>,
  headBytes: number,
  pages: readonly IndexedPage[],
): AsyncGenerator<readonly [IndexedPage, Buffer]> {
  let chunks: Buffer[] = [];
  let length = 0;
  let skip = headBytes;
  let next = 0;
  for await (const chunk of stream) {
    const skipped = Math.min(skip, chunk.length);
    skip -= skipped;
    chunks.push(chunk.subarray(skipped));
    length += chunk.length - skipped;
    for (let page = pages[next]; page && length >= page.bytes; page = pages[next]) {
      const all = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      yield [page, all.subarray(0, page.bytes)];
      chunks = [all.subarray(page.bytes)];
      length -= page.bytes;
      next += 1;
    }
  }
  if (next < pages.length) throw new IndexChanged();
}
