import { withScratchLists } from '../../../../bounds/budget.ts';
import { type Rect, rectOf } from '../../appearance/display.ts';
import { dictOf, type Pdf, resolve } from '../../pdf/document.ts';
import {
  isDict,
  isStream,
  nameOf,
  type PdfDict,
  type PdfStream,
  type PdfValue,
  print,
} from '../../pdf/values.ts';
import { contentOf } from './content.ts';
import { isPartOfField, isThin, MAX_LINE_POINTS } from './layout.ts';
import type { Content } from './mark.ts';
import { eachMark, MAX_DEPTH } from './marks.ts';
import { IDENTITY } from './matrix.ts';

/** What the appearance of an annotation draws (ISO 32000-2, 12.5.5), as far as a field of a form has it. */
export type Look = {
  /** In the order of drawing, without blanks. Undefined where a letter of it is not known. */
  readonly text: string | undefined;
  readonly letters: number;
  /** Whether its letters are those of fonts that every reader has. */
  readonly isPlain: boolean;
  /** Whether it paints a surface, such as a background, that the signed look does not. */
  readonly paints: boolean;
  /** Whether it has what no field draws: pictures, drawings, or parts that cannot be read. */
  readonly hasDrawing: boolean;
};

export type LookStream = {
  readonly kind: string;
  readonly state: string | undefined;
  readonly value: PdfValue;
  readonly stream: PdfStream;
};

/** The streams of an appearance: normal (N), rollover (R) and down (D), maybe for each state of a button. */
export function streamsOf(pdf: Pdf, appearance: PdfValue | undefined): LookStream[] {
  return [...(dictOf(pdf, appearance) ?? [])].flatMap(([kind, value]): LookStream[] => {
    const found = resolve(pdf, value);
    if (isStream(found)) return [{ kind, state: undefined, value, stream: found }];
    return [...(isDict(found) ? found : [])].flatMap(([state, each]) => {
      const stream = resolve(pdf, each);
      return isStream(stream) ? [{ kind, state, value: each, stream }] : [];
    });
  });
}

/** The surfaces and lines of looks that everybody saw, which are no change when they come again. */
export type Outlines = ReadonlySet<string>;

export function outlinesOf(pdf: Pdf, looks: readonly LookStream[]): Outlines {
  const outlines = new Set<string>();
  for (const { stream } of looks) {
    const content = contentOfLook(pdf, stream);
    if (content)
      eachMark(
        pdf,
        content,
        (mark) => {
          if (mark.kind === 'shape' && mark.isOpaque && outlines.size < MAX_SHAPES)
            outlines.add(boxText(pdf, stream.dict) + mark.outline);
        },
        MAX_DEPTH,
      );
  }
  return outlines;
}

// In its own units, in which its box is: its matrix turns both alike.
function contentOfLook(pdf: Pdf, stream: PdfStream): Content | undefined {
  const bytes = contentOf(pdf, stream);
  return (
    bytes && { bytes, resources: dictOf(pdf, stream.dict.get('Resources')) ?? new Map(), matrix: IDENTITY }
  );
}

// Another box would draw the same shape in another size.
const boxText = (pdf: Pdf, dict: PdfDict): string =>
  ['BBox', 'Matrix'].map((key) => print(plainValue(resolve(pdf, dict.get(key))))).join();

const plainValue = (value: ReturnType<typeof resolve>): PdfValue => (isStream(value) ? null : value);

const MAX_SHAPES = 200; // a look with a comb of fifty letters has fifty lines
const MAX_LINES = 12; // more of them make a surface
const MAX_LETTERS = 100_000;

/** Reads one look. `known` are the shapes of the signed one. */
export function lookOf(pdf: Pdf, stream: PdfStream, known: Outlines): Look {
  return withScratchLists(pdf.budget, () => {
    const box: Rect = rectOf(pdf, stream.dict.get('BBox')) ?? [0, 0, 0, 0];
    const prefix = boxText(pdf, stream.dict);
    const look = { isPlain: true, paints: false, hasDrawing: false };
    let text: string | undefined = '';
    let [letters, shapes] = [0, 0];
    const content = contentOfLook(pdf, stream);
    const isWhole =
      content !== undefined &&
      eachMark(pdf, content, (mark) => {
        if (mark.kind === 'letter') {
          letters++;
          if (mark.text === '' || text === undefined || text.length > MAX_LETTERS) text = undefined;
          else text += mark.text.slice(0, MAX_LETTERS);
          if (mark.font.kind !== 'plain') look.isPlain = false;
          if (mark.font.kind === 'drawn') look.hasDrawing = true;
        } else if (mark.kind === 'picture') look.hasDrawing = true;
        else if (!known.has(prefix + mark.outline)) {
          shapes++;
          const isLine =
            mark.strokeWidth === undefined ? isThin(mark.box) : mark.strokeWidth <= MAX_LINE_POINTS;
          if (!isLine || shapes > MAX_LINES) look.paints = true;
          if (!isPartOfField(box, mark) || shapes > MAX_SHAPES) look.hasDrawing = true;
        }
      });
    return { ...look, letters, text: text?.replace(/\s/g, ''), hasDrawing: look.hasDrawing || !isWhole };
  });
}

/** What a widget shows: its normal look, of a button that of its state. */
export function looksOf(pdf: Pdf, widget: PdfDict): LookStream[] {
  const shown = nameOf(widget.get('AS'));
  return streamsOf(pdf, widget.get('AP')).filter(
    ({ kind, state }) => kind === 'N' && (state === undefined || state === shown),
  );
}
