import { chargeList, chargeTime, withScratchLists } from '../../../../bounds/budget.ts';
import { type Rect, rectOf } from '../../appearance/display.ts';
import { MEMBER_BYTES, MEMBER_UNITS } from '../../pdf/budget.ts';
import { arrayOf, dictOf, type Pdf, resolve } from '../../pdf/document.ts';
import { isRef, nameOf, numberOf, type PdfDict, type PdfRef, type PdfValue } from '../../pdf/values.ts';
import { contentBelow, overlaps } from '../shown/below.ts';

/**
 * What an annotation does to the page that a person sees. 'mark': the reader draws it in a way of its own, beside or
 * through the content. 'unclear': a mark that brings its own look, which may be anything. 'content': it shows content
 * that nobody signed, or hides some that was.
 */
export type Effect = 'mark' | 'unclear' | 'content';

/** Lines through or below a text. Readers draw them as thick as the text is high. */
const LINES = new Set(['Underline', 'Squiggly', 'StrikeOut']);
const MAX_LINE_HEIGHT = 72; // of a title; the line is a sixteenth of it

const MIN_LUMINANCE = 0.1; // relative, of WCAG 2: black text on a darker surface is not read
const MAX_WHITE = 0.85; // of each colour; a line that is as white as paper wipes text out

/**
 * What a mark that the reader draws does by its colour and size. Evil annotation attack: a black highlight is a bar, a
 * white line wipes text out. A highlight without a colour is black to readers.
 */
export function effectOfStyle(pdf: Pdf, dict: PdfDict): Effect {
  const kind = nameOf(resolve(pdf, dict.get('Subtype'))) ?? '';
  const color = colorOf(pdf, dict);
  if (kind === 'Highlight') return color && luminanceOf(color) >= MIN_LUMINANCE ? 'mark' : 'content';
  if (!LINES.has(kind) && !isFramed(pdf, dict, kind)) return 'mark';
  const isWhite = color?.every((value) => value > MAX_WHITE) ?? false;
  const isHigh =
    LINES.has(kind) && quadsOf(pdf, dict).some(([, low, , high]) => high - low > MAX_LINE_HEIGHT);
  return isWhite || isHigh ? 'unclear' : 'mark';
}

const isFramed = (pdf: Pdf, dict: PdfDict, kind: string): boolean =>
  kind === 'Link' && frameOf(pdf, dict) > 0;

/** The width of a frame: 1 without an entry (ISO 32000-2, 12.5.4). */
function frameOf(pdf: Pdf, dict: PdfDict): number {
  const style = dictOf(pdf, dict.get('BS'))?.get('W');
  const [, , border] = arrayOf(pdf, dict.get('Border'));
  return numberOf(resolve(pdf, style ?? border)) ?? 1;
}

type Color = readonly [number, number, number];

function colorOf(pdf: Pdf, dict: PdfDict): Color | undefined {
  const [a = 0, b = 0, c = 0, d, ...more] = arrayOf(pdf, dict.get('C')).map(
    (item) => numberOf(resolve(pdf, item)) ?? 0,
  );
  const { length } = arrayOf(pdf, dict.get('C'));
  if (length === 1) return [a, a, a];
  if (length === 3) return [a, b, c];
  if (d === undefined || more.length) return undefined;
  return [(1 - a) * (1 - d), (1 - b) * (1 - d), (1 - c) * (1 - d)];
}

function luminanceOf(color: Color): number {
  const [r, g, b] = color.map((value) => Math.min(Math.max(value, 0), 1) ** 2.2) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The places of a mark on text, which its /Rect does not bound. */
function quadsOf(pdf: Pdf, dict: PdfDict): Rect[] {
  const numbers = arrayOf(pdf, dict.get('QuadPoints')).map((item) => numberOf(resolve(pdf, item)) ?? 0);
  const quads = Array.from({ length: Math.floor(numbers.length / 8) }, (_, at): Rect => {
    const points = numbers.slice(8 * at, 8 * at + 8);
    const [across, up] = [
      points.filter((_, index) => index % 2 === 0),
      points.filter((_, index) => index % 2),
    ];
    return [Math.min(...across), Math.min(...up), Math.max(...across), Math.max(...up)];
  });
  const rect = rectOf(pdf, dict.get('Rect'));
  return quads.length || !rect ? quads : [rect];
}

type Placed = {
  readonly id: number;
  readonly kind: string;
  readonly color: Color;
  readonly rect: Rect;
  readonly frame: number;
};

const MAX_MARKS = 400; // on a page; a reader with more to say writes a text
const MAX_STACKED = 3; // a line through a text and one below it, in a frame
const MAX_LINE_SIZES = 3; // the height of a line's quadrilateral, in sizes of the text there

/**
 * What marks that came to a page after signing do together, also those of one annotation. Evil annotation attack: many
 * thin lines wipe out a text, or one writes a 1 where nothing is; light colours over each other are dark.
 */
export function effectTogether(signed: Pdf, now: Pdf, page: PdfRef, values: readonly PdfValue[]): Effect {
  return withScratchLists(now.budget, () => {
    const marks = values.flatMap((value) => placed(now, value));
    const lines = marks.filter(({ kind }) => kind !== 'Highlight');
    const highlights = marks.filter(({ kind }) => kind === 'Highlight');
    if (marks.length > MAX_MARKS) return 'unclear';
    chargeTime(now.budget, MEMBER_UNITS * marks.length * marks.length);
    if (highlights.some((one) => luminanceOf(blend(neighboursOf(one, highlights))) < MIN_LUMINANCE))
      return 'content';
    const texts = contentBelow(signed, page, highlights, { withAnnotations: false });
    if (highlights.some(({ color }, at) => texts[at]?.colors.some((text) => isLostIn(color, text))))
      return 'content';
    if (lines.some((one) => neighboursOf(one, lines).length > MAX_STACKED)) return 'unclear';
    const areas = lines.flatMap(({ id, rect, frame }) => [
      { id, rect, frame, isEdge: false },
      ...edgesOf(rect, frame).map((edge) => ({ id, rect: edge, frame, isEdge: true })),
    ]);
    if (areas.length === 0) return 'mark';
    const below = contentBelow(signed, page, areas, { withAnnotations: false });
    const isOdd = areas.some(({ isEdge, frame, rect }, at) => {
      const { hasText = false, hasContent = false, textSize = 0 } = below[at] ?? {};
      if (isEdge) return hasText;
      const isThick = frame === 0 && textSize > 0 && rect[3] - rect[1] > MAX_LINE_SIZES * textSize;
      return !hasContent || isThick;
    });
    return isOdd ? 'unclear' : 'mark';
  });
}

function placed(pdf: Pdf, value: PdfValue): Placed[] {
  const dict = dictOf(pdf, value);
  const kind = nameOf(resolve(pdf, dict?.get('Subtype'))) ?? '';
  // One with a look of its own is judged alone.
  const isMark =
    dict && !dict.has('AP') && (kind === 'Highlight' || LINES.has(kind) || isFramed(pdf, dict, kind));
  if (!isMark) return [];
  const quads = quadsOf(pdf, dict);
  chargeList(pdf.budget, MEMBER_BYTES * (2 + 6 * quads.length));
  const frame = kind === 'Link' ? frameOf(pdf, dict) : 0;
  const [id, color] = [isRef(value) ? value.id : 0, colorOf(pdf, dict) ?? ([0, 0, 0] as const)];
  return quads.map((rect) => ({ id, kind, color, rect, frame }));
}

/** Itself and the marks that lie over its middle part: those beside it only touch it. */
const neighboursOf = (one: Placed, marks: readonly Placed[]): Placed[] =>
  marks.filter((other) => overlaps(inner(one.rect), inner(other.rect)));

const inner = ([left, bottom, right, top]: Rect): Rect => {
  const [across, up] = [(right - left) / 4, (top - bottom) / 4];
  return [left + across, bottom + up, right - across, top - up];
};

const blend = (marks: readonly Placed[]): Color =>
  marks.reduce<Color>(([r, g, b], { color: [x, y, z] }) => [r * x, g * y, b * z], [1, 1, 1]);

const MIN_CONTRAST = 0.25;

// Readers multiply the colour of a highlight with that of the page: red letters vanish in red. A colour in another space
// than grey, RGB or CMYK is not known.
function isLostIn(highlight: Color, text: string): boolean {
  const parts = text.slice(1, -1).split(' ').map(Number);
  const [a = 0, b = 0, c = 0, d] = parts;
  if (parts.length < 3 || !parts.every(Number.isFinite)) return false;
  const letters = d === undefined ? [a, b, c] : [a, b, c].map((ink) => (1 - ink) * (1 - d));
  return highlight.every((value, at) => value * (1 - (letters[at] ?? 0)) < MIN_CONTRAST);
}

const edgesOf = ([left, bottom, right, top]: Rect, frame: number): Rect[] =>
  frame > 0
    ? [
        [left, bottom, right, bottom + frame],
        [left, top - frame, right, top],
        [left, bottom, left + frame, top],
        [right - frame, bottom, right, top],
      ]
    : [];
