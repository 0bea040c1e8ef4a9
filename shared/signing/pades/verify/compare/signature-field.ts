import { rectOf } from '../../appearance/display.ts';
import { type Field, isDocumentTimestamp, signatureOf } from '../../fields.ts';
import { dictOf, type Pdf } from '../../pdf/document.ts';
import { nameOf, type PdfDict } from '../../pdf/values.ts';
import { isLocked, type Permissions } from '../../permissions.ts';
import { type Change, modification } from '../changes.ts';
import { type Comparer, isSame } from './values.ts';

/** Both states of a form, and the facts to judge its changes by. */
export type FormComparison = {
  readonly before: Pdf;
  readonly after: Pdf;
  readonly compare: Comparer;
  readonly report: (change: Change) => void;
  readonly permissions: Permissions;
  /** Whether the signed document is that of the signer who certified it, and allows it to be filled in. */
  readonly isCertification: boolean;
  /** Whether a signature was made after the signed document, and is not proven invalid. */
  readonly isLater: (signature: PdfDict) => boolean;
  /** Whether its certificate chains to a trusted root. */
  readonly isTrusted: (signature: PdfDict) => boolean;
};

/** The nodes of a form by their object numbers. */
export type Nodes = ReadonlyMap<number, Field>;

/** Judges a field that an update added. Only signature fields may be added; a widget of one needs no change of its own. */
export function judgeNewField(forms: FormComparison, field: Field, before: Nodes): Change | undefined {
  const isWidgetOfNew = field.isWidgetOnly && field.parent !== undefined && !before.has(field.parent.ref.id);
  if (field.type !== 'Sig' || (field.isWidgetOnly && !isWidgetOfNew))
    return modification(`The field "${field.name}" was added.`);
  // Evil annotation attack: a note disguised as a signature field. Readers draw it even without an appearance.
  if (!isPlainField(field.dict))
    return modification(`The field "${field.name}" was added with entries that no field has.`);
  // A script or another action would run in a document that was signed without it (ISO 32000-2, 12.6).
  if (field.dict.has('A') || field.dict.has('AA'))
    return modification(`The field "${field.name}" was added with actions.`);
  // Readers inherit a value and its type from /Parent, whatever the form's tree says. A widget without one inherits
  // nothing: pyHanko wrote such.
  const isOrphan = field.isWidgetOnly && !field.dict.has('Parent');
  if (!isOrphan && !isSame(field.dict.get('Parent'), field.parent?.ref))
    return modification(`The field "${field.name}" was added with a /Parent that does not list it.`);
  if (field.isWidgetOnly) return undefined;
  if (signatureOf(forms.after, field)) return judgeSigning(forms, field, 'A field was added and signed');
  // Sneaky signature attack: an unsigned signature field covers the text.
  if (isVisible(forms.after, field) || field.dict.has('Kids'))
    return modification(`The field "${field.name}" was added: it is visible and not signed.`);
  const allowed = mayChange(forms, field.name);
  const what = `The empty signature field "${field.name}" was added.`;
  return allowed ? { kind: 'signature-field', allowed, what, field: field.name } : modification(what);
}

/** Judges a field that an update signed. */
export function judgeSigning(forms: FormComparison, field: Field, what: string): Change {
  const signature = signatureOf(forms.after, field);
  // Sneaky signature attack: the field has a broken signature, or that of another field.
  if (!signature || !forms.isLater(signature))
    return modification(`The field "${field.name}" has no valid signature of its own.`);
  const isTimestamp = isDocumentTimestamp(signature);
  // Sneaky signature attack: anybody can get a timestamp or create a certificate. Their visible content would speak for
  // no signer.
  const isByAnybody = isTimestamp || !forms.isTrusted(signature);
  if (isByAnybody && (isVisible(forms.after, field) || field.dict.has('Kids'))) {
    const whose = isTimestamp ? 'timestamp' : 'signature by an untrusted signer';
    return modification(`The ${whose} in the field "${field.name}" is visible on a page.`);
  }
  // Locks do not apply to a document timestamp that is not visible (ISO 32000-2, 12.8.2.2).
  const kind = isTimestamp ? 'document-timestamp' : 'signature';
  const allowed = isTimestamp || mayChange(forms, field.name);
  const message = `${isTimestamp ? 'A timestamp over the document was added' : what}: "${field.name}".`;
  return allowed ? { kind, allowed, what: message, field: field.name } : modification(message);
}

const mayChange = ({ permissions }: FormComparison, field: string): boolean =>
  permissions.level !== 1 && !isLocked(permissions, field);

export function isVisible(pdf: Pdf, { dict }: Field): boolean {
  // Without a readable /Rect, some readers still draw: mutool does, and accepts --0 as a number.
  const [left, bottom, right, top] = rectOf(pdf, dict.get('Rect')) ?? ANYWHERE;
  const mk = dictOf(pdf, dict.get('MK')) ?? new Map();
  const isDrawn = dict.has('AP') || mk.keys().some((key) => !HARMLESS_MK_KEYS.has(key));
  return isDrawn && right > left && top > bottom;
}

const ANYWHERE = [0, 0, 1, 1] as const;

// Rotation. A background covers text, thin frames wipe it out or write a 1, and a caption adds some (ISO 32000-2, 12.5.6.19).
const HARMLESS_MK_KEYS = new Set(['R']);

// The entries of a field and its widget (ISO 32000-2, 12.7.4 and 12.5.6.19).
const FIELD_KEYS = new Set(
  (
    'Type Subtype FT Parent Kids T TU TM Ff V DV AA DR DA Q DS RV Opt TI I MaxLen Lock SV ' +
    'Rect Contents P NM M F AP AS Border C StructParent OC A H MK BS AF BM CA ca Lang'
  ).split(' '),
);

/**
 * Whether a dictionary is a field and nothing else.
 * Shadow attack (replace): another object, such as the settings of the layers, is also listed as a field and may change.
 */
export const isPlainField = (dict: PdfDict): boolean =>
  dict.keys().every((key) => FIELD_KEYS.has(key)) &&
  (!dict.has('AS') || nameOf(dict.get('AS')) !== undefined) &&
  (!dict.has('Subtype') || nameOf(dict.get('Subtype')) === 'Widget');
