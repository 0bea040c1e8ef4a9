import { chargeList, chargeTime, withScratchMemory } from '../../../../bounds/budget.ts';
import type { Field } from '../../fields.ts';
import { BYTE_UNITS, MEMBER_BYTES } from '../../pdf/budget.ts';
import { arrayOf, dictOf, type Pdf, resolve } from '../../pdf/document.ts';
import { stringBytes } from '../../pdf/text.ts';
import { isRef, isString, nameOf, type PdfDict, type PdfString, type PdfValue } from '../../pdf/values.ts';
import type { PageTree } from './pages.ts';
import { type Area, type Comparer, isSame, isSameLocation, keysOf } from './values.ts';

/** The form in both states, and the fields and pages that may use its defaults. */
export type Defaults = {
  readonly before: Pdf;
  readonly after: Pdf;
  readonly compare: Comparer;
  readonly old: PdfDict | undefined;
  readonly now: PdfDict | undefined;
  readonly fields: ReadonlyMap<number, Field>;
  readonly pages: PageTree;
  /** Whether nothing may change. */
  readonly isStrict: boolean;
};

/**
 * Compares the default resources and appearance of a form (/DR, /DA: ISO 32000-2, 12.7.3), which draw the values without
 * an appearance of their own. Acrobat adds a font for a second signature; PDFBox and iText add theirs, and exchange the
 * picture of a visible signature.
 *
 * Shadow attack (replace): the update redefines a font that draws a signed value, so that 1 looks like 9. Every default
 * that may draw a signed value must not change.
 */
export function compareDefaults(defaults: Defaults, area: Area): void {
  const { before, after, compare, old, now } = defaults;
  const isRedrawn = [
    resolve(before, old?.get('NeedAppearances')),
    resolve(after, now?.get('NeedAppearances')),
  ].some((value) => value !== null && value !== false);
  // Only a change needs it: it takes a walk through the form.
  let found: UsedNames | undefined;
  const inUse = (): UsedNames => {
    found ??= namesInUse(defaults);
    return found;
  };
  const mayChange = (): boolean => !defaults.isStrict && !(isRedrawn && inUse().hasValues);
  const [appearance, nowAppearance] = [old?.get('DA'), now?.get('DA')];
  const isSameText = isSame(stringOf(before, appearance), stringOf(after, nowAppearance));
  if (isSameText || !mayChange() || inUse().isInherited) compare.values(appearance, nowAppearance, area);
  compareResources(defaults, (name) => !mayChange() || inUse().isUsed(name), area);
}

const stringOf = (pdf: Pdf, value: PdfValue | undefined): PdfString | undefined => {
  const found = resolve(pdf, value);
  return isString(found) ? found : undefined;
};

function compareResources(
  { before, after, compare, old, now }: Defaults,
  isUsed: (name: string) => boolean,
  area: Area,
): void {
  eachEntry(old?.get('DR'), now?.get('DR'), (kind, one, other) => {
    // /ProcSet is obsolete (ISO 32000-2, 14.2).
    if (kind === 'ProcSet') return;
    eachEntry(one, other, (name, value, nowValue) => {
      const isUntouched =
        isSame(value, nowValue) && (!isRef(value) || isSameLocation(before, after, value.id));
      // A new font may replace the reader's own for a name that is used. Pictures do not draw text.
      const isFree = !isUntouched && (value === undefined || kind === 'XObject');
      if (!isFree || isUsed(name)) compare.values(value, nowValue, area);
    });
  });

  function eachEntry(
    one: PdfValue | undefined,
    other: PdfValue | undefined,
    visit: (key: string, one: PdfValue | undefined, other: PdfValue | undefined) => void,
  ): void {
    const [dict, nowDict] = [dictOf(before, one), dictOf(after, other)];
    const isOdd = (one !== undefined && !dict) || (other === undefined ? dict !== undefined : !nowDict);
    if (isOdd) compare.values(one, other, area);
    else
      for (const key of keysOf(dict ?? new Map(), nowDict ?? new Map()))
        visit(key, dict?.get(key), nowDict?.get(key));
  }
}

type UsedNames = {
  /** Whether a field has or can have a value. */
  readonly hasValues: boolean;
  /** Whether a default appearance in the signed document has this name. */
  readonly isUsed: (name: string) => boolean;
  /** Whether a field with a value uses the form's default appearance. */
  readonly isInherited: boolean;
};

function namesInUse({ before: pdf, old, fields, pages }: Defaults): UsedNames {
  const names = new Set<string>();
  const collect = (value: PdfValue | undefined): boolean => {
    const text = appearanceText(pdf, value);
    for (const [, written = ''] of text.matchAll(NAME)) {
      const name = unescapeName(written);
      if (!names.has(name)) chargeList(pdf.budget, MEMBER_BYTES + name.length);
      names.add(name);
    }
    return FONT.test(text);
  };
  let [hasValues, isInherited] = [false, false];
  for (const field of fields.values())
    withScratchMemory(pdf.budget, () => {
      if (field.type === 'Sig' || field.dict.has('Kids')) return;
      hasValues = true;
      if (field.type === 'Btn' && field.dict.has('AP')) return;
      let node: Field | undefined = field;
      while (node && !collect(node.dict.get('DA'))) node = node.parent;
      if (!node) isInherited = true;
    });
  // Readers draw a note without an appearance, and a widget outside of the form: with its own /DA, the form's font of
  // that name, or the form's /DA.
  const collectAnnotation = (annotation: PdfValue): void => {
    const dict = dictOf(pdf, annotation);
    const field = isRef(annotation) ? fields.get(annotation.id) : undefined;
    let hasFont = collect(dict?.get('DA'));
    for (let node = field?.parent; node && !hasFont; node = node.parent)
      hasFont = collect(node.dict.get('DA'));
    const kind = nameOf(resolve(pdf, dict?.get('Subtype')));
    const type = field?.type ?? nameOf(resolve(pdf, dict?.get('FT')));
    const isValue = kind === 'Widget' && type !== 'Sig';
    if (isValue) hasValues = true;
    // A button shows one of its looks, and no text of its value.
    const isDrawn = isValue && !(type === 'Btn' && dict?.has('AP'));
    if (!hasFont && (isDrawn || kind === 'FreeText')) isInherited = true;
  };
  for (const { ref } of pages.pairs)
    withScratchMemory(pdf.budget, () => {
      for (const annotation of arrayOf(pdf, dictOf(pdf, ref)?.get('Annots')))
        withScratchMemory(pdf.budget, () => collectAnnotation(annotation));
    });
  // Annotations on direct pages are not read: they may use every name.
  if (!pages.isWhole) return { hasValues: true, isInherited: true, isUsed: () => true };
  // Without a font name, readers choose a font, maybe from the form.
  const isAnyUsed = isInherited && !collect(old?.get('DA'));
  return { hasValues, isInherited, isUsed: (name) => isAnyUsed || names.has(name) };
}

const NAME = /\/([^\s\0()<>[\]{}/%]*)/g;
const FONT = /\/[^\s\0()<>[\]{}/%]+[\s\0]+[-+.\d]+[\s\0]+Tf/;

function appearanceText(pdf: Pdf, value: PdfValue | undefined): string {
  const text = stringOf(pdf, value);
  if (!text) return '';
  chargeTime(pdf.budget, BYTE_UNITS * text.raw.length);
  return stringBytes(text).toString('latin1');
}

const unescapeName = (name: string): string =>
  name.replace(/#([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
