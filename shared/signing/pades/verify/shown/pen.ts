import { chargeList, chargeTime } from '../../../../bounds/budget.ts';
import type { Matrix, Rect } from '../../appearance/display.ts';
import { MEMBER_BYTES } from '../../pdf/budget.ts';
import { arrayOf, dictOf, type Pdf, resolve } from '../../pdf/document.ts';
import { stringBytes } from '../../pdf/text.ts';
import {
  isArray,
  isRef,
  isString,
  nameOf,
  numberOf,
  type PdfDict,
  type PdfStream,
  type PdfValue,
  print,
} from '../../pdf/values.ts';
import { type Font, fontOf } from './fonts.ts';
import type { Content, Mark } from './mark.ts';
import { IDENTITY, moved, pointAt, times } from './matrix.ts';
import { createPath, type Subpath } from './path.ts';

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
  isTextClip: boolean;
  /** What is painted is cut out: by text or a path that is no rectangle, or by a mask. */
  isCutOut: boolean;
  isOpaque: boolean;
  clip: Rect;
  lineWidth: number;
  fill: string;
  stroke: string;
};

const ANYWHERE: Rect = [-Infinity, -Infinity, Infinity, Infinity];
const INVISIBLE = new Set([3, 7]); // modes of text that draw nothing, as for what a scanner recognised
const FIRST_CLIP_MODE = 4;
const RECTANGLE_POINTS = 5;
const MIDDLE = { left: 0.3, right: 0.7, low: 0.2, high: 0.5 }; // of the width of a letter, and of its size
const MAX_SAVED = 512;
const LETTER_UNITS = 300;
const MARGIN = 0.2; // of a glyph, on each side, which may be covered

type Operators = Readonly<
  Record<string, (numbers: readonly number[], operands: readonly PdfValue[]) => void>
>;

type BoxOf = (glyph: PdfStream, resources: PdfDict | undefined) => Rect | undefined;

/** Follows the state of content, operator by operator, and visits what it draws itself. */
export function createPen(
  pdf: Pdf,
  { resources, matrix }: Content,
  visit: (mark: Mark) => void,
  boxOf: BoxOf,
) {
  let state: State = {
    ...{ matrix, font: undefined, size: 0, letterSpace: 0, wordSpace: 0, scale: 1, leading: 0, rise: 0 },
    ...{ isInvisible: false, isTextClip: false, isCutOut: false, isOpaque: true, clip: ANYWHERE },
    ...{ lineWidth: 1, fill: '[0]', stroke: '[0]' },
  };
  const saved: State[] = [];
  const path = createPath();
  let isClip = false;
  const fonts = new Map<string, Font>();
  const glyphs = new Map<Font, Map<number, Rect | undefined>>();
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
    const { fill, stroke, isOpaque, isCutOut } = state;
    const parts = path.take();
    const color = `${isFilled ? fill : ''}${isStroked ? stroke : ''}`;
    // Shadow attack (replace): a plain surface through a mask, or in a pattern, shows a text.
    const isPicture = isCutOut || color.includes('/');
    for (const { box, isStraight, points, outline } of parts) {
      if (isPicture) {
        visit({ kind: 'picture', box });
        continue;
      }
      const shape = { kind: 'shape', box, isStraight, points, isOpaque } as const;
      const place = `${outline} ${state.clip}`;
      if (isFilled) visit({ ...shape, strokeWidth: undefined, outline: `${fill} ${place}` });
      if (isStroked) visit({ ...shape, strokeWidth, outline: `${stroke} ${strokeWidth} ${place}` });
    }
    if (isClip) clipBy(parts);
  };

  const clipBy = ([part, ...more]: readonly Subpath[]): void => {
    isClip = false;
    if (!part) return;
    if (more.length || !part.isStraight || part.points > RECTANGLE_POINTS) state.isCutOut = true;
    else state.clip = within(state.clip, part.box);
  };

  const showText = (value: PdfValue | undefined): void => {
    const { font, size, scale } = state;
    if (!isString(value) || !font) return;
    const letters = font.lettersOf(stringBytes(value));
    chargeTime(pdf.budget, LETTER_UNITS * letters.length);
    const drawn = times([size * scale, 0, 0, size, 0, state.rise], times(text, state.matrix));
    const height = Math.hypot(drawn[2], drawn[3]);
    let across = 0; // in font sizes
    for (const [index, { code, text: letter, width }] of letters.entries()) {
      const box = boxAround([
        pointAt(across + MIDDLE.left * width, MIDDLE.low, drawn),
        pointAt(across + MIDDLE.right * width, MIDDLE.high, drawn),
      ]);
      const isRepeated = letters[index - 1]?.code === code || letters[index + 1]?.code === code;
      if (!state.isInvisible)
        visit({ kind: 'letter', box, text: letter, size: height, fill: state.fill, font, isRepeated });
      if (font.glyphs) visitGlyph(font, code, moved(across, 0, drawn));
      const space = state.letterSpace + (letter === ' ' ? state.wordSpace : 0);
      across += width + (size === 0 ? 0 : space / size);
    }
    text = moved(across * size * scale, 0, text);
    if (state.isTextClip) state.isCutOut = true;
  };

  // Shadow attack (hide): a glyph that is content is drawn somewhere else than its letter stands.
  const visitGlyph = (font: Font, code: number, place: Matrix): void => {
    const known = glyphs.get(font) ?? new Map<number, Rect | undefined>();
    glyphs.set(font, known);
    const stream = known.has(code) ? undefined : font.glyphs?.streamOf(code);
    if (!known.has(code)) {
      chargeList(pdf.budget, MEMBER_BYTES);
      known.set(code, stream && boxOf(stream, font.glyphs?.resources));
    }
    const box = known.get(code);
    if (!box) return;
    const inUnits = times(font.glyphs?.matrix ?? IDENTITY, place);
    const [left, bottom, right, top] = box;
    const corners = [left + (right - left) * MARGIN, right - (right - left) * MARGIN].flatMap((x) =>
      [bottom + (top - bottom) * MARGIN, top - (top - bottom) * MARGIN].map((y) => pointAt(x, y, inUnits)),
    );
    const isKnown = corners.flat().every(Number.isFinite);
    visit({ kind: 'picture', box: isKnown ? boxAround(corners) : ANYWHERE });
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
  const clip = (): void => {
    isClip = true;
  };
  // A colour of another space may be none, and a layer hidden.
  const seeThrough = (): void => {
    state.isOpaque = false;
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
      state.isOpaque = false;
      const mask = resolve(pdf, graphics?.get('SMask'));
      if (mask !== null) state.isCutOut = nameOf(mask) !== 'None' || state.isCutOut;
    },
    w: set('lineWidth'),
    ...{ g: setFill, rg: setFill, k: setFill, sc: setFill, scn: setFill },
    ...{ G: setStroke, RG: setStroke, K: setStroke, SC: setStroke, SCN: setStroke },
    ...{ cs: seeThrough, CS: seeThrough },

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
      const parts = path.take();
      if (isClip) clipBy(parts);
    },
    ...{ W: clip, 'W*': clip },
    ...{ S: paint(false, true), s: paint(false, true) },
    ...{ f: paint(true, false), F: paint(true, false), 'f*': paint(true, false) },
    ...{ B: paint(true, true), 'B*': paint(true, true), b: paint(true, true), 'b*': paint(true, true) },
    BI: () => visit({ kind: 'picture', box: boxAround([at(0, 0), at(1, 0), at(0, 1), at(1, 1)]) }),
    sh: () => visit({ kind: 'picture', box: ANYWHERE }),

    BDC: (_, [tag]) => {
      if (nameOf(tag) === 'OC') seeThrough();
    },
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
      state.isTextClip = mode >= FIRST_CLIP_MODE;
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

const within = (one: Rect, other: Rect): Rect => [
  Math.max(one[0], other[0]),
  Math.max(one[1], other[1]),
  Math.min(one[2], other[2]),
  Math.min(one[3], other[3]),
];

/** The least rectangle around points. */
export const boxAround = (points: readonly (readonly [number, number])[]): Rect => [
  Math.min(...points.map(([x]) => x)),
  Math.min(...points.map(([, y]) => y)),
  Math.max(...points.map(([x]) => x)),
  Math.max(...points.map(([, y]) => y)),
];
