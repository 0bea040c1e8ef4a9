import { auditOf } from '../../../functions/session/domain/audit.ts';

/** What is on record for today, the last of it, of whatever matches. */
export async function lastAuditEntry(of: { readonly signatureId: string } | { readonly cpf: string }) {
  const today = new Date().toISOString().slice(0, 10);
  const entries = [];
  for await (const entry of auditOf(today, Date.now()))
    if ('cpf' in of ? entry.cpf === of.cpf : entry.signatureIds.includes(of.signatureId)) entries.push(entry);
  return entries.at(-1);
}
