import { rectOf } from '../../appearance/display.ts';
import { arrayOf, dictOf, type Pdf, resolve } from '../../pdf/document.ts';
import { nameOf, numberOf, type PdfDict, type PdfValue } from '../../pdf/values.ts';
import { type Effect, effectOfStyle } from './marking.ts';

/** In order of severity. */
const EFFECTS: readonly Effect[] = ['mark', 'unclear', 'content'];

// Evil annotation attack ("Breaking the Specification", 2021). The kinds of ISO 32000-2, 12.5.6. One that is not here
// is 'content'.
const KINDS: Readonly<Record<string, { readonly effect: Effect; readonly isIcon?: true }>> = {
  Text: { effect: 'mark', isIcon: true }, // a note: an icon, and its text in a window
  FileAttachment: { effect: 'mark', isIcon: true },
  Sound: { effect: 'mark', isIcon: true },
  Popup: { effect: 'mark' }, // the window of a note, which a person opens and closes
  Link: { effect: 'mark' }, // a thin frame, if any
  Highlight: { effect: 'mark' }, // colour through which the text is read
  Underline: { effect: 'mark' },
  Squiggly: { effect: 'mark' },
  StrikeOut: { effect: 'mark' }, // a thin line
  FreeText: { effect: 'content' }, // text on the page
  Stamp: { effect: 'content' }, // a picture on the page
  Redact: { effect: 'content' }, // covers content, and shows a text there
  Watermark: { effect: 'content' }, // text or a picture
  Square: { effect: 'content' }, // these six can be filled, or drawn so thick that they cover
  Circle: { effect: 'content' },
  Line: { effect: 'content' }, // has a caption too
  Polygon: { effect: 'content' },
  PolyLine: { effect: 'content' },
  Ink: { effect: 'content' }, // writes
  Caret: { effect: 'content' }, // inserts text
  Screen: { effect: 'content' }, // these five show media
  Movie: { effect: 'content' },
  '3D': { effect: 'content' },
  RichMedia: { effect: 'content' },
  Projection: { effect: 'content' },
  PrinterMark: { effect: 'content' }, // these two are drawn as their producer wants
  TrapNet: { effect: 'content' },
};

/** Also for an annotation that cannot be read: 'content'. @example effectOf(pdf, annots[0]) // 'mark' */
export function effectOf(pdf: Pdf, annotation: PdfValue): Effect {
  const dict = dictOf(pdf, annotation);
  const kind = KINDS[nameOf(resolve(pdf, dict?.get('Subtype'))) ?? ''];
  if (!dict || kind?.effect !== 'mark') return 'content';
  const hasOwnLook =
    OWN_LOOK.some((key) => dict.has(key)) ||
    !hasThinBorder(pdf, dict) ||
    (kind.isIcon && !isIconSized(pdf, dict));
  // A reader that draws the look of the annotation follows no style.
  const style = dict.has('AP') ? 'mark' : effectOfStyle(pdf, dict);
  return worstEffect(hasOwnLook ? 'unclear' : 'mark', style);
}

export const worstEffect = (...effects: readonly Effect[]): Effect =>
  EFFECTS.findLast((each) => effects.includes(each)) ?? 'content';

// An appearance stream, and a blend mode (ISO 32000-2, 12.5.2) that could make a highlight opaque.
const OWN_LOOK = ['AP', 'BM'];

const MAX_ICON_POINTS = 64; // programs draw icons of 18 to 32

function isIconSized(pdf: Pdf, dict: PdfDict): boolean {
  const [left, bottom, right, top] = rectOf(pdf, dict.get('Rect')) ?? [0, 0, Infinity, Infinity];
  return Math.max(right - left, top - bottom) <= MAX_ICON_POINTS;
}

const MAX_BORDER_POINTS = 3; // as programs offer it; a wider border covers the text inside

/** Whether the border of an annotation, if any, covers no text. */
function hasThinBorder(pdf: Pdf, dict: PdfDict): boolean {
  const [, , width] = arrayOf(pdf, dict.get('Border'));
  const widths = [dictOf(pdf, dict.get('BS'))?.get('W'), width].filter((each) => each !== undefined);
  return widths.every((each) => (numberOf(resolve(pdf, each)) ?? MAX_BORDER_POINTS + 1) <= MAX_BORDER_POINTS);
}
