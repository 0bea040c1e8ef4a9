import type { Size } from './appearance/box.ts';
import { realNumber } from './appearance/numbers.ts';
import { withEntries } from './form-update.ts';
import { arrayOf, catalogOf, dictOf, type Pdf } from './pdf/document.ts';
import type { Increment } from './pdf/increment.ts';
import { type Page, pageCount } from './pdf/page-tree.ts';
import { isRef, name, type PdfDict, type PdfValue, print } from './pdf/values.ts';
import { broken } from './refused.ts';

export const A4: Size = { width: 595.28, height: 841.89 };

/** Appends a blank page behind the last, in the page tree. Whoever draws on it writes the page itself. */
export function appendPage(update: Increment, pdf: Pdf, { width, height }: Size): Page {
  const root = catalogOf(pdf).dict.get('Pages');
  const dict = dictOf(pdf, root);
  if (!isRef(root) || !dict) return broken('its page tree is missing, so that no page can be added.');
  const ref = update.reserve();
  const kids = [...arrayOf(pdf, dict.get('Kids')), ref];
  update.put(root, print(withEntries(dict, { Kids: kids, Count: pageCount(pdf) + 1 })));
  const box = [0, 0, realNumber(width), realNumber(height)];
  // All that a page inherits is its own here: the tree may turn or crop its pages.
  const page: PdfDict = new Map<string, PdfValue>([
    ['Type', name('Page')],
    ['Parent', root],
    ['MediaBox', box],
    ['CropBox', box],
    ['Rotate', 0],
    ['Resources', new Map()],
  ]);
  return { ref, dict: page, lineage: [page] };
}
