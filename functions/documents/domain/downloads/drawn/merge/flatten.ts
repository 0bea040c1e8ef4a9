import {
  concatTransformationMatrix,
  drawObject,
  PDFArray,
  PDFContentStream,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFOperator,
  type PDFPage,
  type PDFRef,
  PDFStream,
  popGraphicsState,
  pushGraphicsState,
} from 'pdf-lib';

// Forms of several files do not become one: fields of the same name would share a value. So each is drawn as it looks,
// and is no form any more.

const ANNOTATIONS = PDFName.of('Annots');
const WIDGET = PDFName.of('Widget');

/** Draws the fields of a form into the pages. */
export function flattenForm(pdf: PDFDocument): void {
  const form = pdf.catalog.lookup(PDFName.of('AcroForm'));
  // A field may be left to the reader to draw. The library draws those that nobody has drawn yet.
  if (form instanceof PDFDict) pdf.getForm().updateFieldAppearances();
  const done = new Set<unknown>();
  for (const page of pdf.getPages()) {
    if (!done.has(page.node)) flattenPage(page);
    done.add(page.node);
  }
}

function flattenPage(page: PDFPage): void {
  const annotations = page.node.lookup(ANNOTATIONS);
  if (!(annotations instanceof PDFArray)) return;
  const operators: PDFOperator[] = [];
  const kept: PDFObject[] = [];
  annotations.asArray().forEach((entry, index) => {
    const annotation = annotations.lookup(index);
    if (annotation instanceof PDFDict && annotation.lookup(PDFName.of('Subtype')) === WIDGET)
      operators.push(...operatorsOf(page, annotation));
    else kept.push(entry);
  });
  if (kept.length === annotations.size()) return;
  page.node.set(ANNOTATIONS, page.doc.context.obj(kept));
  if (operators.length > 0) appendContent(page, operators);
}

/** The page's own content may leave any state behind, and may be shared with other pages. */
function appendContent({ node, doc: { context } }: PDFPage, operators: PDFOperator[]): void {
  const register = (part: PDFOperator[]): PDFRef =>
    context.register(PDFContentStream.of(context.obj({}), part, false));
  const contents = node.lookup(PDFName.of('Contents'));
  const own = node.get(PDFName.of('Contents'));
  const parts = contents instanceof PDFArray ? contents.asArray() : contents && own ? [own] : [];
  const before = register([pushGraphicsState()]);
  const after = register([popGraphicsState(), ...operators]);
  node.set(PDFName.of('Contents'), context.obj([before, ...parts, after]));
}

const HIDDEN = 2;
const NO_VIEW = 32;

function operatorsOf({ node }: PDFPage, widget: PDFDict): PDFOperator[] {
  const flags = widget.lookup(PDFName.of('F'));
  if (flags instanceof PDFNumber && flags.asNumber() & (HIDDEN | NO_VIEW)) return [];
  const ref = appearanceOf(widget);
  const form = ref && widget.context.lookup(ref);
  const rectangle = numbersOf(widget.lookup(PDFName.of('Rect')), 4);
  if (!ref || !(form instanceof PDFStream) || !rectangle) return [];
  const matrix = placing(form.dict, rectangle);
  if (!matrix) return [];
  form.dict.set(PDFName.of('Type'), PDFName.of('XObject'));
  form.dict.set(PDFName.of('Subtype'), PDFName.of('Form'));
  const name = node.newXObject('Field', ref);
  return [pushGraphicsState(), concatTransformationMatrix(...matrix), drawObject(name), popGraphicsState()];
}

/** The normal appearance of a widget, in its present state. */
function appearanceOf(widget: PDFDict): PDFRef | undefined {
  const appearances = widget.lookup(PDFName.of('AP'));
  if (!(appearances instanceof PDFDict)) return undefined;
  const normal = appearances.lookup(PDFName.of('N'));
  const state = widget.lookup(PDFName.of('AS'));
  const holder = normal instanceof PDFDict ? normal : appearances;
  const name = normal instanceof PDFDict ? state : PDFName.of('N');
  return name instanceof PDFName ? (holder.get(name) as PDFRef | undefined) : undefined;
}

type Matrix = [number, number, number, number, number, number];

/** The matrix that brings an appearance into its rectangle (ISO 32000-1, 12.5.5, algorithm 8.1). */
function placing(form: PDFDict, rectangle: readonly number[]): Matrix | undefined {
  const box = numbersOf(form.lookup(PDFName.of('BBox')), 4);
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersOf(form.lookup(PDFName.of('Matrix')), 6) ?? [];
  if (!box) return undefined;
  const [left = 0, bottom = 0, right = 0, top = 0] = box;
  const corners = [
    [left, bottom],
    [left, top],
    [right, bottom],
    [right, top],
  ].map(([x = 0, y = 0]) => [a * x + c * y + e, b * x + d * y + f] as const);
  const from = boundsOf(corners);
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = rectangle;
  const to = boundsOf([
    [x1, y1],
    [x2, y2],
  ]);
  if (from.width === 0 || from.height === 0) return undefined;
  const [across, up] = [to.width / from.width, to.height / from.height];
  return [across, 0, 0, up, to.x - from.x * across, to.y - from.y * up];
}

function boundsOf(points: readonly (readonly [number, number])[]) {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

function numbersOf(list: PDFObject | undefined, count: number): number[] | undefined {
  if (!(list instanceof PDFArray) || list.size() !== count) return undefined;
  const numbers = Array.from({ length: count }, (_, index) => list.lookup(index));
  return numbers.every((each) => each instanceof PDFNumber)
    ? numbers.map((each) => each.asNumber())
    : undefined;
}
