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
import { isLayout } from './layout.ts';
import { lookOf, looksOf } from './look.ts';
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
  /** The size of its largest letter. */
  textSize: number;
  /** The first colours of its letters. */
  colors: readonly string[];
};

/** An area of a page, and the annotation that takes it. */
export type Area = { readonly rect: Rect; readonly id: number };

const AREA_UNITS = 5; // one comparison of two rectangles

const ALL: Below = { hasText: true, hasContent: true, isClose: true, textSize: 0, colors: [] };

/** What a page shows below each of these areas. A page that cannot be read shows text everywhere. */
export function contentBelow(
  pdf: Pdf,
  page: PdfRef,
  areas: readonly Area[],
  { withAnnotations = true } = {},
): Below[] {
  return withScratchLists(pdf.budget, () => {
    const found = areas.map(
      (): Below => ({ hasText: false, hasContent: false, isClose: false, textSize: 0, colors: [] }),
    );
    const margins = areas.map(({ rect }) => grown(rect, MARGIN_POINTS));
    const visit = (mark: Mark): void => {
      chargeTime(pdf.budget, AREA_UNITS * areas.length);
      for (let at = 0; at < areas.length; at++) {
        const margin = margins[at];
        if (!margin || !overlaps(margin, mark.box)) continue;
        const [area, below] = [areas[at], found[at]];
        if (area && below) addMark(below, area.rect, mark);
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

const MAX_COLORS = 8;
const MARGIN_POINTS = 2;
const TOUCHING_POINTS = 3;

function addMark(below: Below, rect: Rect, mark: Mark): void {
  if (isPartOfForm(rect, mark)) return;
  below.isClose = true;
  if (!overlaps(rect, mark.box)) return;
  below.hasContent = true;
  if (mark.kind !== 'letter' || isFiller(mark.text)) return;
  below.hasText = true;
  below.textSize = Math.max(below.textSize, mark.size);
  if (below.colors.length < MAX_COLORS && !below.colors.includes(mark.fill))
    below.colors = [...below.colors, mark.fill];
}

const isFiller = (text: string): boolean => text !== '' && FILLER.test(text);

function isPartOfForm(rect: Rect, mark: Mark): boolean {
  if (mark.kind === 'picture') return false;
  if (mark.kind === 'shape') return isLayout(rect, mark);
  // A font of the file can call a 1 a blank: only a row of equal letters is a line to write on.
  return isFiller(mark.text) && (mark.isRepeated || mark.font.kind === 'plain');
}

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
    const isOver = overlaps(shrunk(area.rect), shrunk(box));
    if (below && area.id !== id && isOver) Object.assign(below, ALL);
  }
}

function showsContent(pdf: Pdf, dict: PdfDict): boolean {
  const kind = nameOf(resolve(pdf, dict.get('Subtype'))) ?? '';
  if ((SHOWS_NOTHING.has(kind) && !dict.has('AP')) || (countOf(resolve(pdf, dict.get('F'))) ?? 0) & HIDDEN)
    return false;
  if (kind !== 'Widget') return true;
  const type = nameOf(inheritedOf(pdf, dict, 'FT'));
  if (type === 'Btn') return dict.has('AP') && nameOf(dict.get('AS')) !== 'Off';
  const hasText = () => looksOf(pdf, dict).some(({ stream }) => lookOf(pdf, stream, new Set()).letters > 0);
  return !isEmptyValue(inheritedOf(pdf, dict, 'V')) || hasText();
}

const MAX_LEVELS = 32; // as for fields

function inheritedOf(pdf: Pdf, dict: PdfDict, key: string): PdfObject {
  let node: PdfDict | undefined = dict;
  for (let level = 0; node && !node.has(key) && level < MAX_LEVELS; level++)
    node = dictOf(pdf, node.get('Parent'));
  return resolve(pdf, node?.get(key));
}

/** Whether a field with this value shows none. */
export const isEmptyValue = (value: PdfObject): boolean =>
  value === null ||
  nameOf(value) === 'Off' ||
  (isArray(value) && value.length === 0) ||
  (isString(value) && textOf(value).trim() === '');

const grown = ([left, bottom, right, top]: Rect, by: number): Rect => [
  left - by,
  bottom - by,
  right + by,
  top + by,
];

// Fields beside each other may touch.
const shrunk = ([left, bottom, right, top]: Rect): Rect => {
  const [across, up] = [right - left, top - bottom].map((side) => Math.min(TOUCHING_POINTS, side / 4));
  return [left + (across ?? 0), bottom + (up ?? 0), right - (across ?? 0), top - (up ?? 0)];
};

export const overlaps = (one: Rect, other: Rect): boolean =>
  one[0] <= other[2] && other[0] <= one[2] && one[1] <= other[3] && other[1] <= one[3];
