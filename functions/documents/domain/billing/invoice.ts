import { collection } from '../../../../shared/store/collection.ts';
import { settings } from '../../settings.ts';
import { type Organization, publicPartOf } from '../places/organization.ts';
import { type Month, monthName, TRANSACTION_TYPES, type TransactionType } from './usage.ts';

type InvoiceTotal = {
  readonly transactionType: TransactionType;
  readonly priceCentavos: number;
  readonly total: number;
  readonly valueCentavos: number;
};

/**
 * The amount that one organization owes for one month, at the prices of the day it was closed. An invoice never
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

// The key is the organization and the month, so a month has one invoice.
export const invoices = collection<Invoice, InvoiceId>({
  service: 'documents',
  name: 'invoice',
  id: ({ organizationId, year, month }) => ({ organizationId, year, month }),
  key: ({ organizationId, ...month }) => ({ pk: `INVOICE#${organizationId}`, sk: monthName(month) }),
});

const PRICES = {
  Document: () => settings['Billing:DocumentPrice'],
  Signature: () => settings['Billing:SignaturePrice'],
  ElectronicSignature: () => settings['Billing:ElectronicSignaturePrice'],
  Approval: () => settings['Billing:ApprovalPrice'],
} as const;

/** The usage at the current prices. */
export const totalsOf = (usage: Readonly<Record<TransactionType, number>>): InvoiceTotal[] =>
  TRANSACTION_TYPES.map((transactionType) => {
    const priceCentavos = PRICES[transactionType]();
    const total = usage[transactionType];
    return { transactionType, priceCentavos, total, valueCentavos: priceCentavos * total };
  });

const toReais = (centavos: number): number => centavos / 100;

/** The data of InvoiceClosed, with money in reais. */
export const invoiceClosedData = (invoice: Invoice, organization: Organization) => ({
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
  organization: publicPartOf(organization),
  billingInformation: organization.billingInformation ?? null,
  totalStorageUsed: invoice.storedBytes,
});
