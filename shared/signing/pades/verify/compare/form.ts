import { withScratchMemory } from '../../../../bounds/budget.ts';
import { rectOf } from '../../appearance/place.ts';
import { type Field, isDocumentTimestamp, signatureOf } from '../../fields.ts';
import { arrayOf, dictOf, eachRefOf, type Pdf, resolve } from '../../pdf/document.ts';
import {
  countOf,
  isRef,
  nameOf,
  numberOf,
  type PdfDict,
  type PdfRef,
  type PdfValue,
  sameRef,
} from '../../pdf/values.ts';
import { isLocked, type Permissions } from '../../permissions.ts';
import { type Change, modification } from '../changes.ts';
import { compareDefaults } from './form-defaults.ts';
import { type PageTree, strictArea } from './pages.ts';
import { type Area, type Comparer, isSame, isSameLocation, keysOf } from './values.ts';

export type FormComparison = {
  readonly before: Pdf;
  readonly after: Pdf;
  readonly compare: Comparer;
  readonly report: (change: Change) => void;
  readonly permissions: Permissions;
  /** Whether a signature dictionary is a further signature: one that came after and is not known to be broken. */
  readonly isLater: (signature: PdfDict) => boolean;
  /** Whether it is of somebody whose certificate leads to a root that is trusted. */
  readonly isTrusted: (signature: PdfDict) => boolean;
};

type Nodes = ReadonlyMap<number, Field>;

/** Compares the fields of both states, node by node. */
export function compareFields(forms: FormComparison, old: Nodes, now: Nodes): void {
  for (const field of old.values()) {
    const later = now.get(field.ref.id);
    if (!later || !isSameParent(field, later) || field.name !== later.name)
      forms.report(modification(`The field "${field.name}" was taken away or moved.`));
    else if (isUntouched(forms, field)) followField(forms, field);
    else withScratchMemory(forms.before.budget, () => compareField(forms, field, later, old, now));
  }
  for (const field of now.values()) {
    const change = old.has(field.ref.id)
      ? undefined
      : withScratchMemory(forms.before.budget, () => judgeNewField(forms, field, old));
    if (change) forms.report(change);
  }
}

// A place may change with the value of its field, so that both must be as they were.
const isUntouched = ({ before, after }: FormComparison, { ref, isWidgetOnly, parent }: Field): boolean =>
  isSameLocation(before, after, ref.id) &&
  (!isWidgetOnly || !parent || isSameLocation(before, after, parent.ref.id));

// The same bytes in both: only what it refers to can differ. Other fields are compared for themselves.
function followField({ before, compare }: FormComparison, { ref, name }: Field): void {
  const area = strictArea(`The field "${name}" was changed.`);
  eachRefOf(before, ref.id, (id, generation, key) => {
    const met: PdfRef = { kind: 'ref', id, generation };
    compare.values(met, met, area, key);
  });
}

const isSameParent = ({ parent: one }: Field, { parent: other }: Field): boolean =>
  one === undefined || other === undefined ? one === other : sameRef(one.ref, other.ref);

// What writing a value into a field, or signing in it, changes of its dictionary.
const FILLED = new Set(['V', 'RV', 'I', 'AP', 'AS', 'M']);
const SIGNED = new Set(['V', 'AP', 'M']);
const STRUCTURE = new Set(['Kids', 'Parent']);

function compareField(forms: FormComparison, old: Field, now: Field, oldNodes: Nodes, nowNodes: Nodes): void {
  const area = strictArea(`The field "${old.name}" was changed.`);
  const free = changeableKeys(forms, old, now, oldNodes, nowNodes);
  const [before, after] = [old.dict, now.dict];
  for (const key of keysOf(before, after)) {
    const [one, other] = [before.get(key), after.get(key)];
    const isFree = free.has(key) || (key === 'F' && free === SIGNED && onlyLocks(one, other));
    if (!STRUCTURE.has(key) && !isFree) forms.compare.values(one, other, area);
  }
  // Readers go up from a place to its field, and not only down as the form is walked.
  if (!isSame(before.get('Parent'), after.get('Parent'))) forms.report(area.differs(area.label));
  compareKids(forms, before, after, area);
}

// Annotation flags (ISO 32000-1, table 165): the place can no longer be moved, or its contents changed.
const LOCKED = 1 << 7;
const LOCKED_CONTENTS = 1 << 9;

// Acrobat and iText lock a field when it is signed. Any other flag shows or hides it, on screen or on paper.
function onlyLocks(before: PdfValue | undefined, after: PdfValue | undefined): boolean {
  const [old, now] = [before === undefined ? 0 : countOf(before), countOf(after)];
  if (old === undefined || now === undefined) return false;
  return now - old === (now & ~old & (LOCKED | LOCKED_CONTENTS));
}

// Kids that are references are nodes too, and compared as such.
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
  // With its first kid, what was a field would be a group and have no value.
  const isGroupNow = kids.length === 0 && nowKids.length > 0;
  if (isGroupNow || !nowKids.slice(kids.length).every(isRef)) report(area.differs(area.label));
}

const NONE: ReadonlySet<string> = new Set();

// What a field and its place are made of. Something else that is listed as a field would be free to change.
const FIELD_KEYS = new Set(
  (
    'Type Subtype FT Parent Kids T TU TM Ff V DV AA DR DA Q DS RV Opt TI I MaxLen Lock SV ' +
    'Rect Contents P NM M F AP AS Border C StructParent OC A H MK BS AF BM CA ca Lang'
  ).split(' '),
);

const isPlainField = (dict: PdfDict): boolean =>
  dict.keys().every((key) => FIELD_KEYS.has(key)) &&
  (!dict.has('AS') || nameOf(dict.get('AS')) !== undefined) &&
  (!dict.has('Subtype') || nameOf(dict.get('Subtype')) === 'Widget');

function changeableKeys(
  forms: FormComparison,
  old: Field,
  now: Field,
  before: Nodes,
  after: Nodes,
): ReadonlySet<string> {
  // A place shows its field's value: it may change when that does.
  const field = old.isWidgetOnly && old.parent ? old.parent : old;
  const later = after.get(field.ref.id);
  if (!later || isSame(before.get(field.ref.id)?.dict.get('V'), later.dict.get('V'))) return NONE;
  const arePlain = isPlainField(old.dict) && isPlainField(now.dict);
  if (field.type === 'Sig') {
    if (signatureOf(forms.before, field) || !arePlain) return NONE;
    if (!old.isWidgetOnly) forms.report(judgeSigning(forms, now, 'An empty field was signed'));
    return SIGNED;
  }
  const { level } = forms.permissions;
  if (!isFillable(field) || !arePlain || level === 1 || isLocked(forms.permissions, field.name)) return NONE;
  const what = `The field "${field.name}" was filled in.`;
  forms.report({ kind: 'form-filling', allowed: true, what, field: field.name });
  return FILLED;
}

const PUSH_BUTTON = 1 << 16;

// A push button has no value: what it shows is a picture, and not what somebody filled in.
function isFillable({ type, dict, parent }: Field): boolean {
  const flags = countOf(dict.get('Ff') ?? parent?.dict.get('Ff')) ?? 0;
  return type === 'Tx' || type === 'Ch' || (type === 'Btn' && (flags & PUSH_BUTTON) === 0);
}

function judgeNewField(forms: FormComparison, field: Field, before: Nodes): Change | undefined {
  const isWidgetOfNew = field.isWidgetOnly && field.parent !== undefined && !before.has(field.parent.ref.id);
  if (field.type !== 'Sig' || (field.isWidgetOnly && !isWidgetOfNew))
    return modification(`The field "${field.name}" was added.`);
  // Readers draw other annotations by themselves, such as notes, without any appearance.
  if (!isPlainField(field.dict))
    return modification(`The field "${field.name}" was added as something that is more than a field.`);
  // A script or an action would run in a document that was signed without it.
  if (field.dict.has('A') || field.dict.has('AA'))
    return modification(`The field "${field.name}" was added with actions.`);
  if (!isSame(field.dict.get('Parent'), field.parent?.ref))
    return modification(`The field "${field.name}" was added with another parent than it has.`);
  if (field.isWidgetOnly) return undefined;
  if (signatureOf(forms.after, field)) return judgeSigning(forms, field, 'A field was added and signed');
  if (isVisible(forms.after, field) || field.dict.has('Kids'))
    return modification(`The field "${field.name}" was added: it shows something and is not signed.`);
  const allowed = mayChange(forms, field.name);
  const what = `The empty signature field "${field.name}" was added.`;
  return allowed ? { kind: 'signature-field', allowed, what, field: field.name } : modification(what);
}

function judgeSigning(forms: FormComparison, field: Field, what: string): Change {
  const signature = signatureOf(forms.after, field);
  if (!signature || !forms.isLater(signature))
    return modification(`What stands in the field "${field.name}" is no signature that holds.`);
  const isTimestamp = isDocumentTimestamp(signature);
  // Anybody can have a timestamp, or make a certificate: what they show would speak for no signer.
  const isNobodys = isTimestamp || !forms.isTrusted(signature);
  if (isNobodys && (isVisible(forms.after, field) || field.dict.has('Kids'))) {
    const whose = isTimestamp ? 'timestamp' : 'signature, by nobody who is trusted here,';
    return modification(`The ${whose} in the field "${field.name}" shows something on a page.`);
  }
  // One that shows nothing is no change to the document, whatever is locked.
  const kind = isTimestamp ? 'document-timestamp' : 'signature';
  const allowed = isTimestamp || mayChange(forms, field.name);
  const message = `${isTimestamp ? 'A timestamp over the document was added' : what}: "${field.name}".`;
  return allowed ? { kind, allowed, what: message, field: field.name } : modification(message);
}

const mayChange = ({ permissions }: FormComparison, field: string): boolean =>
  permissions.level !== 1 && !isLocked(permissions, field);

function isVisible(pdf: Pdf, { dict }: Field): boolean {
  // Where no place is told, or none that is understood here, readers may draw all the same: mutool does, and takes --0
  // for a number.
  const [left, bottom, right, top] = rectOf(pdf, dict.get('Rect')) ?? ANYWHERE;
  const mk = dictOf(pdf, dict.get('MK')) ?? new Map();
  const isFramed = mk.has('BC') && !hasThinBorder(pdf, dict);
  const isDrawn = dict.has('AP') || isFramed || mk.keys().some((key) => !HARMLESS_MK_KEYS.has(key));
  return isDrawn && right > left && top > bottom;
}

const ANYWHERE = [0, 0, 1, 1] as const;

// A turn and a border: a background or a caption would cover or say something.
const HARMLESS_MK_KEYS = new Set(['R', 'BC']);

const MAX_BORDER_POINTS = 3; // in points, as programs offer it; a wide one covers what it frames

function hasThinBorder(pdf: Pdf, dict: PdfDict): boolean {
  const [, , width] = arrayOf(pdf, dict.get('Border'));
  const widths = [dictOf(pdf, dict.get('BS'))?.get('W'), width].filter((each) => each !== undefined);
  return widths.every((each) => (numberOf(resolve(pdf, each)) ?? MAX_BORDER_POINTS + 1) <= MAX_BORDER_POINTS);
}

const OWN_RULES = new Set(['Fields', 'SigFlags', 'DR', 'DA']);

/** Compares the form's own entries; its fields are compared apart. */
export function compareFormDicts(
  forms: FormComparison,
  old: PdfDict | undefined,
  now: PdfDict | undefined,
  known: Nodes,
  pages: PageTree,
): void {
  const { before, after, compare, report, permissions } = forms;
  if (old && !now) report(modification('The form was taken away.'));
  const area = strictArea('The form was changed.');
  for (const key of keysOf(old ?? new Map(), now ?? new Map())) {
    const [one, other] = [old?.get(key), now?.get(key)];
    // Without this, readers draw the fields as they stand; with it, they draw them anew.
    const isHarmless = key === 'NeedAppearances' && (other === undefined || other === false);
    if (!OWN_RULES.has(key) && !isHarmless) compare.values(one, other, area);
  }
  const isStrict = permissions.level === 1;
  compareDefaults({ before, after, compare, old, now, fields: known, pages, isStrict }, area);
  // A field that is no object of its own is seen by some readers and not by others.
  const fields = arrayOf(before, old?.get('Fields'));
  const isOdd = arrayOf(after, now?.get('Fields')).some(
    (field, at) => !isRef(field) && !isSame(field, fields[at]),
  );
  if (isOdd) report(area.differs(area.label));
}
