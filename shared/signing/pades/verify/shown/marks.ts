import type { Matrix } from '../../appearance/display.ts';
import { arrayOf, dictOf, type Pdf, resolve } from '../../pdf/document.ts';
import { isStream, nameOf, numberOf, type PdfDict, type PdfStream, type PdfValue } from '../../pdf/values.ts';
import { isTooComplex, PdfRefused } from '../../refused.ts';
import { contentOf, eachOperation } from './content.ts';
import type { Content, Mark } from './mark.ts';
import { IDENTITY, times } from './matrix.ts';
import { createPen } from './pen.ts';

const MAX_DEPTH = 12; // of forms inside of forms

/**
 * Visits what content draws (ISO 32000-2, 8 and 9). Clipping, transparency and layers do not count: what they hide is a
 * mark all the same. Returns false where a part of it cannot be read.
 */
export function eachMark(pdf: Pdf, content: Content, visit: (mark: Mark) => void, depth = 0): boolean {
  const pen = createPen(pdf, content, visit);
  let isWhole = true;
  try {
    eachOperation(pdf, content.bytes, ({ operator, operands }) => {
      if (operator !== 'Do') return pen.draw(operator, operands);
      const named = dictOf(pdf, content.resources.get('XObject'))?.get(nameOf(operands[0]) ?? '');
      const object = resolve(pdf, named);
      if (!isStream(object)) return;
      if (nameOf(resolve(pdf, object.dict.get('Subtype'))) !== 'Form') return pen.draw('BI', []);
      const inner = depth < MAX_DEPTH && formContent(pdf, object, pen.matrix(), content.resources);
      if (!inner || !eachMark(pdf, inner, visit, depth + 1)) isWhole = false;
    });
  } catch (error) {
    if (!(error instanceof PdfRefused) || isTooComplex(error)) throw error;
    return false;
  }
  return isWhole;
}

/** The content of a form; undefined where it cannot be read. */
export function formContent(
  pdf: Pdf,
  form: PdfStream,
  matrix: Matrix,
  around: PdfDict = new Map(),
): Content | undefined {
  const bytes = contentOf(pdf, form);
  const resources = dictOf(pdf, form.dict.get('Resources')) ?? around;
  return bytes && { bytes, resources, matrix: times(matrixOf(pdf, form.dict.get('Matrix')), matrix) };
}

function matrixOf(pdf: Pdf, value: PdfValue | undefined): Matrix {
  const [a, b, c, d, e, f] = arrayOf(pdf, value).map((item) => numberOf(resolve(pdf, item)) ?? 0);
  return f === undefined ? IDENTITY : [a ?? 1, b ?? 0, c ?? 0, d ?? 1, e ?? 0, f];
}
