import type { Box, Size } from './appearance/box.ts';
import {
  boxOn,
  type Display,
  displayOf,
  type QuarterTurns,
  type Rect,
  rectOf,
  rectOn,
} from './appearance/display.ts';
import { realNumber } from './appearance/numbers.ts';
import { areaOf, type PageChoice, type Paper, type Place } from './appearance/place.ts';
import { signatureOf } from './fields.ts';
import { withEntries } from './form-update.ts';
import type { Signable } from './open-for-signing.ts';
import { arrayOf, catalogOf, dictOf, type Pdf } from './pdf/document.ts';
import type { Increment } from './pdf/increment.ts';
import { findPage, type Page, pageCount } from './pdf/page-tree.ts';
import { isRef, name, type PdfDict, type PdfValue, print } from './pdf/values.ts';
import { broken } from './refused.ts';

const A4: Size = { width: 595.28, height: 841.89 };

export type Located = {
  readonly page: Page;
  readonly rect: Rect;
  readonly turn: QuarterTurns;
  /** The size to draw in. Readers scale it to the rectangle, which is of another size on other paper. */
  readonly drawn: Size;
};

export const isSigned = ({ pdf, fields }: Signable): boolean =>
  fields.some((field) => signatureOf(pdf, field) !== undefined);

/** A function that finds the place of each appearance. A new page is added once. */
export function createLocator(update: Increment, signable: Signable): (place: Place) => Located {
  const { pdf } = signable;
  const choosePage = createPageChooser(update, signable);
  return (place) => {
    const page = choosePage(place.page, 'paper' in place ? place.paper : undefined);
    const display = displayOf(pdf, page);
    const { box, scale } = areaOf(place, display.size, takenOn(signable, page, display));
    const drawn = { width: box.width / scale, height: box.height / scale };
    return { page, rect: rectOn(display, box), turn: display.turn, drawn };
  };
}

/** A function that finds pages by their choice. A new page is A4, or as the paper is, and is added once. */
export function createPageChooser(
  update: Increment,
  signable: Signable,
): (choice: PageChoice, paper?: Paper) => Page {
  const { pdf } = signable;
  let added: Page | undefined;
  return (choice, paper) => {
    if (choice !== 'new')
      return findPage(pdf, typeof choice === 'number' && choice < 0 ? pageCount(pdf) + 1 + choice : choice);
    // A page more would break the signatures that are there: whoever signs next is shown on the page of the first.
    if (isSigned(signable)) return findPage(pdf, 'last');
    added ??= appendPage(update, pdf, paper ? sizeOfPaper(paper) : A4);
    return added;
  };
}

function sizeOfPaper({ width, height, orientation }: Paper): Size {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return orientation === 'landscape' ? { width: long, height: short } : { width: short, height: long };
}

/** The signature fields that are shown on a page, signed or not. */
function takenOn({ pdf, fields }: Signable, page: Page, display: Display): Box[] {
  const shown = new Set(
    arrayOf(pdf, page.dict.get('Annots')).flatMap((each) => (isRef(each) ? [each.id] : [])),
  );
  return fields.flatMap((field) => {
    if (field.type !== 'Sig' || !shown.has(field.ref.id)) return [];
    const rect = rectOf(pdf, field.dict.get('Rect'));
    return rect ? [boxOn(display, rect)] : [];
  });
}

/** Appends a blank page behind the last, in the page tree. Whoever draws on it writes the page itself. */
function appendPage(update: Increment, pdf: Pdf, { width, height }: Size): Page {
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
