import { collection } from '../../../../shared/store/collection.ts';
import { settings } from '../../settings.ts';
import type { Organization } from '../places/organization.ts';
import { type Month, monthName, TRANSACTION_TYPES, type TransactionType } from './usage.ts';

type InvoiceTotal = {
  readonly transactionType: TransactionType;
  readonly priceCentavos: number;
  readonly total: number;
  readonly valueCentavos: number;
};

/**
 * What one organization owes for one month, with the prices of the day it was closed. It is made closed and never
 * changes, so it has no states. Money is whole centavos.
 */
export type Invoice = Month & {
  readonly id: string;
  readonly organizationId: string;
  readonly totals: readonly InvoiceTotal[];
  readonly valueCentavos: number;
  readonly storedBytes: number;
  readonly closedAtMs: number;
};

export type InvoiceId = Pick<Invoice, 'organizationId' | 'year' | 'month'>;

// By organization and month: a month has one invoice because there is one place for it.
export const invoices = collection<Invoice, InvoiceId>({
  service: 'documents',
  name: 'invoice',
  id: ({ organizationId, year, month }) => ({ organizationId, year, month }),
  key: ({ organizationId, ...month }) => ({ pk: `INVOICE#${organizationId}`, sk: monthName(month) }),
});

const PRICES = {
  Document: () => settings['Billing:DocumentPrice'],
  Signature: () => settings['Billing:SignaturePrice'],
  Approval: () => settings['Billing:ApprovalPrice'],
} as const;

/** What was used, at today's prices. */
export const totalsOf = (usage: Readonly<Record<TransactionType, number>>): InvoiceTotal[] =>
  TRANSACTION_TYPES.map((transactionType) => {
    const priceCentavos = PRICES[transactionType]();
    const total = usage[transactionType];
    return { transactionType, priceCentavos, total, valueCentavos: priceCentavos * total };
  });

const toReais = (centavos: number): number => centavos / 100;

/** The data of InvoiceClosed. Money is in reais there. */
export const invoiceClosedData = (
  invoice: Invoice,
  { id, name, identifier, owner, billingInformation }: Organization,
) => ({
  id: invoice.id,
  month: invoice.month,
  year: invoice.year,
  value: toReais(invoice.valueCentavos),
  invoiceTotals: invoice.totals.map(({ transactionType, priceCentavos, total, valueCentavos }) => ({
    transactionType,
    price: toReais(priceCentavos),
    total,
    totalInTrialPeriod: 0,
    value: toReais(valueCentavos),
  })),
  organization: { id, name, identifier, owner },
  billingInformation: billingInformation ?? null,
  totalStorageUsed: invoice.storedBytes,
});
