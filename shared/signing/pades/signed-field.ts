import { type Appearance, putAppearance } from './appearance/appearance.ts';
import { type Rect, rectOf, turnOf, unitPointsOf } from './appearance/display.ts';
import { realNumber } from './appearance/numbers.ts';
import type { Place } from './appearance/place.ts';
import { type ContentsPlaceholder, fillByteRange, putSignature } from './contents-placeholder.ts';
import { signatureOf } from './fields.ts';
import { type Entries, putAnnotations, putCatalog, putForm, withEntries } from './form-update.ts';
import { createLocator } from './locate.ts';
import { type ChosenField, chooseField, refuseLocked, type Signable } from './open-for-signing.ts';
import { dictOf } from './pdf/document.ts';
import { type Increment, startIncrement } from './pdf/increment.ts';
import { findPage, pageAt } from './pdf/page-tree.ts';
import { textString } from './pdf/text.ts';
import { type PdfRef, print } from './pdf/values.ts';
import { type ChangeLevel, printTransforms } from './permissions.ts';
import { PdfRefused } from './refused.ts';

/** The appearance of a signature and its place. An existing field has its own place. */
export type Visible = Appearance & {
  readonly place?: Place;
  /** Further places at which a new field is shown, each with its own appearance. */
  readonly others?: readonly (Appearance & { readonly place: Place })[];
};

export type FieldRequest = {
  /** Locks do not apply to a document timestamp, which changes nothing (ISO 32000-2, 12.8.2.2). */
  readonly kind: 'signature' | 'timestamp';
  readonly field?: string | undefined;
  readonly visible?: Visible | undefined;
  readonly certify?: ChangeLevel | undefined;
  /** The signature dictionary's entries before and after the placeholder. */
  readonly head: string;
  readonly tail: string;
  readonly contentsBytes: number;
};

export type AppendedField = { readonly increment: Buffer; readonly placeholder: ContentsPlaceholder };

/** Appends a signature field with a placeholder for its signature. */
export function appendSignedField(signable: Signable, request: FieldRequest): AppendedField {
  const { pdf, catalog } = signable;
  const chosen = chooseField(signable, request.field);
  if (request.kind === 'signature') refuseLocked(signable, chosen);
  const update = startIncrement(pdf);
  const signature = update.reserve();
  const existing = chosen.kind === 'existing' ? chosen.field : undefined;
  const head = request.head + printTransforms(pdf, catalog, existing, request.certify);
  const placeholder = putSignature(update, signature, { ...request, head });
  const added =
    chosen.kind === 'existing'
      ? putExisting(update, signable, chosen, signature, request.visible)
      : putNew(update, signable, chosen.name, signature, request.visible);
  const inForm = putForm(update, signable, added);
  putCatalog(update, signable, { ...inForm, ...certificationEntries(signable, signature, request.certify) });
  const increment = update.finish();
  fillByteRange(increment, pdf.source.length, placeholder);
  return { increment, placeholder };
}

function certificationEntries(
  { pdf, catalog, fields }: Signable,
  signature: PdfRef,
  certify?: ChangeLevel,
): Entries {
  if (!certify) return {};
  if (fields.some((field) => signatureOf(pdf, field)))
    throw new PdfRefused(
      'already-signed',
      'The PDF is signed already: only its first signature can certify it.',
    );
  const permissions = dictOf(pdf, catalog.dict.get('Perms')) ?? new Map();
  return { Perms: withEntries(permissions, { DocMDP: signature }) };
}

const NOWHERE: Rect = [0, 0, 0, 0];
const PRINT_AND_LOCKED = 132; // annotation flags Print and Locked (ISO 32000-2, table 167)

function putNew(
  update: Increment,
  signable: Signable,
  name: string,
  signature: PdfRef,
  visible: Visible | undefined,
): PdfRef[] {
  if (visible && !visible.place)
    throw new PdfRefused(
      'no-place',
      'A visible signature in a new field needs a place: page, x, y, width, height.',
    );
  const shown = visible ? [visible, ...(visible.others ?? [])] : [undefined];
  const field = update.reserve();
  const value = `/V ${print(signature)}`;
  const entries = `/FT/Sig/T${textString(name)}${value}`;
  const isOne = shown.length === 1;
  const locate = createLocator(update, signable);
  // Poppler looks for the value of a signature in the widget itself, and finds none that is only in the field.
  const widgets = shown.map((each) => {
    const located = each?.place && locate(each.place);
    const page = located?.page ?? findPage(signable.pdf, 1);
    const rect = located?.rect ?? NOWHERE;
    const form = located && putAppearance(update, each, located.drawn, located.turn);
    const ref = update.put(
      isOne ? field : update.reserve(),
      `<</Type/Annot/Subtype/Widget${isOne ? entries : `/Parent ${print(field)}${value}`}/P ${print(page.ref)}`,
      `/Rect${print(rect.map(realNumber))}/F ${PRINT_AND_LOCKED}${form ? `/AP<</N ${print(form)}>>` : ''}>>`,
    );
    return { page, ref };
  });
  if (!isOne) update.put(field, `<<${entries}/Kids${print(widgets.map(({ ref }) => ref))}>>`);
  for (const [first, ...more] of Map.groupBy(widgets, ({ page }) => page.ref.id).values())
    if (first)
      putAnnotations(
        update,
        signable,
        first.page,
        [first, ...more].map(({ ref }) => ref),
      );
  return [field];
}

function putExisting(
  update: Increment,
  { pdf }: Signable,
  { field, widget, name }: Extract<ChosenField, { kind: 'existing' }>,
  signature: PdfRef,
  visible: Visible | undefined,
): PdfRef[] {
  const page = pageAt(pdf, widget.dict.get('P'));
  const rect = rectOf(pdf, widget.dict.get('Rect')) ?? NOWHERE;
  const size = sizeOf(rect);
  if (visible && !(size.width > 0 && size.height > 0))
    throw new PdfRefused(
      'no-place',
      `The field "${name}" has no size on a page, so that nothing can be shown in it.`,
    );
  const turn = page ? turnOf(pdf, page) : 0;
  const unit = page ? unitPointsOf(pdf, page) : 1;
  const [width, height] = [size.width * unit, size.height * unit];
  const shown = turn % 180 === 0 ? { width, height } : { width: height, height: width };
  const form = visible && putAppearance(update, visible, shown, turn);
  const appearance: Entries = form ? { AP: new Map([['N', form]]) } : {};
  if (field === widget)
    update.put(field.ref, print(withEntries(field.dict, { V: signature, ...appearance })));
  else {
    update.put(field.ref, print(withEntries(field.dict, { V: signature })));
    if (form) update.put(widget.ref, print(withEntries(widget.dict, appearance)));
  }
  return [];
}

const sizeOf = ([left, bottom, right, top]: Rect) => ({ width: right - left, height: top - bottom });
