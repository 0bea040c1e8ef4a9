import { maskCpf, parseCpf } from '../../../../shared/taxpayer/cpf.ts';
import type { Document } from '../document/document.ts';
import { formatCode, verificationPage } from '../document/verification-code.ts';
import { type Completion, kindOf, type Person } from '../flow/flow.ts';
import type { DrawnMark } from './drawn/draw-request.ts';

const BRASILIA = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** A time as people in Brazil read it. @example brasiliaTime(0) // '31/12/1969, 21:00:00 (Brasília)' */
export const brasiliaTime = (ms: number): string => `${BRASILIA.format(ms)} (Brasília)`;

/** A person's CPF, masked but enough to distinguish two of the same name; empty where none is known. */
export function cpfOf({ identifier }: Pick<Person, 'identifier'>): string[] {
  const cpf = identifier === null ? undefined : parseCpf(identifier);
  return cpf ? [`CPF ${maskCpf(cpf)}`] : [];
}

export const issuerOf = (certificate: Completion['certificate']): string[] =>
  certificate ? [`Certificado emitido por ${commonName(certificate.issuer)}`] : [];

/** The common name in a distinguished name as RFC 4514 writes it. */
function commonName(issuer: string): string {
  const [, name] = /(?:^|[,+]\s*)CN=((?:\\.|[^,+\\])+)/i.exec(issuer) ?? [];
  return name?.replace(/\\(.)/g, '$1').trim() || issuer;
}

/** The marks of all completed parts. The people of a rule share its area, one above the other. */
export const marksOf = ({ flow }: Pick<Document, 'flow'>): DrawnMark[] =>
  flow.flatMap((action) => {
    const { completions, mark } = action;
    const height = mark ? mark.height / completions.length : 0;
    return completions.map(({ by, atMs }, index) => ({
      title: kindOf(action) === 'signature' ? 'Assinado digitalmente por' : 'Aprovado por',
      name: by.name,
      detail: [...cpfOf(by), brasiliaTime(atMs)].join(' · '),
      place: mark && { ...mark, height, y: mark.y + mark.height - height * (index + 1) },
    }));
  });

/** The footer of every printed page, without its number. */
export const footerOf = (
  { id, signed, code }: Pick<Document, 'id' | 'signed' | 'code'>,
  sha256: string,
): readonly string[] => [
  `Documento ${id} · SHA-256 do original ${sha256}`,
  signed
    ? `Cópia para impressão. As assinaturas digitais são conferidas em ${verificationPage()}, com o código ${formatCode(code)}.`
    : 'Cópia para impressão. O documento não tem assinatura digital até este momento.',
];
