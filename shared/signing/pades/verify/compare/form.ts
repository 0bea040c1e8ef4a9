import { chargeList, withScratchMemory } from '../../../../bounds/budget.ts';
import { type Field, signatureOf } from '../../fields.ts';
import { MEMBER_BYTES } from '../../pdf/budget.ts';
import { arrayOf, dictOf, eachRefOf, resolve } from '../../pdf/document.ts';
import { stringBytes } from '../../pdf/text.ts';
import {
  countOf,
  isRef,
  isString,
  numberOf,
  type PdfArray,
  type PdfDict,
  type PdfRef,
  type PdfValue,
  sameRef,
} from '../../pdf/values.ts';
import { isLocked } from '../../permissions.ts';
import { modification } from '../changes.ts';
import { accepts, flagsOf, isFillable } from './field-values.ts';
import { type Filling, judgeFillings, judgeSignings, type Signing } from './filling.ts';
import { compareDefaults } from './form-defaults.ts';
import type { PageTree } from './pages.ts';
import {
  type FormComparison,
  isPlainField,
  judgeNewField,
  judgeSigning,
  type Nodes,
} from './signature-field.ts';
import { judgeStoredLooks } from './stored-looks.ts';
import { type Area, isSame, isSameLocation, keysOf, strictArea } from './values.ts';

/** Compares the fields of both states, node by node (ISO 32000-2, 12.7.4). */
export function compareFields(forms: FormComparison, old: Nodes, now: Nodes, pages: PageTree): void {
  const groups = new Set<number>();
  for (const { isWidgetOnly, parent } of old.values()) if (!isWidgetOnly && parent) groups.add(parent.ref.id);
  chargeList(forms.before.budget, MEMBER_BYTES * groups.size);
  const seen: Seen = { fillings: [], signings: [], groups };
  for (const field of old.values()) {
    const later = now.get(field.ref.id);
    if (!later || !isSameParent(field, later) || field.name !== later.name)
      forms.report(modification(`The field "${field.name}" was removed or moved.`));
    else if (isUntouched(forms, field)) followField(forms, field);
    else withScratchMemory(forms.before.budget, () => compareField(forms, field, later, old, now, seen));
  }
  for (const field of now.values()) {
    const change = old.has(field.ref.id)
      ? undefined
      : withScratchMemory(forms.before.budget, () => judgeNewField(forms, field, old));
    if (change?.kind === 'signature') seen.signings.push({ change, field });
    else if (change) forms.report(change);
  }
  judgeFillings(forms, pages, seen.fillings, now);
  judgeSignings(forms, pages, seen.signings, now);
}

/** What is judged by its place, once all fields are known. */
type Seen = {
  readonly fillings: Filling[];
  readonly signings: Signing[];
  /** Fields with other fields below them, which inherit their values. Nobody fills in a group. */
  readonly groups: ReadonlySet<number>;
};

// A widget may change with the value of its field, so both must be untouched.
const isUntouched = ({ before, after }: FormComparison, { ref, isWidgetOnly, parent }: Field): boolean =>
  isSameLocation(before, after, ref.id) &&
  (!isWidgetOnly || !parent || isSameLocation(before, after, parent.ref.id));

// The bytes are the same in both states: only referenced objects can differ. Other fields are compared on their own.
function followField({ before, compare }: FormComparison, { ref: fieldRef, name }: Field): void {
  const area = strictArea(`The field "${name}" was changed.`);
  eachRefOf(before, fieldRef.id, (id, generation, key) => {
    const ref: PdfRef = { kind: 'ref', id, generation };
    compare.values(ref, ref, area, key);
  });
}

const isSameParent = ({ parent: one }: Field, { parent: other }: Field): boolean =>
  one === undefined || other === undefined ? one === other : sameRef(one.ref, other.ref);

// The entries that change when a field is filled in, or signed.
const FILLED = new Set(['V', 'RV', 'I', 'AP', 'AS', 'M']);
const SIGNED = new Set(['V', 'AP', 'M']);
const STRUCTURE = new Set(['Kids', 'Parent']);

function compareField(
  forms: FormComparison,
  old: Field,
  now: Field,
  oldNodes: Nodes,
  nowNodes: Nodes,
  seen: Seen,
): void {
  const area = strictArea(`The field "${old.name}" was changed.`);
  const free = changeableKeys(forms, old, now, oldNodes, nowNodes, seen);
  const [before, after] = [old.dict, now.dict];
  if (free === FILLED) {
    chargeList(forms.before.budget, MEMBER_BYTES);
    seen.fillings.push({ field: old.isWidgetOnly && old.parent ? old.parent : old, widget: old });
  }
  for (const key of keysOf(before, after)) {
    const [one, other] = [before.get(key), after.get(key)];
    const mayDiffer =
      free.has(key) ||
      (key === 'F' && free === SIGNED && onlyLocks(one, other)) ||
      // pdf-lib writes down that a field has no flags.
      (key === 'Ff' && flagsOf(forms.before, old) === flagsOf(forms.after, now)) ||
      (key === 'DA' && free === FILLED && areTextStyles(forms, one, other)) ||
      (key === 'MK' && free === FILLED && isIdleMark(forms, now, one, other));
    if (!STRUCTURE.has(key) && !mayDiffer) forms.compare.values(one, other, area);
  }
  // Readers also go up from a widget to its field, for inherited entries.
  if (!isSame(before.get('Parent'), after.get('Parent'))) forms.report(area.differs(area.label));
  compareKids(forms, before, after, area);
}

// DocuSign names a font of its own when it fills a field in. The value and its appearance are the filler's anyway.
// Shadow attack (replace): a default appearance is content, and other operators would draw.
const TEXT_STYLE = /^\s*(?:(?:[-+.\d]+\s+){1,4}(?:g|rg|k)\s*|\/[^\s\0()<>[\]{}/%]+\s+[-+.\d]+\s+Tf\s*)*$/;
const MAX_STYLE_BYTES = 256;

type Values = readonly [PdfValue | undefined, PdfValue | undefined];

const areTextStyles = ({ before, after }: FormComparison, ...[old, now]: Values): boolean =>
  [resolve(before, old), resolve(after, now)].every(
    (value) =>
      value === null ||
      (isString(value) &&
        value.raw.length <= MAX_STYLE_BYTES &&
        TEXT_STYLE.test(stringBytes(value).toString('latin1'))),
  );

const CAPTIONS = new Set(['CA', 'BC', 'BG', 'R']);

// iText draws a tick anew and notes only its form; Firefox rounds colours, and leaves out a rotation by nothing. Shadow attack (replace):
// without a look, readers draw what is noted.
function isIdleMark(
  { before, after }: FormComparison,
  { type, dict }: Field,
  ...[old, now]: Values
): boolean {
  if (!dict.has('AP')) return false;
  const [mark, later] = [dictOf(before, old) ?? new Map(), dictOf(after, now) ?? new Map()];
  const caption = resolve(after, later.get('CA'));
  const isTick = caption === null || (isString(caption) && stringBytes(caption).length <= 1);
  if (type === 'Btn') return isTick && later.keys().every((key) => CAPTIONS.has(key));
  return [...keysOf(mark, later)].every(
    (key) => key === 'R' || areSameColors(arrayOf(before, mark.get(key)), arrayOf(after, later.get(key))),
  );
}

const MAX_ROUNDING = 0.01;

const areSameColors = (one: PdfArray, other: PdfArray): boolean =>
  one.length > 0 &&
  one.length === other.length &&
  one.every((value, at) => {
    const [old, now] = [numberOf(value), numberOf(other[at])];
    return old !== undefined && now !== undefined && Math.abs(old - now) <= MAX_ROUNDING;
  });

// Annotation flags (ISO 32000-2, 12.5.3): Locked and LockedContents.
const LOCKED = 1 << 7;
const LOCKED_CONTENTS = 1 << 9;

// Acrobat and iText lock a field when they sign it. Shadow attack (hide): any other flag shows or hides the field.
function onlyLocks(before: PdfValue | undefined, after: PdfValue | undefined): boolean {
  const [old, now] = [before === undefined ? 0 : countOf(before), countOf(after)];
  if (old === undefined || now === undefined) return false;
  return now - old === (now & ~old & (LOCKED | LOCKED_CONTENTS));
}

// Kids that are references are nodes, and compared as nodes.
function compareKids(
  { before, after, compare, report }: FormComparison,
  old: PdfDict,
  now: PdfDict,
  area: Area,
): void {
  const kids = arrayOf(before, old.get('Kids'));
  const nowKids = arrayOf(after, now.get('Kids'));
  for (const [at, kid] of kids.entries()) {
    if (!isRef(kid)) compare.values(kid, nowKids[at], area);
    else if (!isSame(kid, nowKids[at])) report(area.differs(area.label));
  }
  // Shadow attack (hide): with a first kid, a field becomes a group and loses its value.
  const isGroupNow = kids.length === 0 && nowKids.length > 0;
  if (isGroupNow || !nowKids.slice(kids.length).every(isRef)) report(area.differs(area.label));
}

const NONE: ReadonlySet<string> = new Set();

function changeableKeys(
  forms: FormComparison,
  old: Field,
  now: Field,
  before: Nodes,
  after: Nodes,
  { signings, groups }: Seen,
): ReadonlySet<string> {
  // A widget shows its field's value, and may change with it.
  const field = old.isWidgetOnly && old.parent ? old.parent : old;
  const later = after.get(field.ref.id);
  if (!later || isSame(before.get(field.ref.id)?.dict.get('V'), later.dict.get('V'))) return NONE;
  const arePlain = isPlainField(old.dict) && isPlainField(now.dict);
  if (field.type === 'Sig') {
    // A signed field stays as it is: its signature must not be exchanged.
    if (signatureOf(forms.before, field) || !arePlain) return NONE;
    if (!old.isWidgetOnly)
      signings.push({ change: judgeSigning(forms, now, 'An empty field was signed'), field: now });
    return SIGNED;
  }
  const { level } = forms.permissions;
  const isFree =
    level !== 1 &&
    !groups.has(field.ref.id) &&
    !isLocked(forms.permissions, field.name) &&
    isFillable(forms.before, field);
  const value = resolve(forms.after, later.dict.get('V'));
  if (!arePlain || !isFree || !accepts(forms.before, forms.after, field, value)) return NONE;
  // The flags of a widget are its own.
  if (field !== old && !isFillable(forms.before, old)) return NONE;
  const what = `The field "${field.name}" was filled in.`;
  forms.report({ kind: 'form-filling', allowed: true, what, field: field.name });
  return FILLED;
}

const OWN_RULES = new Set(['Fields', 'SigFlags', 'DR', 'DA']);

/** Compares the form's own entries (ISO 32000-2, 12.7.3). Its fields are compared separately. */
export function compareFormDicts(
  forms: FormComparison,
  old: PdfDict | undefined,
  now: PdfDict | undefined,
  known: Nodes,
  pages: PageTree,
): void {
  const { before, after, compare, report, permissions } = forms;
  if (old && !now) report(modification('The form was removed.'));
  const area = strictArea('The form was changed.');
  for (const key of keysOf(old ?? new Map(), now ?? new Map())) {
    const [one, other] = [old?.get(key), now?.get(key)];
    // Shadow attack (replace): with /NeedAppearances, readers redraw the fields in their own way.
    const isRemoved = key === 'NeedAppearances' && (other === undefined || other === false);
    if (isRemoved && resolve(before, one) === true) judgeStoredLooks(forms, known);
    if (!OWN_RULES.has(key) && !isRemoved) compare.values(one, other, area);
  }
  const isStrict = permissions.level === 1;
  compareDefaults({ before, after, compare, old, now, fields: known, pages, isStrict }, area);
  // Shadow attack (replace): a direct field is visible to some readers only.
  const fields = arrayOf(before, old?.get('Fields'));
  const hasNewDirectField = arrayOf(after, now?.get('Fields')).some(
    (field, at) => !isRef(field) && !isSame(field, fields[at]),
  );
  if (hasNewDirectField) report(area.differs(area.label));
}
