import type { Readable } from 'node:stream';
import { type Cnab240Figures, createTally, formatReais } from '../../jobs/domain/cnab240/figures.ts';
import { Cnab240Invalid } from '../../jobs/domain/cnab240/invalid.ts';
import { type ListedPayment, readPayments } from '../../jobs/domain/cnab240/payments-list.ts';
import { openStaged, type VisibleJob } from './visible-job.ts';

export const PAYMENTS_PER_PAGE = 100;
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
 * A page of the payments in the staged copy. Its bytes are hashed while they are read, and nothing is given out where
 * they are not those that the job was parked with. A page that does not exist is the last one. Memory holds one page.
 */
export async function readPaymentsPage(job: VisibleJob, request: PaymentsRequest): Promise<PaymentsPage> {
  const opened = await openStaged(job);
  if (!opened) return { outcome: 'gone' };
  const search = request.search.trim().slice(0, MAX_SEARCH_CHARACTERS);
  const matches = matcherOf(search);
  const [total, found] = [createTally(), createTally()];
  let payments: ListedPayment[] = [];
  let count = 0;
  const collect = (payment: ListedPayment): void => {
    total.add(payment);
    if (!matches(payment)) return;
    found.add(payment);
    // Pages up to the one that was asked for take the place of one another.
    if (count < request.page * PAYMENTS_PER_PAGE) {
      if (count % PAYMENTS_PER_PAGE === 0) payments = [];
      payments.push(payment);
    }
    count += 1;
  };
  const sha256 = await hashWhileReading(opened.stream, collect);
  if (sha256 !== job.approval.contentSha256) return { outcome: 'changed' };
  const pageCount = Math.max(1, Math.ceil(count / PAYMENTS_PER_PAGE));
  return {
    outcome: 'listed',
    payments,
    search,
    page: Math.min(request.page, pageCount),
    pageCount,
    total: total.figures(sha256),
    found: found.figures(sha256),
  };
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

// Unicode NFD divides a letter from its accent.
const fold = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').toLowerCase();

/** Whether a payment has the text in its payee, document, account, barcode or value, in any case, accents or not. */
function matcherOf(search: string): (payment: ListedPayment) => boolean {
  if (search === '') return () => true;
  const wanted = fold(search);
  return (payment) => searchedTexts(payment).some((text) => fold(text).includes(wanted));
}

function searchedTexts({ payee, document, account, barcode, centavos }: ListedPayment): string[] {
  const value = formatReais(centavos);
  const plain = value.replace(/[^\d,]/g, '');
  return [
    payee,
    ...(document ? [document.shown, document.whole, document.whole.replace(/[./-]/g, '')] : []),
    ...(account ? [`${account.bank} ${account.branch} ${account.account}`] : []),
    barcode ?? '',
    ...[value, plain, plain.replace(',', '.')],
  ];
}
