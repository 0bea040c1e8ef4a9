import { randomInt } from 'node:crypto';
import { ledger } from '../../../../shared/store/ledger/ledger.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { dayOf } from '../calendar.ts';

/** The transactions that an organization is charged for. */
export const TRANSACTION_TYPES = ['Document', 'Signature', 'ElectronicSignature', 'Approval'] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

export type Month = { readonly year: number; readonly month: number };

/** The month as yyyy-MM, for the keys of invoices and counts. */
export const monthName = ({ year, month }: Month): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;

/** The calendar month in Brasília. */
export function monthOf(atMs: number): Month {
  const [year, month] = dayOf(atMs).split('-').map(Number);
  return { year: Number(year), month: Number(month) };
}

// Four shards take over a thousand changes a second, more than the lists of an organization do.
const SHARDS = 4;

// All amounts of a commit become one record if they are for one shard. So each process has its own.
const OWN_SHARD = randomInt(SHARDS);

const STORED_BYTES = 'storedBytes';
const MONTH_LENGTH = 7;

/** The stored bytes are a count of the top node; each month is a node, with a count for each type: 2026-11|Document. */
const usageLedger = (organizationId: string) =>
  ledger({
    service: 'documents',
    name: `usage/${organizationId}`,
    shards: SHARDS,
    countsOf: (name) =>
      name === STORED_BYTES
        ? [{ node: '', field: STORED_BYTES, name }]
        : [{ node: name.slice(0, MONTH_LENGTH), field: name.slice(MONTH_LENGTH + 1), name }],
  });

/**
 * The write that counts a transaction, to be committed with the change that it counts.
 * @example also: [counting(document.organizationId, 'Signature', nowMs)]
 */
export const counting = (organizationId: string, type: TransactionType, atMs: number, amount = 1): Write =>
  usageLedger(organizationId).adding({ [`${monthName(monthOf(atMs))}|${type}`]: amount }, OWN_SHARD);

/**
 * The write that adds stored bytes to an organization; a negative number frees them.
 * @example also: [storing(document.organizationId, -sizeOfAll(document))]
 */
export const storing = (organizationId: string, bytes: number): Write =>
  usageLedger(organizationId).adding({ [STORED_BYTES]: bytes }, OWN_SHARD);

/** The transactions of an organization in one month. */
export async function usageOf(
  organizationId: string,
  month: Month,
): Promise<Readonly<Record<TransactionType, number>>> {
  const counts = await usageLedger(organizationId).read((readNode) => readNode(monthName(month)));
  const countOf = (type: TransactionType): number => counts.get(type) ?? 0;
  return {
    Document: countOf('Document'),
    Signature: countOf('Signature'),
    ElectronicSignature: countOf('ElectronicSignature'),
    Approval: countOf('Approval'),
  };
}

/** The bytes that an organization stores now. */
export async function storageOf(organizationId: string): Promise<number> {
  const counts = await usageLedger(organizationId).read((readNode) => readNode(''));
  return counts.get(STORED_BYTES) ?? 0;
}
