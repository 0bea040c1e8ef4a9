import { chargeTime } from '../../../../bounds/budget.ts';
import type { Matrix, Rect } from '../../appearance/display.ts';
import { arrayOf, dictOf, type Pdf, resolve } from '../../pdf/document.ts';
import { stringBytes } from '../../pdf/text.ts';
import { isArray, isRef, isString, nameOf, numberOf, type PdfValue, print } from '../../pdf/values.ts';
import { type Font, fontOf } from './fonts.ts';
import type { Content, Mark } from './mark.ts';
import { IDENTITY, moved, pointAt, times } from './matrix.ts';
import { createPath } from './path.ts';

type State = {
  matrix: Matrix;
  font: Font | undefined;
  size: number;
  letterSpace: number;
  wordSpace: number;
  scale: number;
  leading: number;
  rise: number;
  isInvisible: boolean;
  lineWidth: number;
  fill: string;
  stroke: string;
};

const ANYWHERE: Rect = [-Infinity, -Infinity, Infinity, Infinity];
const INVISIBLE = new Set([3, 7]); // modes of text that draw nothing, as for what a scanner recognised
const MIDDLE = 0.3; // of the height of a letter, from its base line
const MAX_SAVED = 512;
const LETTER_UNITS = 300;

type Operators = Readonly<
  Record<string, (numbers: readonly number[], operands: readonly PdfValue[]) => void>
>;

/** Follows the state of content, operator by operator, and visits what it draws itself. */
export function createPen(pdf: Pdf, { resources, matrix }: Content, visit: (mark: Mark) => void) {
  let state: State = {
    ...{ matrix, font: undefined, size: 0, letterSpace: 0, wordSpace: 0, scale: 1, leading: 0, rise: 0 },
    ...{ isInvisible: false, lineWidth: 1, fill: '[0]', stroke: '[0]' },
  };
  const saved: State[] = [];
  const path = createPath();
  const fonts = new Map<string, Font>();
  let [text, line]: [Matrix, Matrix] = [IDENTITY, IDENTITY];

  const resourceOf = (kind: string, key: PdfValue | undefined): PdfValue | undefined =>
    dictOf(pdf, resources.get(kind))?.get(nameOf(key) ?? '');
  const at = (x: number, y: number) => pointAt(x, y, state.matrix);

  const setFont = (font: PdfValue | undefined, size: number): void => {
    const key = isRef(font) ? print(font) : '';
    const known = fonts.get(key) ?? fontOf(pdf, font);
    if (key) fonts.set(key, known);
    Object.assign(state, { font: known, size });
  };

  const paint = (isFilled: boolean, isStroked: boolean) => (): void => {
    const [a, b, c, d] = state.matrix;
    const strokeWidth = state.lineWidth * Math.sqrt(Math.abs(a * d - b * c));
    const { fill, stroke } = state;
    for (const { box, isStraight, outline } of path.take()) {
      const shape = { kind: 'shape', box, isStraight } as const;
      if (isFilled) visit({ ...shape, strokeWidth: undefined, outline: `${fill} ${outline}` });
      if (isStroked) visit({ ...shape, strokeWidth, outline: `${stroke} ${strokeWidth} ${outline}` });
    }
  };

  const showText = (value: PdfValue | undefined): void => {
    const { font, size, scale } = state;
    if (!isString(value) || !font) return;
    const letters = font.lettersOf(stringBytes(value));
    chargeTime(pdf.budget, LETTER_UNITS * letters.length);
    const drawn = times([size * scale, 0, 0, size, 0, state.rise], times(text, state.matrix));
    let across = 0; // in font sizes
    for (const [index, { code, text: letter, width }] of letters.entries()) {
      const [x, y] = pointAt(across + width / 2, MIDDLE, drawn);
      const isRepeated = letters[index - 1]?.code === code || letters[index + 1]?.code === code;
      if (!state.isInvisible) visit({ kind: 'letter', box: [x, y, x, y], text: letter, font, isRepeated });
      const space = state.letterSpace + (letter === ' ' ? state.wordSpace : 0);
      across += width + (size === 0 ? 0 : space / size);
    }
    text = moved(across * size * scale, 0, text);
  };

  const moveLine = (x: number, y: number): void => {
    line = moved(x, y, line);
    text = line;
  };
  const nextLine = (): void => moveLine(0, -state.leading);
  const setFill = (_: readonly number[], operands: readonly PdfValue[]): void => {
    state.fill = print(operands);
  };
  const setStroke = (_: readonly number[], operands: readonly PdfValue[]): void => {
    state.stroke = print(operands);
  };
  const set = (key: 'letterSpace' | 'wordSpace' | 'leading' | 'rise' | 'lineWidth') => {
    return ([value = 0]: readonly number[]): void => {
      state[key] = value;
    };
  };

  const operators: Operators = {
    q: () => {
      if (saved.length < MAX_SAVED) saved.push({ ...state });
    },
    Q: () => {
      state = saved.pop() ?? state;
    },
    cm: ([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]) => {
      state.matrix = times([a, b, c, d, e, f], state.matrix);
    },
    gs: (_, [key]) => {
      const graphics = dictOf(pdf, resourceOf('ExtGState', key));
      const [font, size] = arrayOf(pdf, graphics?.get('Font'));
      if (font !== undefined) setFont(font, numberOf(resolve(pdf, size)) ?? 0);
      state.lineWidth = numberOf(resolve(pdf, graphics?.get('LW'))) ?? state.lineWidth;
    },
    w: set('lineWidth'),
    ...{ g: setFill, rg: setFill, k: setFill, sc: setFill, scn: setFill },
    ...{ G: setStroke, RG: setStroke, K: setStroke, SC: setStroke, SCN: setStroke },

    m: ([x = 0, y = 0]) => path.start(...at(x, y)),
    l: ([x = 0, y = 0]) => path.add([at(x, y)]),
    c: ([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]) => path.add([at(a, b), at(c, d), at(e, f)], true),
    v: ([a = 0, b = 0, c = 0, d = 0]) => path.add([at(a, b), at(c, d)], true),
    y: ([a = 0, b = 0, c = 0, d = 0]) => path.add([at(a, b), at(c, d)], true),
    re: ([x = 0, y = 0, width = 0, height = 0]) => {
      path.start(...at(x, y));
      path.add([at(x + width, y), at(x + width, y + height), at(x, y + height)]);
    },
    n: () => {
      path.take();
    },
    ...{ S: paint(false, true), s: paint(false, true) },
    ...{ f: paint(true, false), F: paint(true, false), 'f*': paint(true, false) },
    ...{ B: paint(true, true), 'B*': paint(true, true), b: paint(true, true), 'b*': paint(true, true) },
    BI: () => visit({ kind: 'picture', box: boxAround([at(0, 0), at(1, 0), at(0, 1), at(1, 1)]) }),
    sh: () => visit({ kind: 'picture', box: ANYWHERE }),

    BT: () => {
      [text, line] = [IDENTITY, IDENTITY];
    },
    Tf: ([, size = 0], [key]) => setFont(resourceOf('Font', key), size),
    ...{ Tc: set('letterSpace'), Tw: set('wordSpace'), TL: set('leading'), Ts: set('rise') },
    Tz: ([percent = 100]) => {
      state.scale = percent / 100;
    },
    Tr: ([mode = 0]) => {
      state.isInvisible = INVISIBLE.has(mode);
    },
    Td: ([x = 0, y = 0]) => moveLine(x, y),
    TD: ([x = 0, y = 0]) => {
      state.leading = -y;
      moveLine(x, y);
    },
    Tm: ([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]) => {
      line = [a, b, c, d, e, f];
      text = line;
    },
    'T*': nextLine,
    Tj: (_, [value]) => showText(value),
    "'": (_, [value]) => {
      nextLine();
      showText(value);
    },
    '"': ([wordSpace = 0, letterSpace = 0], [, , value]) => {
      Object.assign(state, { wordSpace, letterSpace });
      nextLine();
      showText(value);
    },
    TJ: (_, [items]) => {
      for (const item of isArray(items) ? items : []) {
        const back = numberOf(item);
        if (back === undefined) showText(item);
        else text = moved((-back / 1000) * state.size * state.scale, 0, text);
      }
    },
  };

  return {
    draw: (operator: string, operands: readonly PdfValue[]): void => {
      const run = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
      run?.(
        operands.map((operand) => numberOf(operand) ?? 0),
        operands,
      );
    },
    matrix: (): Matrix => state.matrix,
  };
}

/** The least rectangle around points. */
export const boxAround = (points: readonly (readonly [number, number])[]): Rect => [
  Math.min(...points.map(([x]) => x)),
  Math.min(...points.map(([, y]) => y)),
  Math.max(...points.map(([x]) => x)),
  Math.max(...points.map(([, y]) => y)),
];
