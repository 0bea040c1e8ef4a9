import { chargeList, chargeTime, withScratchMemory } from '../../../../bounds/budget.ts';
import { type Rect, rectOf } from '../../appearance/display.ts';
import type { Field } from '../../fields.ts';
import { MEMBER_BYTES, MEMBER_UNITS } from '../../pdf/budget.ts';
import { arrayOf, dictOf, type Pdf, resolve } from '../../pdf/document.ts';
import { countOf, isRef, nameOf, type PdfDict, type PdfValue } from '../../pdf/values.ts';
import type { Change } from '../changes.ts';
import { type Area, type Below, contentBelow, isEmptyValue } from '../shown/below.ts';
import { type LookStream, lookOf, looksOf, outlinesOf, streamsOf } from '../shown/look.ts';
import type { PagePair } from './annotations.ts';
import { isReplaced, isShownAs } from './field-values.ts';
import type { PageTree } from './pages.ts';
import { type FormComparison, isVisible, type Nodes } from './signature-field.ts';
import { isSame, isSameLocation } from './values.ts';

/** A widget whose field was filled in. A field may be its own widget. */
export type Filling = { readonly field: Field; readonly widget: Field };

/**
 * Judges what a reader sees of fields that were filled in. A person writes the value of a field into its room; whatever
 * else a widget shows is left to a person to compare.
 *
 * Shadow attack (replace): an invisible field lies over the text, and is "filled in" with another contract.
 */
export function judgeFillings(
  forms: FormComparison,
  pages: PageTree,
  fillings: readonly Filling[],
  later: Nodes,
): void {
  const report = ({ name: field }: Field, what: string): void =>
    forms.report({ kind: 'overlay', allowed: true, what, field });
  const byWidget = new Map(fillings.map((filling) => [filling.widget.ref.id, filling]));
  const statesOf = new Map<number, Set<string>>();
  for (const { field, widget } of fillings) {
    const states = statesOf.get(field.ref.id) ?? new Set();
    statesOf.set(field.ref.id, states);
    withScratchMemory(forms.before.budget, () => addStates(forms.before, widget.dict, states));
  }
  for (const { field } of fillings) {
    const wasReplaced = withScratchMemory(forms.before.budget, () => {
      const value = later.get(field.ref.id)?.dict.get('V');
      return isReplaced(forms.before, forms.after, field.dict.get('V'), value);
    });
    if (wasReplaced && !forms.isCertification)
      report(field, `The field "${field.name}" had another value when it was signed.`);
    if (field.type === 'Btn' && !isStateOf(forms.before, statesOf.get(field.ref.id), later.get(field.ref.id)))
      report(field, `The field "${field.name}" has a value that none of its buttons has.`);
    // Direct pages are not read, and a widget may be on one.
    if (!pages.isWhole) report(field, `The field "${field.name}" is on a page that cannot be compared.`);
  }
  for (const { page, areas } of widgetsOn(forms, pages, new Set(byWidget.keys()))) {
    const found = contentBelow(forms.before, page.ref, areas);
    for (const [at, { id, rect }] of areas.entries()) {
      const [filling, below] = [byWidget.get(id), found[at]];
      const what = filling && below && faultOf(forms, filling, rect, below, later);
      if (what) report(filling.field, `The field "${filling.field.name}" ${what} on page ${page.number}.`);
    }
  }
}

/** A field that was signed, and what that is without its place. */
export type Signing = { readonly field: Field; readonly change: Change };

/**
 * Reports signatures, and those that are shown over what others signed before.
 *
 * Sneaky signature attack: the look of a later signature is another contract. Its signer is known and answers for it.
 */
export function judgeSignings(
  forms: FormComparison,
  pages: PageTree,
  signings: readonly Signing[],
  now: Nodes,
): void {
  const fieldOf = new Map<number, string>();
  for (const { field, change } of signings)
    for (const node of change.kind === 'signature' ? now.values() : [])
      if (
        (node === field || (node.isWidgetOnly && node.parent === field)) &&
        withScratchMemory(forms.after.budget, () => isVisible(forms.after, node))
      )
        fieldOf.set(node.ref.id, field.name);
  const covering = new Map<string, number>();
  for (const { page, areas } of widgetsOn(forms, pages, new Set(fieldOf.keys())))
    for (const [at, { hasContent }] of contentBelow(forms.before, page.ref, areas).entries())
      if (hasContent) covering.set(fieldOf.get(areas[at]?.id ?? 0) ?? '', page.number);
  for (const { field, change } of signings) {
    const page = change.kind === 'signature' ? covering.get(field.name) : undefined;
    const what = `${change.what} It is shown over content of page ${page}.`;
    forms.report(page === undefined ? change : { ...change, kind: 'covering-signature', what });
  }
}

type Place = { readonly page: PagePair; readonly areas: readonly Area[] };

/** The places of widgets on pages that were signed. */
export function widgetsOn({ after }: FormComparison, pages: PageTree, ids: ReadonlySet<number>): Place[] {
  if (ids.size === 0) return [];
  return pages.pairs.flatMap((page) => {
    const areaOf = (value: PdfValue): Area[] => {
      chargeTime(after.budget, MEMBER_UNITS);
      if (!isRef(value) || !ids.has(value.id)) return [];
      const rect = withScratchMemory(after.budget, () => placeOf(after, value));
      chargeList(after.budget, 3 * MEMBER_BYTES);
      return [{ rect, id: value.id }];
    };
    const areas = withScratchMemory(after.budget, () =>
      arrayOf(after, dictOf(after, page.ref)?.get('Annots')).flatMap(areaOf),
    );
    return areas.length ? [{ page, areas }] : [];
  });
}

const ANYWHERE: Rect = [-Infinity, -Infinity, Infinity, Infinity];

// NoZoom and NoRotate (ISO 32000-2, 12.5.3): the annotation leaves its rectangle when the page is turned or shown smaller.
const LEAVES_PLACE = (1 << 3) | (1 << 4);

// Without a readable /Rect, some readers still draw.
function placeOf(pdf: Pdf, value: PdfValue): Rect {
  const widget = dictOf(pdf, value);
  const leaves = (countOf(resolve(pdf, widget?.get('F'))) ?? 0) & LEAVES_PLACE;
  return (leaves ? undefined : rectOf(pdf, widget?.get('Rect'))) ?? ANYWHERE;
}

const OVER = 'lies over other content';
const PAINTS = 'paints over other content';
const SHOWS = 'shows something else than its value';
const SHOWED = 'showed something else when it was signed';

/** The reason why a person must compare the page; undefined where the widget shows the value in a room for it. */
function faultOf(
  forms: FormComparison,
  filling: Filling,
  rect: Rect,
  below: Below,
  later: Nodes,
): string | undefined {
  const { after } = forms;
  if (below.hasText) return OVER;
  return withScratchMemory(after.budget, () => {
    const value = later.get(filling.field.ref.id)?.dict.get('V');
    const widget = later.get(filling.widget.ref.id)?.dict;
    const looks = newLooks(forms, filling.widget.dict.get('AP'), widget?.get('AP'));
    const isButton = filling.field.type === 'Btn';
    if (!forms.isCertification && wasShownOtherwise(forms.before, filling, widget)) return SHOWED;
    if (widget?.has('AP') && !looks.some(({ kind }) => kind === 'N')) return SHOWS;
    if (isButton && !isShownState(nameOf(widget?.get('AS')), nameOf(resolve(after, value)), looks))
      return SHOWS;
    const known = outlinesOf(forms.before, looksOf(forms.before, filling.widget.dict));
    for (const { stream } of looks) {
      const look = lookOf(after, stream, known);
      const isValue = isButton
        ? look.letters <= 1 && (!look.hasDrawing || isSmall(rect))
        : !look.hasDrawing &&
          look.text !== undefined &&
          isShownAs(forms.before, after, filling.field, resolve(after, value), look.text);
      if (!isValue) return SHOWS;
      if (below.isClose && (look.paints || look.hasDrawing)) return PAINTS;
      if (below.hasContent && !look.isPlain) return PAINTS;
    }
    return undefined;
  });
}

// Shadow attack (replace): the look of a field without a value has a text, or its tick.
function wasShownOtherwise(before: Pdf, { field, widget }: Filling, later: PdfDict | undefined): boolean {
  if (!isEmptyValue(resolve(before, field.dict.get('V')))) return false;
  if (field.type !== 'Btn')
    return looksOf(before, widget.dict).some(({ stream }) => {
      const { text, letters } = lookOf(before, stream, new Set());
      return letters > 0 && (text === undefined || !isShownAs(before, before, field, null, text));
    });
  const [state = 'Off', now = 'Off'] = [nameOf(widget.dict.get('AS')), nameOf(later?.get('AS'))];
  return state !== 'Off' && state !== now;
}

// What a button shows while the mouse is over it or presses it was signed along, unless it changed.
const newLooks = (
  { before, after }: FormComparison,
  old: PdfValue | undefined,
  now: PdfValue | undefined,
): LookStream[] => {
  const signed = streamsOf(before, old);
  const isSigned = ({ kind, state, value }: LookStream): boolean =>
    isRef(value) &&
    isSameLocation(before, after, value.id) &&
    signed.some((one) => one.kind === kind && one.state === state && isSame(one.value, value));
  return streamsOf(after, now).filter((look) => look.kind === 'N' || !isSigned(look));
};

// A button that says "yes" to programs says so to people, and the other way round.
function isShownState(state = 'Off', value = 'Off', looks: readonly LookStream[]): boolean {
  const isItsOwn = looks.some((look) => look.state === value);
  return isItsOwn ? state === value : state === 'Off' || state === value;
}

function addStates(before: Pdf, widget: PdfDict, states: Set<string>): void {
  for (const { state } of streamsOf(before, widget.get('AP')))
    if (state !== undefined && state !== 'Off') states.add(state);
}

const isStateOf = (
  before: Pdf,
  states: ReadonlySet<string> = new Set(),
  field: Field | undefined,
): boolean => {
  const value = nameOf(resolve(before, field?.dict.get('V'))) ?? 'Off';
  return states.size === 0 || value === 'Off' || states.has(value);
};

const MAX_BUTTON_POINTS = 64;

const isSmall = ([left, bottom, right, top]: Rect): boolean =>
  Math.max(right - left, top - bottom) <= MAX_BUTTON_POINTS;
