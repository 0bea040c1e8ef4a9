import type { Matrix, Rect } from '../../appearance/display.ts';
import { dictOf, type Pdf, resolve } from '../../pdf/document.ts';
import { isStream, nameOf, type PdfDict, type PdfStream } from '../../pdf/values.ts';
import { isTooComplex, PdfRefused } from '../../refused.ts';
import { contentOf, eachOperation } from './content.ts';
import type { Content, Mark } from './mark.ts';
import { IDENTITY, matrixOf, times } from './matrix.ts';
import { boxAround, createPen } from './pen.ts';

export const MAX_DEPTH = 12; // of forms inside of forms

/**
 * Visits what content draws (ISO 32000-2, 8 and 9). Clipping, transparency and layers do not count: what they hide is a
 * mark all the same. Returns false where a part of it cannot be read.
 */
export function eachMark(pdf: Pdf, content: Content, visit: (mark: Mark) => void, depth = 0): boolean {
  let isWhole = true;
  // The place of a glyph that is content, in its own units.
  const boxOf = (glyph: PdfStream, resources: PdfDict = content.resources): Rect | undefined => {
    const boxes: Rect[] = [];
    const bytes = depth < MAX_DEPTH ? contentOf(pdf, glyph) : undefined;
    const inner = bytes && { bytes, resources, matrix: IDENTITY };
    const isRead = inner && eachMark(pdf, inner, ({ box }) => boxes.push(box), depth + 1);
    if (!isRead) isWhole = false;
    return boxes.length
      ? boxAround(boxes.flatMap(([a, b, c, d]) => [[a, b] as const, [c, d] as const]))
      : undefined;
  };
  const pen = createPen(pdf, content, visit, boxOf);
  try {
    eachOperation(pdf, content.bytes, ({ operator, operands }) => {
      if (operator !== 'Do') return pen.draw(operator, operands);
      const named = dictOf(pdf, content.resources.get('XObject'))?.get(nameOf(operands[0]) ?? '');
      const object = resolve(pdf, named);
      // Some readers look for its name around the form.
      if (!isStream(object)) return pen.draw('BI', []);
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
