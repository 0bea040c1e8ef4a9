import { auditOf } from '../../functions/session/domain/audit.ts';
import { AdminRefusal } from '../../shared/access/administration.ts';
import { cpfIn } from './cpf.ts';

/** The audit trail of one day, a line an entry and below it what was not signed; of one holder where a CPF is given. */
export async function show(day: string, given: string | undefined): Promise<string> {
  if (!isDay(day)) throw new AdminRefusal(`"${day}" is no day: write it as 2026-11-15.`);
  const cpf = given === undefined ? undefined : cpfIn(given);
  const lines: string[] = [];
  for await (const entry of auditOf(day, Date.now())) {
    if (cpf !== undefined && entry.cpf !== cpf) continue;
    const { at, operation, outcome, application, keyId, signatureIds, correlationId, notSigned = [] } = entry;
    const ids = signatureIds.length > 0 ? `  ${signatureIds.join(' ')}` : '';
    lines.push(
      `${at}  ${operation}  ${entry.cpf}  ${outcome}  ${application}/${keyId}  ${correlationId}${ids}`,
    );
    for (const { signatureId, outcome: why, reason } of notSigned)
      lines.push(`  not signed: ${signatureId ?? 'never sent'}  ${why}${reason ? `  ${reason}` : ''}`);
  }
  return lines.length > 0 ? lines.join('\n') : `Nothing is on record for ${cpf ? `${cpf} on ` : ''}${day}.`;
}

// Of 2026-02-30 the clock would make another day.
function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
