import { shardedCounter } from '../../../../shared/store/counter.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { dayOf } from '../calendar.ts';

/** What an organization is charged for. */
export const TRANSACTION_TYPES = ['Document', 'Signature', 'Approval'] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

export type Month = { readonly year: number; readonly month: number };

// An organization that signs in bulk writes its counts with every document: eight items take 4,000 writes a second.
const SHARDS = 8;
const usageCounter = shardedCounter({ service: 'documents', name: 'usage', shards: SHARDS });
const storageCounter = shardedCounter({ service: 'documents', name: 'storage', shards: SHARDS });

/** The month as yyyy-MM: invoices are kept and counts are added up by it. */
export const monthName = ({ year, month }: Month): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;

/** The month in Brasília, where invoices are closed. */
export function monthOf(atMs: number): Month {
  const [year, month] = dayOf(atMs).split('-').map(Number);
  return { year: Number(year), month: Number(month) };
}

const nameOf = (organizationId: string, month: Month, type: TransactionType): string =>
  `${organizationId}#${monthName(month)}#${type}`;

/**
 * One more of what an organization is charged for, to happen with the change that it counts.
 * @example also: [counting(document.organizationId, 'Signature', nowMs)]
 */
export const counting = (organizationId: string, type: TransactionType, atMs: number, amount = 1): Write =>
  usageCounter.adding(nameOf(organizationId, monthOf(atMs), type), amount);

/**
 * Bytes that an organization keeps from now on; a negative number frees them.
 * @example also: [storing(document.organizationId, -sizeOfAll(document))]
 */
export const storing = (organizationId: string, bytes: number): Write =>
  storageCounter.adding(organizationId, bytes);

/** What an organization used in one month. */
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

/** The bytes that an organization keeps now. */
export const storageOf = (organizationId: string): Promise<number> => storageCounter.read(organizationId);
