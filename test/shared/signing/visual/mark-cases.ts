import type { Paper } from '../../../../shared/signing/pades/appearance/place.ts';
import type { Mark, MarkElement, TextSection } from '../../../../shared/signing/pades/marks/mark.ts';
import { type PageCase, PICTURE } from './cases.ts';

const black = { rgb: [0, 0, 0], opacity: 1 } as const;
const element = { rotation: 0, horizontal: 'start', vertical: 'start', opacity: 1 } as const;
const section = (text: string, rest: Partial<TextSection> = {}): TextSection => ({
  ...{ text, face: 'Helvetica', color: black, sizePoints: 12 },
  ...rest,
});
const mark = (rest: Partial<Mark> & Pick<Mark, 'elements'>): Mark => ({
  ...{ pages: 'all', borderPoints: 1, borderColor: black, background: { rgb: [1, 1, 1], opacity: 0 } },
  ...rest,
});

const TEXT: MarkElement = {
  ...{ ...element, kind: 'text', within: { left: 90, right: 8, top: 8, bottom: 8 } },
  sections: [
    section('Documento assinado por '),
    section('José da Conceição', { face: 'HelveticaBold' }),
    section(', confira em\n'),
    section('https://assina.example.com', {
      face: 'HelveticaOblique',
      color: { rgb: [0.4, 0, 0], opacity: 1 },
    }),
    section(`\n${'e mais texto que encolhe '.repeat(12)}`, { sizePoints: 16 }),
  ],
};
const CODE: MarkElement = {
  ...{ ...element, kind: 'qr-code', data: 'https://assina.example.com/v/ABCD-EFGH', quietZones: true },
  within: { left: 4, top: 4, width: 80, height: 80 },
};
const FOOTER = { left: 40, right: 40, bottom: 30, height: 90 };

type MarkCase = {
  readonly file: PageCase;
  readonly marks: readonly Mark[];
  readonly paper?: Paper;
  readonly shown?: number;
};

export const MARKS: Readonly<Record<string, MarkCase>> = {
  'text in styles and a code at the foot': {
    file: { pages: 2 },
    marks: [
      mark({ within: FOOTER, background: { rgb: [0.8, 0.9, 1], opacity: 0.5 }, elements: [TEXT, CODE] }),
    ],
    shown: 2,
  },
  'on a turned page with a crop box': {
    file: { rotate: 90, crop: [100, 150, 400, 500] },
    marks: [mark({ within: FOOTER, elements: [TEXT, CODE] })],
  },
  'a faint image and a turned text over the page': {
    file: {},
    marks: [
      mark({
        borderPoints: 0,
        elements: [
          {
            ...element,
            kind: 'image',
            image: PICTURE,
            opacity: 0.2,
            horizontal: 'center',
            vertical: 'center',
          },
          {
            ...{ ...element, kind: 'text', rotation: 90, vertical: 'center', horizontal: 'center' },
            within: { right: 10, width: 40, top: 100, bottom: 100 },
            sections: [section('CÓPIA CONTROLADA', { sizePoints: 20, face: 'HelveticaBold' })],
          },
          {
            ...{
              ...element,
              kind: 'text',
              rotation: 45,
              vertical: 'center',
              horizontal: 'center',
              opacity: 0.5,
            },
            sections: [section('MINUTA', { sizePoints: 90 })],
          },
        ],
      }),
    ],
  },
  'on a new page': {
    file: { rotate: 90 },
    marks: [
      mark({ pages: 'new', within: { left: 60, top: 60, width: 400, height: 90 }, elements: [TEXT, CODE] }),
    ],
    shown: 2,
  },
  'for A4 on A3': {
    file: { media: [0, 0, 1191, 842] },
    marks: [mark({ pages: -1, within: FOOTER, elements: [TEXT, CODE] })],
    paper: { width: 595, height: 842, orientation: 'auto' },
  },
};
