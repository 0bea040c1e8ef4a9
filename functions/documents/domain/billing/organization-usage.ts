import type { Caller } from '../../../../shared/access/caller.ts';
import { findOrganization } from '../places/organization.ts';
import { monthName, monthOf, storageOf, usageOf } from './usage.ts';

/** What an organization has used in this month, and what it stores. */
export async function usageOfMonth(
  caller: Pick<Caller, 'registered'>,
  organizationId: string,
  nowMs: number,
) {
  await findOrganization(caller, organizationId);
  const month = monthOf(nowMs);
  const [counts, storedBytes] = await Promise.all([
    usageOf(organizationId, month),
    storageOf(organizationId),
  ]);
  return {
    month: monthName(month),
    documents: counts.Document,
    signatures: counts.Signature,
    approvals: counts.Approval,
    storedBytes,
  };
}
