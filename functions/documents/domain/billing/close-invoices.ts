import { randomUUID } from 'node:crypto';
import { AlreadyExists } from '../../../../shared/store/refusals.ts';
import { recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import { INSTANCE_OWNER, webhooks } from '../document/webhook-engine.ts';
import type { Organization } from '../places/organization.ts';
import { eachOrganization } from '../places/organization-roster.ts';
import { type Invoice, invoiceClosedData, invoices, totalsOf } from './invoice.ts';
import { type Month, monthOf, storageOf, usageOf } from './usage.ts';

// The worker does not stop for longer than this without an operator noticing.
const MAX_MONTHS_BACK = 12;
const ORGANIZATIONS_AT_ONCE = 8;

export type ClosingResult = {
  readonly closed: number;
  readonly failed: readonly { readonly organizationId: string; readonly error: unknown }[];
};

/**
 * Closes every past month without an invoice, for every organization that existed in it. It runs daily, so a month that
 * could not be closed is tried again until it is. Repeated or concurrent runs close each month once. The failure of one
 * organization does not stop the others.
 */
export async function closeInvoices(nowMs: number): Promise<ClosingResult> {
  const organizations = eachOrganization();
  const failed: { organizationId: string; error: unknown }[] = [];
  let closed = 0;
  const closeSome = async (): Promise<void> => {
    for await (const organization of organizations) {
      try {
        for (const month of await openMonths(organization, nowMs)) {
          if (await closeMonth(organization, month, nowMs)) closed++;
        }
      } catch (error) {
        failed.push({ organizationId: organization.id, error });
      }
    }
  };
  await Promise.all(Array.from({ length: ORGANIZATIONS_AT_ONCE }, closeSome));
  return { closed, failed };
}

const monthIndexOf = ({ year, month }: Month): number => year * 12 + month - 1;
const monthAt = (index: number): Month => ({ year: Math.floor(index / 12), month: (index % 12) + 1 });

/** The months to be invoiced: past months in which the organization existed, oldest first. */
export function billedMonths(
  { createdAtMs, deletedAtMs }: Pick<Organization, 'createdAtMs' | 'deletedAtMs'>,
  nowMs: number,
): Month[] {
  const now = monthIndexOf(monthOf(nowMs));
  const first = Math.max(monthIndexOf(monthOf(createdAtMs)), now - MAX_MONTHS_BACK);
  const last = Math.min(now - 1, deletedAtMs === undefined ? now : monthIndexOf(monthOf(deletedAtMs)));
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => monthAt(first + n));
}

async function openMonths(organization: Organization, nowMs: number): Promise<Month[]> {
  const months = billedMonths(organization, nowMs);
  const ids = months.map((month) => ({ organizationId: organization.id, ...month }));
  const closed = new Set((await invoices.getMany(ids)).map(monthIndexOf));
  return months.filter((month) => !closed.has(monthIndexOf(month)));
}

// Two runs meet on one month:
//
//   run 1  |--no invoice yet------ create invoice + event --|
//   run 2    |--no invoice yet-------- create: AlreadyExists, and no event --|
//
// The event is in the write that creates the invoice, so it is recorded once.
async function closeMonth(organization: Organization, month: Month, nowMs: number): Promise<boolean> {
  const [usage, storedBytes] = await Promise.all([
    usageOf(organization.id, month),
    storageOf(organization.id),
  ]);
  const totals = totalsOf(usage);
  const invoice: Invoice = {
    id: randomUUID(),
    organizationId: organization.id,
    ...month,
    totals,
    valueCentavos: totals.reduce((sum, { valueCentavos }) => sum + valueCentavos, 0),
    storedBytes,
    closedAtMs: nowMs,
  };
  const recorded = await recording(webhooks, INSTANCE_OWNER, [
    { type: 'InvoiceClosed', data: invoiceClosedData(invoice, organization) },
  ]);
  try {
    await invoices.create(invoice, { also: recorded.writes });
  } catch (error) {
    if (error instanceof AlreadyExists) return false;
    throw error;
  }
  return true;
}
