import { type Field, signatureOf } from '../fields.ts';
import { rectOf } from '../look/place.ts';
import { arrayOf, dictOf, type Pdf } from '../pdf/document.ts';
import { isRef, type PdfDict, sameRef } from '../pdf/values.ts';
import { isLocked, type Permissions } from '../permissions.ts';
import { isDocumentTimestamp } from '../sub-filters.ts';
import { type Change, modification } from './changes.ts';
import { strictly } from './compare-pages.ts';
import { type Area, type Comparer, isSame, keysOf } from './compare-values.ts';

export type Forms = {
  readonly before: Pdf;
  readonly after: Pdf;
  readonly compare: Comparer;
  readonly tell: (change: Change) => void;
  readonly permissions: Permissions;
  /** Whether a signature dictionary is one that holds together: only such a one is a further signature. */
  readonly isIntact: (signature: PdfDict) => boolean;
};

type Nodes = ReadonlyMap<number, Field>;

/** Compares the fields of both states, node by node. */
export function compareFields(forms: Forms, old: Nodes, now: Nodes): void {
  for (const field of old.values()) {
    const kept = now.get(field.ref.id);
    if (!kept || !isSameParent(field, kept) || field.name !== kept.name)
      forms.tell(modification(`The field "${field.name}" was taken away or moved.`));
    else compareField(forms, field, kept, old, now);
  }
  for (const field of now.values()) {
    const change = old.has(field.ref.id) ? undefined : newField(forms, field, old);
    if (change) forms.tell(change);
  }
}

const isSameParent = ({ parent: one }: Field, { parent: other }: Field): boolean =>
  one === undefined || other === undefined ? one === other : sameRef(one.ref, other.ref);

// What writing a value into a field, or signing in it, changes of its dictionary.
const FILLED = new Set(['V', 'RV', 'I', 'AP', 'AS', 'M']);
const SIGNED = new Set(['V', 'AP', 'M']);
const STRUCTURE = new Set(['Kids', 'Parent']);

function compareField(forms: Forms, old: Field, now: Field, before: Nodes, after: Nodes): void {
  const area = strictly(`The field "${old.name}" was changed.`);
  const free = changeableKeys(forms, old, now, before, after);
  for (const key of keysOf(old.dict, now.dict))
    if (!STRUCTURE.has(key) && !free.has(key))
      forms.compare.values(old.dict.get(key), now.dict.get(key), area);
  compareKids(forms, old.dict, now.dict, area);
}

// Kids that are references are nodes too, and compared as such.
function compareKids({ before, after, compare, tell }: Forms, old: PdfDict, now: PdfDict, area: Area): void {
  const kids = arrayOf(before, old.get('Kids'));
  const nowKids = arrayOf(after, now.get('Kids'));
  for (const [at, kid] of kids.entries()) {
    if (!isRef(kid)) compare.values(kid, nowKids[at], area);
    else if (!isSame(kid, nowKids[at])) tell(area.differs(area.label));
  }
  if (!nowKids.slice(kids.length).every(isRef)) tell(area.differs(area.label));
}

const NONE: ReadonlySet<string> = new Set();

// What a field and its place are made of. Something else that is listed as a field would be free to change.
const FIELD_KEYS = new Set(
  (
    'Type Subtype FT Parent Kids T TU TM Ff V DV AA DR DA Q DS RV Opt TI I MaxLen Lock SV ' +
    'Rect Contents P NM M F AP AS Border C StructParent OC A H MK BS AF BM CA ca Lang'
  ).split(' '),
);

const isPlainField = (dict: PdfDict): boolean => dict.keys().every((key) => FIELD_KEYS.has(key));

function changeableKeys(
  forms: Forms,
  old: Field,
  now: Field,
  before: Nodes,
  after: Nodes,
): ReadonlySet<string> {
  // A place shows its field's value: it may change when that does.
  const field = old.isPlace && old.parent ? old.parent : old;
  const kept = after.get(field.ref.id);
  if (!kept || isSame(before.get(field.ref.id)?.dict.get('V'), kept.dict.get('V'))) return NONE;
  if (field.type === 'Sig') {
    if (signatureOf(forms.before, field) || !isPlainField(old.dict)) return NONE;
    if (!old.isPlace) forms.tell(signing(forms, now, 'An empty field was signed'));
    return SIGNED;
  }
  const { level } = forms.permissions;
  const isFillable = field.type === 'Tx' || field.type === 'Btn' || field.type === 'Ch';
  if (!isFillable || !isPlainField(old.dict) || level === 1 || isLocked(forms.permissions, field.name))
    return NONE;
  const what = `The field "${field.name}" was filled in.`;
  forms.tell({ kind: 'form-filling', allowed: true, what, field: field.name });
  return FILLED;
}

function newField(forms: Forms, field: Field, before: Nodes): Change | undefined {
  const isPlaceOfNew = field.isPlace && field.parent !== undefined && !before.has(field.parent.ref.id);
  if (field.type !== 'Sig' || (field.isPlace && !isPlaceOfNew))
    return modification(`The field "${field.name}" was added.`);
  // A script or an action would run in a document that was signed without it.
  if (field.dict.has('A') || field.dict.has('AA'))
    return modification(`The field "${field.name}" was added with actions.`);
  if (field.isPlace) return undefined;
  if (signatureOf(forms.after, field)) return signing(forms, field, 'A field was added and signed');
  if (isShown(forms.after, field) || field.dict.has('Kids'))
    return modification(`The field "${field.name}" was added: it shows something and is not signed.`);
  const allowed = mayChange(forms, field.name);
  const what = `The empty signature field "${field.name}" was added.`;
  return allowed ? { kind: 'signature-field', allowed, what, field: field.name } : modification(what);
}

function signing(forms: Forms, field: Field, what: string): Change {
  const signature = signatureOf(forms.after, field);
  if (!signature || !forms.isIntact(signature))
    return modification(`What stands in the field "${field.name}" is no signature that holds.`);
  const isTimestamp = isDocumentTimestamp(signature);
  // Anybody can have a timestamp: one that shows something would speak for no signer.
  if (isTimestamp && (isShown(forms.after, field) || field.dict.has('Kids')))
    return modification(`The timestamp in the field "${field.name}" shows something on a page.`);
  // One that shows nothing is no change to the document, whatever is locked.
  const kind = isTimestamp ? 'document-timestamp' : 'signature';
  const allowed = isTimestamp || mayChange(forms, field.name);
  const told = `${isTimestamp ? 'A timestamp over the document was added' : what}: "${field.name}".`;
  return allowed ? { kind, allowed, what: told, field: field.name } : modification(told);
}

const mayChange = ({ permissions }: Forms, field: string): boolean =>
  permissions.level !== 1 && !isLocked(permissions, field);

function isShown(pdf: Pdf, { dict }: Field): boolean {
  const [left = 0, bottom = 0, right = 0, top = 0] = rectOf(pdf, dict.get('Rect')) ?? [];
  return dictOf(pdf, dict.get('AP')) !== undefined && right > left && top > bottom;
}

/** Compares the form's own entries; its fields are compared apart. */
export function compareFormDicts(forms: Forms, old: PdfDict | undefined, now: PdfDict | undefined): void {
  const { compare, tell } = forms;
  if (old && !now) tell(modification('The form was taken away.'));
  const area = strictly('The form was changed.');
  for (const key of keysOf(old ?? new Map(), now ?? new Map())) {
    const [before, after] = [old?.get(key), now?.get(key)];
    const isNewDefault = before === undefined && (key === 'DA' || key === 'DR');
    // Without this, readers draw the fields as they stand; with it, they draw them anew.
    const isHarmless = key === 'NeedAppearances' && (after === undefined || after === false);
    if (key !== 'Fields' && key !== 'SigFlags' && !isNewDefault && !isHarmless)
      compare.values(before, after, area);
  }
  // A field that is no object of its own is seen by some readers and not by others.
  const fields = arrayOf(forms.before, old?.get('Fields'));
  const isOdd = arrayOf(forms.after, now?.get('Fields')).some(
    (field, at) => !isRef(field) && !isSame(field, fields[at]),
  );
  if (isOdd) tell(area.differs(area.label));
}
