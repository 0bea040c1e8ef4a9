import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { ReaderMark } from '../../../reader/document-kind.ts';
import { element } from '../../element.ts';
import { language } from '../../page-language.ts';
import type { ShownPages } from '../source.ts';
import { readerTexts } from '../words.ts';
import { type Match, rangeOf, showFound } from './find.ts';
import type { Point } from './gestures.ts';
import { sizeOf } from './marks.ts';
import { createSheets, setSize } from './sheets.ts';

const words = readerTexts(language);

const MIN_ZOOM = 0.5;
const MAX_ZOOM = 5;
// Pages are drawn anew this long after the last of a row of zooms; meanwhile their pictures are stretched.
const REDRAWN_AFTER_MS = 150;
// Above a page that is led to, its own margin is left.
const PAGE_GAP = 4;

/** The pages of a PDF, one below the other, and the ways to one of them. */
export function createPages(pdf: PDFDocumentProxy, first: PDFPageProxy, marks: readonly ReaderMark[]) {
  let zoom = 1;
  let found: Match | undefined;
  const current = (): number => {
    const middle = list.scrollTop + list.clientHeight / 2;
    return sheets.findLast(({ box }) => box.offsetTop <= middle)?.number ?? 1;
  };
  const { sheets, read, isVisible, observe, redraw } = createSheets(pdf, {
    marks,
    current,
    onDrawn: ({ number }, texts) => {
      if (found?.page === number) showFound(rangeOf(texts, found), list);
    },
  });
  const list = element(
    'div',
    { className: 'reader-pages', tabIndex: 0, with: { role: 'region', 'aria-label': words.pages } },
    ...sheets.map(({ box }) => box),
  );
  // Until a page is read it is taken to have the size of the first.
  setSize(list, first);
  observe(list);

  let redrawing: ReturnType<typeof setTimeout> | undefined;
  const redrawSoon = (): void => {
    clearTimeout(redrawing);
    redrawing = setTimeout(redraw, REDRAWN_AFTER_MS);
  };
  // A turned phone or a wider window shows pages in another size.
  new ResizeObserver(redrawSoon).observe(list);

  // Never moves the page around the list, as scrollIntoView would.
  const show = (number: number): void => {
    const box = sheets[number - 1]?.box;
    if (box) list.scrollTop = box.offsetTop - PAGE_GAP;
  };
  /** Zooms to a factor of the fitting width. What is at the point stays there. */
  const zoomTo = (to: number, at: Point = middleOf(list)): void => {
    const { box } = sheets.findLast((sheet) => sheet.box.getBoundingClientRect().top <= at.y) ?? {
      box: list,
    };
    const before = box.getBoundingClientRect();
    zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, to));
    list.style.setProperty('--zoom', String(zoom));
    const after = box.getBoundingClientRect();
    list.scrollLeft += after.left + ((at.x - before.left) / before.width) * after.width - at.x;
    list.scrollTop += after.top + ((at.y - before.top) / before.height) * after.height - at.y;
    redrawSoon();
  };

  const shown: ShownPages = {
    count: sheets.length,
    current,
    show,
    boxOf: (number) => sheets[number - 1]?.box,
    async sizeOf(number) {
      const sheet = sheets[number - 1];
      return sizeOf(sheet ? await read(sheet) : first);
    },
  };

  return {
    list,
    current,
    show,
    shown,
    zoomTo,
    zoomBy: (factor: number, at?: Point): void => zoomTo(zoom * factor, at),
    /** Leads to the person's own mark. */
    async showMark({ page }: ReaderMark): Promise<void> {
      const sheet = sheets[page - 1];
      if (!sheet) return;
      await read(sheet);
      show(page);
      const mark = sheet.box.querySelector<HTMLElement>('.reader-mark.yours');
      if (mark) list.scrollTop = sheet.box.offsetTop + mark.offsetTop - list.clientHeight / 3;
      list.focus({ preventScroll: true });
    },
    async showMatch(match: Match): Promise<void> {
      found = match;
      const sheet = sheets[match.page - 1];
      if (!sheet) return;
      await read(sheet);
      if (!isVisible(sheet)) show(match.page);
      const texts = await sheet.drawing?.texts;
      if (texts) showFound(rangeOf(texts, match), list);
    },
  };
}

const middleOf = (list: HTMLElement): Point => {
  const { left, top, width, height } = list.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
};
