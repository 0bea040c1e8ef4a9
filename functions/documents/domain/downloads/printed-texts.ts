import { maskCpf, parseCpf } from '../../../../shared/taxpayer/cpf.ts';
import type { Document } from '../document/document.ts';
import { codeStamp, initialsOf } from '../document/printed-marks.ts';
import { formatCode, verificationPage } from '../document/verification-code.ts';
import { commonNameIn, doerOf } from '../flow/certificate-holder.ts';
import { type Completion, isSignatureMark, kindOf, type Mark, marksIn, type Person } from '../flow/flow.ts';
import type { DrawnMark } from './drawn/draw-request.ts';

const BRASILIA = { timeZone: 'America/Sao_Paulo', dateStyle: 'short', timeStyle: 'medium' } as const;

// The first formatter of a process takes some 20 ms, which no cold start waits for.
let formatter: Intl.DateTimeFormat | undefined;

/** A time as people in Brazil read it. @example brasiliaTime(0) // '31/12/1969, 21:00:00 (Brasília)' */
export function brasiliaTime(ms: number): string {
  formatter ??= new Intl.DateTimeFormat('pt-BR', BRASILIA);
  return `${formatter.format(ms)} (Brasília)`;
}

/** A person's CPF, masked but enough to distinguish two of the same name; empty where none is known. */
export function cpfOf({ identifier }: Pick<Person, 'identifier'>): string[] {
  const cpf = identifier === null ? undefined : parseCpf(identifier);
  return cpf ? [`CPF ${maskCpf(cpf)}`] : [];
}

export const issuerOf = (certificate: Completion['certificate']): string[] =>
  certificate ? [`Certificado emitido por ${commonNameIn(certificate.issuer)}`] : [];

/** The marks of all completed parts, or of some. The people of a rule share its area, one above the other. */
export const marksOf = (
  { flow, code }: Pick<Document, 'flow' | 'code'>,
  images: ReadonlyMap<string, Uint8Array> = new Map(),
  isShown: (completion: Completion) => boolean = () => true,
): DrawnMark[] =>
  flow.flatMap((action) => {
    const { completions } = action;
    const marks = marksIn(action);
    const [first = null, ...others] = marks.filter(isSignatureMark);
    const drawn = completions.flatMap((completion, index) => {
      if (!isShown(completion)) return [];
      const { by, atMs, evidence } = completion;
      const { name } = doerOf(completion);
      const chosen = evidence?.marks;
      const part = (mark: Mark | null): Mark | null => mark && partOf(mark, index, completions.length);
      const signature = {
        title: evidence ? 'Assinado eletronicamente por' : DONE[kindOf(action)],
        name,
        detail: [...cpfOf(by), brasiliaTime(atMs)].join(' · '),
        image: evidence && images.get(evidence.sha256),
      };
      const initials = marks.filter(({ type }) => type === 'SignatureInitials');
      return [
        { ...signature, place: chosen?.[0] ?? part(first) },
        ...(chosen?.slice(1) ?? others.map(part)).map((place) => ({ ...signature, place, isExtra: true })),
        ...initials.map((mark) => ({ ...onlyName(initialsOf(name)), place: part(mark), isExtra: true })),
      ];
    });
    const stamps = completions.some(isShown)
      ? marks.filter(({ type }) => type === 'AuthenticationStamp')
      : [];
    const { details, ...stamp } = codeStamp(code);
    const detail = details.join(' · ');
    return [...drawn, ...stamps.map((place) => ({ ...stamp, detail, place, isExtra: true }))];
  });

const DONE = { signature: 'Assinado digitalmente por', approval: 'Aprovado por' } as const;

const onlyName = (name: string) => ({ title: '', name, detail: '' });

/** One of several parts of an area, the first at the top. */
function partOf(mark: Mark, index: number, count: number): Mark {
  const height = mark.height / count;
  const y = mark.from === 'top' ? mark.y + height * index : mark.y + mark.height - height * (index + 1);
  return { ...mark, height, y };
}

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
