import type { Readable } from 'node:stream';
import { type Cnab240Figures, createTally } from '../../jobs/domain/cnab240/figures.ts';
import { Cnab240Invalid } from '../../jobs/domain/cnab240/invalid.ts';
import { type ListedPayment, readPayments } from '../../jobs/domain/cnab240/payments-list.ts';
import { fold, PAYMENTS_PER_PAGE, searchedTextOf } from './payments-index/entry.ts';
import { IndexChanged, type OpenIndex, openIndex } from './payments-index/read-index.ts';
import { openStaged, type VisibleJob } from './visible-job.ts';

const MAX_SEARCH_CHARACTERS = 100;

/** A search in a file, and the page of its results. Both are as somebody typed them. */
export type PaymentsRequest = { readonly search: string; readonly page: number };

type Figures = Omit<Cnab240Figures, 'contentSha256'>;

export type PaymentsPage =
  /** The staged copy is not what people are asked about, or cannot be read any more: nothing of it is shown. */
  | { readonly outcome: 'changed' }
  /** The job has ended, and its copy is in its place. */
  | { readonly outcome: 'gone' }
  | {
      readonly outcome: 'listed';
      readonly payments: readonly ListedPayment[];
      readonly search: string;
      readonly page: number;
      readonly pageCount: number;
      /** Of the whole file. */
      readonly total: Figures;
      /** Of the payments that were found, on all pages. */
      readonly found: Figures;
    };

/**
 * A page of the payments of a job, from the index that was written when it was parked, or from the staged copy where
 * there is none. Nothing is given out that is not what the job was parked with. A page that does not exist is the last
 * one. Memory holds one page.
 */
export async function readPaymentsPage(job: VisibleJob, request: PaymentsRequest): Promise<PaymentsPage> {
  const search = request.search.trim().slice(0, MAX_SEARCH_CHARACTERS);
  const { paymentsIndex } = job.approval;
  try {
    const index = paymentsIndex ? await openIndex(job, paymentsIndex) : 'missing';
    if (index === 'gone') return { outcome: 'gone' };
    if (index !== 'missing' && job.cnab240)
      return await readIndexed(index, { search, page: request.page }, job.cnab240);
  } catch (error) {
    if (error instanceof IndexChanged) return { outcome: 'changed' };
    throw error;
  }
  return readStaged(job, { search, page: request.page });
}

async function readIndexed(
  index: OpenIndex,
  { search, page }: PaymentsRequest,
  total: Cnab240Figures,
): Promise<PaymentsPage> {
  if (search === '') {
    const shown = Math.min(page, index.pageCount);
    const payments = await index.readPage(shown);
    return {
      outcome: 'listed',
      payments,
      search,
      page: shown,
      pageCount: index.pageCount,
      total,
      found: total,
    };
  }
  const found = createCollector(page);
  for await (const payment of index.search(fold(search))) found.add(payment);
  return { outcome: 'listed', search, total, ...found.result(total.contentSha256) };
}

/** Collects the payments that were found: their figures, and one page of them. */
function createCollector(page: number) {
  const tally = createTally();
  let payments: ListedPayment[] = [];
  let count = 0;
  return {
    add(payment: ListedPayment): void {
      tally.add(payment);
      // Pages up to the one that was asked for take the place of one another.
      if (count < page * PAYMENTS_PER_PAGE) {
        if (count % PAYMENTS_PER_PAGE === 0) payments = [];
        payments.push(payment);
      }
      count += 1;
    },
    result(sha256: string) {
      const pageCount = Math.max(1, Math.ceil(count / PAYMENTS_PER_PAGE));
      return { payments, page: Math.min(page, pageCount), pageCount, found: tally.figures(sha256) };
    },
  };
}

/** The same by reading all of the staged copy. Its bytes are hashed meanwhile. */
async function readStaged(job: VisibleJob, { search, page }: PaymentsRequest): Promise<PaymentsPage> {
  const opened = await openStaged(job);
  if (!opened) return { outcome: 'gone' };
  const matches = matcherOf(search);
  const [total, found] = [createTally(), createCollector(page)];
  const sha256 = await hashWhileReading(opened.stream, (payment) => {
    total.add(payment);
    if (matches(payment)) found.add(payment);
  });
  if (sha256 === undefined || sha256 !== job.approval.contentSha256) return { outcome: 'changed' };
  return { outcome: 'listed', search, total: total.figures(sha256), ...found.result(sha256) };
}

/** The SHA-256, or undefined where the bytes are no remittance: the file was one when it was parked. */
async function hashWhileReading(
  stream: Readable,
  collect: (payment: ListedPayment) => void,
): Promise<string | undefined> {
  try {
    return await readPayments(stream, collect);
  } catch (error) {
    if (error instanceof Cnab240Invalid) return undefined;
    throw error;
  } finally {
    stream.destroy();
  }
}

/** Whether a payment has the text in one of its own, in any case, accents or not. */
function matcherOf(search: string): (payment: ListedPayment) => boolean {
  if (search === '') return () => true;
  const wanted = fold(search);
  return (payment) => searchedTextOf(payment).includes(wanted);
}
