import type { Size } from '../appearance/box.ts';
import { displayOf } from '../appearance/display.ts';
import { createResources } from '../appearance/drawing.ts';
import type { Image } from '../appearance/image.ts';
import { decimal } from '../appearance/numbers.ts';
import { type Paper, scaleOf } from '../appearance/place.ts';
import { readImage } from '../appearance/read-image.ts';
import { withEntries } from '../form-update.ts';
import { createPageChooser, isSigned } from '../locate.ts';
import { openForUpdate } from '../open-for-signing.ts';
import { dictOf, type Pdf, resolve } from '../pdf/document.ts';
import { type Increment, startIncrement, streamBody } from '../pdf/increment.ts';
import { eachPage, inheritedEntry, type Page } from '../pdf/page-tree.ts';
import { append, type Source } from '../pdf/source.ts';
import { isArray, isRef, type PdfDict, type PdfRef, type PdfValue, print } from '../pdf/values.ts';
import { PdfRefused, tooComplex } from '../refused.ts';
import { drawMark, type MarkContents } from './draw-mark.ts';
import type { Mark, MarkElement } from './mark.ts';
import { encodeQrCode, isQrCode } from './qr-code.ts';

const MAX_PAGES = 5_000;
// Of all marks together. Kilobytes of a request can name so much work.
const MAX_UNPACKED_POINTS = 12_000_000;
const MAX_QR_CODE_CHARACTERS = 20_000;
// Compression bomb: a mark is drawn anew for pages of each size, and a page repeats what it inherits. Some kilobytes
// would add gigabytes. Looked at after each page.
const MAX_ADDED_BYTES = 33_554_432;

/** Whether the PDF has a signature, so that no mark can be added. */
export const isSignedPdf = (source: Source): boolean => isSigned(openForUpdate(source));

/**
 * Draws marks into the pages of a PDF that nobody has signed. The result begins with the original bytes.
 * @example const marked = addMarks(sourceOf(bytes), [{ pages: 'all', … }]);
 */
export function addMarks(source: Source, marks: readonly Mark[], paper?: Paper): Source {
  const signable = openForUpdate(source);
  const { pdf } = signable;
  // A mark shows what no signer has seen: verifiers count it as a modification, whether in the page or as an annotation.
  if (isSigned(signable))
    throw new PdfRefused(
      'already-signed',
      'The PDF is signed, and a mark would change what its signers signed. Add marks before the first signature.',
    );
  if (marks.length === 0) return source;
  const update = startIncrement(pdf);
  const choosePage = createPageChooser(update, signable);
  const contents = readContents(marks);
  const drawings = marks.map((mark) => ({
    formFor: createMarkForms(update, mark, contents),
    page: mark.pages === 'all' ? undefined : choosePage(mark.pages, paper),
  }));
  const opening = putStream(update, 'q\n');
  const drawOn = (page: Page, isInTree: boolean): void => {
    const { size, matrix, unitPoints } = displayOf(pdf, page);
    const scale = scaleOf(size, paper);
    const factor = scale / unitPoints;
    const scaling = factor === 1 ? '' : ` ${factor.toFixed(5)} 0 0 ${factor.toFixed(5)} 0 0 cm`;
    const forms = drawings.flatMap(({ page: chosen, formFor }) =>
      (chosen ? chosen.ref.id === page.ref.id : isInTree)
        ? [formFor({ width: size.width / scale, height: size.height / scale })]
        : [],
    );
    const operators = forms.map(
      (form) => `q ${matrix.map(decimal).join(' ')} cm${scaling} ${formName(form)} Do Q\n`,
    );
    putPage(update, pdf, { page, operators, forms }, opening);
    if (update.position() - source.length > MAX_ADDED_BYTES)
      refuseMarks(`drawings add more than ${MAX_ADDED_BYTES} bytes to its pages.`);
  };
  const drawn = new Set<number>();
  if (drawings.some(({ page }) => page === undefined))
    for (const page of eachPage(pdf)) {
      if (drawn.add(page.ref.id).size > MAX_PAGES) tooComplex(`It has more than ${MAX_PAGES} pages to mark.`);
      drawOn(page, true);
    }
  for (const { page } of drawings)
    if (page && !drawn.has(page.ref.id)) {
      drawn.add(page.ref.id);
      drawOn(page, false);
    }
  return append(source, update.finish());
}

/** The images and codes of marks, each made once for all pages. */
function readContents(marks: readonly Mark[]): MarkContents {
  const elements = marks.flatMap((mark) => mark.elements);
  const codes = elements.filter(isQrCode);
  const characters = codes.reduce((sum, { data }) => sum + data.length, 0);
  if (characters > MAX_QR_CODE_CHARACTERS)
    refuseMarks(`QR codes have ${characters} characters; the limit is ${MAX_QR_CODE_CHARACTERS} in all.`);
  return {
    images: readImages(elements),
    codes: new Map(codes.map((code) => [code, encodeQrCode(code)])),
  };
}

function readImages(elements: readonly MarkElement[]): MarkContents['images'] {
  const images = new Map<MarkElement, Image>();
  let points = 0;
  for (const element of elements) {
    if (element.kind !== 'image') continue;
    const image = readImage(element.image);
    points += image.unpackedPoints;
    if (points > MAX_UNPACKED_POINTS)
      refuseMarks(`PNG images have more points than the limit of ${MAX_UNPACKED_POINTS} in all.`);
    images.set(element, image);
  }
  return images;
}

const refuseMarks = (what: string): never => {
  throw new PdfRefused(
    'marks-too-large',
    `The marks cannot be drawn: their ${what} Use fewer or smaller ones.`,
  );
};

/** The drawing of a mark, made once for all pages of a size. */
function createMarkForms(update: Increment, mark: Mark, contents: MarkContents): (size: Size) => PdfRef {
  const resources = createResources(update);
  const forms = new Map<string, PdfRef>();
  return (size) => {
    const key = `${decimal(size.width)} ${decimal(size.height)}`;
    const form = forms.get(key) ?? resources.putForm(drawMark(resources, mark, size, contents), size);
    forms.set(key, form);
    return form;
  };
}

const formName = ({ id }: PdfRef): string => `/SineteMark${id}`;

const putStream = (update: Increment, operators: string): PdfRef =>
  update.put(update.reserve(), ...streamBody({}, Buffer.from(operators, 'latin1')));

type Drawn = {
  readonly page: Page;
  readonly operators: readonly string[];
  readonly forms: readonly PdfRef[];
};

/** Writes a page with the marks over its content, whose graphics state does not reach them. */
function putPage(update: Increment, pdf: Pdf, { page, operators, forms }: Drawn, opening: PdfRef): void {
  const marks = putStream(update, `\nQ\n/Artifact BMC\n${operators.join('')}EMC\n`);
  const inherited: PdfDict = dictOf(pdf, inheritedEntry(page, 'Resources')) ?? new Map();
  const named: PdfDict = dictOf(pdf, inherited.get('XObject')) ?? new Map();
  const added = Object.fromEntries(forms.map((form) => [formName(form).slice(1), form]));
  const contents = [opening, ...contentsOf(pdf, page.dict.get('Contents')), marks];
  const resources = withEntries(inherited, { XObject: withEntries(named, added) });
  update.put(page.ref, print(withEntries(page.dict, { Contents: contents, Resources: resources })));
}

/** The streams of a page. A stream that is named by an array of its own is taken from there. */
function contentsOf(pdf: Pdf, value: PdfValue | undefined): readonly PdfValue[] {
  const found = resolve(pdf, value);
  if (isArray(found)) return found;
  return isRef(value) && found !== null ? [value] : [];
}
