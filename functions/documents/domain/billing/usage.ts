import { shardedCounter } from '../../../../shared/store/counter.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { dayOf } from '../calendar.ts';

/** The transactions that an organization is charged for. */
export const TRANSACTION_TYPES = ['Document', 'Signature', 'Approval'] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

export type Month = { readonly year: number; readonly month: number };

// Bulk signing writes the counters with every document. Eight shards take 4,000 writes a second.
const SHARDS = 8;
const usageCounter = shardedCounter({ service: 'documents', name: 'usage', shards: SHARDS });
const storageCounter = shardedCounter({ service: 'documents', name: 'storage', shards: SHARDS });

/** The month as yyyy-MM, for the keys of invoices and counters. */
export const monthName = ({ year, month }: Month): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;

/** The calendar month in Brasília. */
export function monthOf(atMs: number): Month {
  const [year, month] = dayOf(atMs).split('-').map(Number);
  return { year: Number(year), month: Number(month) };
}

const nameOf = (organizationId: string, month: Month, type: TransactionType): string =>
  `${organizationId}#${monthName(month)}#${type}`;

/**
 * The write that counts a transaction, to be committed with the change that it counts.
 * @example also: [counting(document.organizationId, 'Signature', nowMs)]
 */
export const counting = (organizationId: string, type: TransactionType, atMs: number, amount = 1): Write =>
  usageCounter.adding(nameOf(organizationId, monthOf(atMs), type), amount);

/**
 * The write that adds stored bytes to an organization; a negative number frees them.
 * @example also: [storing(document.organizationId, -sizeOfAll(document))]
 */
export const storing = (organizationId: string, bytes: number): Write =>
  storageCounter.adding(organizationId, bytes);

/** The transactions of an organization in one month. */
export async function usageOf(
  organizationId: string,
  month: Month,
): Promise<Readonly<Record<TransactionType, number>>> {
  const read = (type: TransactionType): Promise<number> =>
    usageCounter.read(nameOf(organizationId, month, type));
  const [Document, Signature, Approval] = await Promise.all([
    read('Document'),
    read('Signature'),
    read('Approval'),
  ]);
  return { Document, Signature, Approval };
}

/** The bytes that an organization stores now. */
export const storageOf = (organizationId: string): Promise<number> => storageCounter.read(organizationId);
