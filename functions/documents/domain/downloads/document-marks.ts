import type { Document } from '../document/document.ts';
import { kindOf } from '../flow/flow.ts';
import type { DrawnMark } from './drawn/marks.ts';
import { brasiliaTime, cpfOf } from './printed-texts.ts';

/** The mark of each part that somebody did. A rule's people share its place, one above the other. */
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

/** What stands at the foot of every printed page, its number left out. */
export const footerOf = (
  { id, signed }: Pick<Document, 'id' | 'signed'>,
  sha256: string,
): readonly string[] => [
  `Documento ${id} · SHA-256 do original ${sha256}`,
  signed
    ? 'Cópia para impressão. As assinaturas digitais estão no arquivo eletrônico assinado e são conferidas nele.'
    : 'Cópia para impressão. O documento não tem assinatura digital até este momento.',
];
