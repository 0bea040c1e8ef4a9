import { createHash } from 'node:crypto';
import { formatReais } from '../../../jobs/domain/cnab240/figures.ts';
import type { ListedPayment } from '../../../jobs/domain/cnab240/payments-list.ts';

export const PAYMENTS_PER_PAGE = 100;

/** A page of the index: its bytes, and their SHA-256 in base64url. */
export type IndexedPage = { readonly bytes: number; readonly sha256: string };

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');

// One line for each payment: the payment, then the texts that a search looks into, folded once and for all. JSON has no
// raw tab, and folded texts have no white space but the blank.
const BEFORE_TEXTS = '\t';
const BETWEEN_TEXTS = '\u001f';

/** A payment as a line of the index. */
export const lineOf = (payment: ListedPayment): string =>
  `${JSON.stringify({ ...payment, centavos: String(payment.centavos) })}${BEFORE_TEXTS}${searchedTextOf(payment)}\n`;

/** The payment of a line. */
export function paymentOf(line: string): ListedPayment {
  const payment = JSON.parse(line.slice(0, line.indexOf(BEFORE_TEXTS)));
  return { ...payment, centavos: BigInt(payment.centavos) };
}

/** The searched texts of a line. */
export const textOf = (line: string): string => line.slice(line.indexOf(BEFORE_TEXTS) + 1);

// Unicode NFD divides a letter from its accent.
export const fold = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').toLowerCase();

/** Payee, document, account, barcode and value, folded. Each text is by itself: a search does not match across two. */
export function searchedTextOf({ payee, document, account, barcode, centavos }: ListedPayment): string {
  const value = formatReais(centavos);
  const plain = value.replace(/[^\d,]/g, '');
  const texts = [
    payee,
    ...(document ? [document.shown, document.whole, document.whole.replace(/[./-]/g, '')] : []),
    ...(account ? [`${account.bank} ${account.branch} ${account.account}`] : []),
    barcode ?? '',
    ...[value, plain, plain.replace(',', '.')],
  ];
  return texts.map(fold).join(BETWEEN_TEXTS);
}
