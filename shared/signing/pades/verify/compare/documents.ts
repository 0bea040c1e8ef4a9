import { type Field, fieldsOf, formOf } from '../../fields.ts';
import { catalogOf, dictOf, type Pdf } from '../../pdf/document.ts';
import { isRef } from '../../pdf/values.ts';
import { permissionsOf } from '../../permissions.ts';
import { type Change, type ChangeKind, createChangeList } from '../changes.ts';
import type { PageComparison } from './annotations.ts';
import { compareFields, compareFormDicts } from './form.ts';
import { compareFreeAnnotations, comparePageTrees } from './pages.ts';
import { compareStores } from './security-store.ts';
import type { FormComparison } from './signature-field.ts';
import { compareStructureTrees } from './structure-tree.ts';
import { type Area, createComparer, keysOf, strictArea } from './values.ts';

/** The catalog's entries with rules of their own. All others must not change. */
const OWN_RULES = new Set([
  'Pages',
  'AcroForm',
  'DSS',
  'Metadata',
  'Extensions',
  'Version',
  'StructTreeRoot',
]);

/**
 * The changes of a later state of a document, judged by the permissions of its signers (ISO 32000-2, 12.8.2.2). Both
 * states are compared from the catalog, as a reader reaches them.
 *
 * Shadow attack (replace): an update changes an object that the signed document shows, or the catalog itself. An object
 * with two roles, such as an image that is also called metadata, is judged by the stricter one: the strict entries are
 * compared first, and an object is compared once.
 */
export function compareDocuments(
  before: Pdf,
  after: Pdf,
  context: Pick<FormComparison, 'isCertification' | 'isLater' | 'isTrusted'>,
): Change[] {
  const changes = createChangeList();
  const report = changes.add;
  const compare = createComparer(before, after, report);
  const [old, now] = [catalogOf(before), catalogOf(after)];
  const [oldForm, nowForm] = [formOf(before, old.dict), formOf(after, now.dict)];
  const [fields, nowFields] = [fieldsOf(before, oldForm), fieldsOf(after, nowForm)];
  const permissions = permissionsOf(before, old.dict, fields);
  const known = byId(fields);
  const newFields = byId(nowFields.filter(({ ref }) => !known.has(ref.id)));
  const forms: FormComparison = { before, after, compare, report, permissions, ...context };
  const allowsAnnotations = permissions.level === 3;
  const pages: PageComparison = {
    before,
    after,
    compare,
    report,
    fields: known,
    newFields,
    allowsAnnotations,
    isStrict: permissions.level === 1,
  };

  for (const { ref } of [old, ...fields]) compare.exempt(ref);
  const formRef = old.dict.get('AcroForm');
  if (oldForm && isRef(formRef)) compare.exempt(formRef);
  const pageTree = comparePageTrees(pages, old.dict.get('Pages'), now.dict.get('Pages'));

  for (const key of keysOf(old.dict, now.dict))
    if (!OWN_RULES.has(key))
      compare.values(old.dict.get(key), now.dict.get(key), strictArea(`The catalog's /${key} was changed.`));
  compareStructureTrees(forms, old.dict.get('StructTreeRoot'), now.dict.get('StructTreeRoot'), newFields);
  compareFormDicts(forms, oldForm, nowForm, known, pageTree);
  compareFields(forms, known, byId(nowFields), pageTree);
  const info = infoOf(forms);
  for (const key of info.keys) if (!info.isFree(key)) info.compare(key, infoArea(key));
  compare.run();

  // The entries below may change, so only objects that nothing above reaches are left to them.
  if (allowsAnnotations) for (const pair of pageTree.pairs) compareFreeAnnotations(pages, pair);
  const entry = (key: string, area: Area): void => compare.values(old.dict.get(key), now.dict.get(key), area);
  const mayRemove = permissions.level !== 1;
  compareStores(before, after, old.dict.get('DSS'), now.dict.get('DSS'), mayRemove).forEach(report);
  const metadata = permissions.level === 1 ? strictArea('The metadata was changed.') : METADATA;
  entry('Metadata', metadata);
  for (const key of info.keys) if (info.isFree(key)) info.compare(key, METADATA);
  entry('Extensions', EXTENSIONS);
  entry('Version', metadata);
  compare.run();
  return changes.all();
}

const byId = (fields: readonly Field[]): Map<number, Field> =>
  new Map(fields.map((field) => [field.ref.id, field]));

const allowedArea = (kind: ChangeKind, what: string): Area => ({
  label: what,
  differs: () => ({ kind, allowed: true, what }),
});

const METADATA = allowedArea('metadata', 'The metadata was changed.');
const EXTENSIONS = allowedArea('validation-data', 'The document declares extensions for validation data.');

// Programs set these on every save. Readers display the others, such as the title.
const SET_ON_SAVING = new Set(['ModDate', 'Producer']);

const infoArea = (key: string): Area => strictArea(`The document's /${key} was changed.`);

function infoOf({ before, after, compare, permissions }: FormComparison) {
  const [one, other] = [before, after].map((pdf) => dictOf(pdf, pdf.trailer.get('Info')) ?? new Map());
  return {
    keys: keysOf(one ?? new Map(), other ?? new Map()),
    isFree: (key: string): boolean => SET_ON_SAVING.has(key) && permissions.level !== 1,
    compare: (key: string, area: Area): void => compare.values(one?.get(key), other?.get(key), area),
  };
}
