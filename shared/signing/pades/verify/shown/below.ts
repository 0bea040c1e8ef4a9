import { chargeTime, withScratchLists, withScratchMemory } from '../../../../bounds/budget.ts';
import { type Rect, rectOf } from '../../appearance/display.ts';
import { arrayOf, dictOf, type Pdf, resolve } from '../../pdf/document.ts';
import { inheritedEntry, pageAt } from '../../pdf/page-tree.ts';
import { textOf } from '../../pdf/text.ts';
import {
  countOf,
  isArray,
  isRef,
  isString,
  nameOf,
  type PdfDict,
  type PdfObject,
  type PdfRef,
} from '../../pdf/values.ts';
import { pageContentOf } from './content.ts';
import type { Mark } from './mark.ts';
import { eachMark } from './marks.ts';
import { IDENTITY } from './matrix.ts';

/** What a page shows in an area. */
export type Below = {
  /** Text that is read, or another annotation. */
  hasText: boolean;
  /** Anything but the lines, boxes and backgrounds of a form. */
  hasContent: boolean;
  /** The same with a margin: what is painted there would cut off a part of it. */
  isClose: boolean;
};

/** An area of a page, and the annotation that takes it. */
export type Area = { readonly rect: Rect; readonly id: number };

const AREA_UNITS = 5; // one comparison of two rectangles

const ALL: Below = { hasText: true, hasContent: true, isClose: true };

/** What a page shows below each of these areas. A page that cannot be read shows text everywhere. */
export function contentBelow(
  pdf: Pdf,
  page: PdfRef,
  areas: readonly Area[],
  { withAnnotations = true } = {},
): Below[] {
  return withScratchLists(pdf.budget, () => {
    const found = areas.map((): Below => ({ hasText: false, hasContent: false, isClose: false }));
    const margins = areas.map(({ rect }) => grown(rect, MARGIN_POINTS));
    const visit = (mark: Mark): void => {
      chargeTime(pdf.budget, AREA_UNITS * areas.length);
      for (let at = 0; at < areas.length; at++) {
        const margin = margins[at];
        if (!margin || !overlaps(margin, mark.box)) continue;
        const [area, below] = [areas[at], found[at]];
        if (area && below && !below.hasText) addMark(below, area.rect, mark);
      }
    };
    const dict = pageAt(pdf, page);
    const bytes = dict && pageContentOf(pdf, dict.dict.get('Contents'));
    const resources = dict && dictOf(pdf, inheritedEntry(dict, 'Resources'));
    const content = bytes && { bytes, resources: resources ?? new Map(), matrix: IDENTITY };
    const isWhole = content !== undefined && eachMark(pdf, content, visit);
    if (!isWhole) return areas.map(() => ({ ...ALL }));
    for (const value of withAnnotations ? arrayOf(pdf, dict?.dict.get('Annots')) : [])
      withScratchMemory(pdf.budget, () =>
        addAnnotation(pdf, isRef(value) ? value.id : undefined, dictOf(pdf, value), areas, found),
      );
    return found;
  });
}

// A blank to write on, and what separates its parts.
const FILLER = /^[\s_.\u2026\u00b7\-\u2013\u2014/\\|()[\]:]*$/;

const MARGIN_POINTS = 2;

function addMark(below: Below, rect: Rect, mark: Mark): void {
  if (isPartOfForm(rect, mark)) return;
  below.isClose = true;
  if (!overlaps(rect, mark.box)) return;
  below.hasContent = true;
  if (mark.kind === 'letter' && !isFiller(mark.text)) below.hasText = true;
}

const isFiller = (text: string): boolean => text !== '' && FILLER.test(text);

function isPartOfForm(rect: Rect, mark: Mark): boolean {
  if (mark.kind === 'picture') return false;
  if (mark.kind === 'shape') return isLayout(rect, mark);
  // A font of the file can call a 1 a blank: only a row of equal letters is a line to write on.
  return isFiller(mark.text) && (mark.isRepeated || mark.font.kind === 'plain');
}

const SPANNING = 0.6;
export const MAX_LINE_POINTS = 3;

/** Whether a shape is a line, a box or a background of a form, and no letter or picture. */
export function isLayout(rect: Rect, { box, isStraight }: Extract<Mark, { kind: 'shape' }>): boolean {
  const isWide = widthOf(box) >= SPANNING * widthOf(rect);
  const isHigh = heightOf(box) >= SPANNING * heightOf(rect);
  if (isWide && isHigh) return true;
  // The sides of a bevelled border are no rectangles.
  return (isWide || isHigh) && (isStraight || isThin(box));
}

/** Whether a filled shape is no more than a line. */
export const isThin = (box: Rect): boolean => Math.min(widthOf(box), heightOf(box)) <= MAX_LINE_POINTS;

// Hidden (ISO 32000-2, 12.5.3). What is only printed, or only viewed, is shown.
const HIDDEN = 1 << 1;
const SHOWS_NOTHING = new Set(['Link', 'Popup']);

function addAnnotation(
  pdf: Pdf,
  id: number | undefined,
  dict: PdfDict | undefined,
  areas: readonly Area[],
  found: readonly Below[],
): void {
  const box = dict && rectOf(pdf, dict.get('Rect'));
  if (!box || !showsContent(pdf, dict)) return;
  chargeTime(pdf.budget, AREA_UNITS * areas.length);
  for (const [at, area] of areas.entries()) {
    const below = found[at];
    const isOver = overlaps(area.rect, middleOf(box)) || overlaps(box, middleOf(area.rect));
    if (below && area.id !== id && isOver) Object.assign(below, ALL);
  }
}

function showsContent(pdf: Pdf, dict: PdfDict): boolean {
  const kind = nameOf(resolve(pdf, dict.get('Subtype'))) ?? '';
  if (SHOWS_NOTHING.has(kind) || (countOf(resolve(pdf, dict.get('F'))) ?? 0) & HIDDEN) return false;
  if (kind !== 'Widget') return true;
  const parent = dictOf(pdf, dict.get('Parent'));
  const value = resolve(pdf, dict.get('V') ?? parent?.get('V'));
  const type = nameOf(resolve(pdf, dict.get('FT') ?? parent?.get('FT')));
  return type === 'Btn' ? dict.has('AP') && nameOf(dict.get('AS')) !== 'Off' : !isEmptyValue(value);
}

/** Whether a field with this value shows none. */
export const isEmptyValue = (value: PdfObject): boolean =>
  value === null ||
  nameOf(value) === 'Off' ||
  (isArray(value) && value.length === 0) ||
  (isString(value) && textOf(value).trim() === '');

const widthOf = ([left, , right]: Rect): number => right - left;
const heightOf = ([, bottom, , top]: Rect): number => top - bottom;

const grown = ([left, bottom, right, top]: Rect, by: number): Rect => [
  left - by,
  bottom - by,
  right + by,
  top + by,
];

const middleOf = ([left, bottom, right, top]: Rect): Rect => {
  const [x, y] = [(left + right) / 2, (bottom + top) / 2];
  return [x, y, x, y];
};

export const overlaps = (one: Rect, other: Rect): boolean =>
  one[0] <= other[2] && other[0] <= one[2] && one[1] <= other[3] && other[1] <= one[3];
