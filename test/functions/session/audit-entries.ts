import { auditOf } from '../../../functions/session/domain/audit.ts';

const DAY_MS = 86_400_000;

/** What is on record for yesterday and today, oldest first: midnight may pass in the middle of a test. */
export async function* recentAuditEntries() {
  const nowMs = Date.now();
  for (const atMs of [nowMs - DAY_MS, nowMs])
    yield* auditOf(new Date(atMs).toISOString().slice(0, 10), nowMs);
}

/** The last entry of whatever matches. */
export async function lastAuditEntry(of: { readonly signatureId: string } | { readonly cpf: string }) {
  const entries = [];
  for await (const entry of recentAuditEntries())
    if ('cpf' in of ? entry.cpf === of.cpf : entry.signatureIds.includes(of.signatureId)) entries.push(entry);
  return entries.at(-1);
}
