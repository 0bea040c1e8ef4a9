import { maskCpf, parseCpf } from '../../../../shared/taxpayer/cpf.ts';
import type { Completion, Person } from '../flow/flow.ts';

const BRASILIA = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** A moment as people in Brazil read it. @example brasiliaTime(0) // '31/12/1969, 21:00:00 (Brasília)' */
export const brasiliaTime = (ms: number): string => `${BRASILIA.format(ms)} (Brasília)`;

/** A person's CPF, as little of it as tells two of the same name apart; nothing where none is known. */
export function cpfOf({ identifier }: Pick<Person, 'identifier'>): string[] {
  const cpf = identifier === null ? undefined : parseCpf(identifier);
  return cpf ? [`CPF ${maskCpf(cpf)}`] : [];
}

export const issuerOf = (certificate: Completion['certificate']): string[] =>
  certificate ? [`Certificado emitido por ${commonName(certificate.issuer)}`] : [];

/** The authority's own name out of its whole distinguished name, as RFC 4514 writes it. */
function commonName(issuer: string): string {
  const [, name] = /(?:^|[,+]\s*)CN=((?:\\.|[^,+\\])+)/i.exec(issuer) ?? [];
  return name?.replace(/\\(.)/g, '$1').trim() || issuer;
}
