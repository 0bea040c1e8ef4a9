import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { ReaderMark } from '../../../document-kind.ts';
import { element } from '../../element.ts';
import { language } from '../../page-language.ts';
import { readerTexts } from '../words.ts';
import { type Match, rangeOf, showFound } from './find.ts';
import type { Point } from './gestures.ts';
import { markFrame } from './marks.ts';
import { type Drawing, drawPage, release } from './sheet.ts';

const words = readerTexts(language);

// How far from the visible part pages are drawn, so that scrolling meets few empty ones.
const AHEAD = '600px 0px';
// Of all pages that stay drawn: 128 MB of memory. Phones end a page that takes several hundred.
const MAX_KEPT_PIXELS = 32_000_000;
const MIN_ZOOM = 0.5;
const MAX_ZOOM = 5;
// Pages are drawn anew this long after the last of a row of zooms; meanwhile their pictures are stretched.
const REDRAWN_AFTER_MS = 150;

/** A page of the list. Its `face` is empty while it is far from the visible part. */
type Sheet = {
  readonly number: number;
  readonly box: HTMLElement;
  readonly face: HTMLElement;
  page?: Promise<PDFPageProxy>;
  drawing?: Drawing | undefined;
};

/** The pages of a PDF, one below the other. They are drawn as they come into view, and only near ones stay drawn. */
export function createPages(pdf: PDFDocumentProxy, first: PDFPageProxy, marks: readonly ReaderMark[]) {
  const sheets = Array.from({ length: pdf.numPages }, (_, index) => sheetOf(index + 1, pdf.numPages));
  const list = element(
    'div',
    { className: 'reader-pages', tabIndex: 0, with: { role: 'region', 'aria-label': words.pages } },
    ...sheets.map(({ box }) => box),
  );
  const visible = new Set<Sheet>();
  let zoom = 1;
  let found: Match | undefined;

  // Until a page is read it is taken to have the size of the first.
  const natural = first.getViewport({ scale: 1 });
  setSize(list, natural);

  const read = (sheet: Sheet): Promise<PDFPageProxy> => {
    sheet.page ??= pdf.getPage(sheet.number).then((page) => {
      setSize(sheet.box, page.getViewport({ scale: 1 }));
      const frames = marks.filter((mark) => mark.page === sheet.number).map((mark) => markFrame(page, mark));
      sheet.box.append(...frames);
      return page;
    });
    return sheet.page;
  };

  const draw = async (sheet: Sheet): Promise<void> => {
    const page = await read(sheet);
    const scale = sheet.box.clientWidth / page.getViewport({ scale: 1 }).width;
    if (!visible.has(sheet) || scale <= 0 || sheet.drawing?.scale === scale) return;
    sheet.drawing?.cancel();
    const drawing = drawPage(page, sheet.face, scale);
    sheet.drawing = drawing;
    const texts = await drawing.texts;
    if (!texts) return;
    // What has text is no picture to a screen reader.
    if (texts.length > 0) sheet.box.setAttribute('role', 'group');
    if (found?.page === sheet.number) showFound(rangeOf(texts, found), list);
    await forgetFar();
  };
  // A page that cannot be read says so in its place.
  const drawOrSay = (sheet: Sheet): Promise<void> =>
    draw(sheet).catch(() =>
      sheet.face.replaceChildren(element('p', { className: 'reader-broken' }, words.pageBroken)),
    );

  const forgetFar = async (): Promise<void> => {
    const at = current();
    const far = sheets
      .filter((sheet) => sheet.drawing && !visible.has(sheet))
      .toSorted((a, b) => Math.abs(b.number - at) - Math.abs(a.number - at));
    let pixels = sheets.reduce((sum, { drawing }) => sum + (drawing?.pixels ?? 0), 0);
    for (const sheet of far) {
      if (pixels <= MAX_KEPT_PIXELS) return;
      pixels -= sheet.drawing?.pixels ?? 0;
      sheet.drawing?.cancel();
      sheet.drawing = undefined;
      release(sheet.face);
      (await sheet.page)?.cleanup();
    }
  };

  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const sheet = sheets[Number((target as HTMLElement).dataset.page) - 1];
        if (!sheet) continue;
        if (isIntersecting) {
          visible.add(sheet);
          void drawOrSay(sheet);
          continue;
        }
        visible.delete(sheet);
        // Somebody scrolls past: the pages where they stop come first.
        if (sheet.drawing?.isDone === false) {
          sheet.drawing.cancel();
          sheet.drawing = undefined;
        }
      }
    },
    { root: list, rootMargin: AHEAD },
  );
  for (const { box } of sheets) observer.observe(box);

  const current = (): number => {
    const middle = list.scrollTop + list.clientHeight / 2;
    return sheets.findLast(({ box }) => box.offsetTop <= middle)?.number ?? 1;
  };
  // Never moves the page around the list, as scrollIntoView would.
  const show = (number: number): void => {
    const box = sheets[number - 1]?.box;
    if (box) list.scrollTop = box.offsetTop - PAGE_GAP;
  };

  let redrawing: ReturnType<typeof setTimeout> | undefined;
  const redraw = (): void => {
    clearTimeout(redrawing);
    redrawing = setTimeout(() => {
      for (const sheet of visible) void drawOrSay(sheet);
    }, REDRAWN_AFTER_MS);
  };
  // A turned phone or a wider window shows pages in another size.
  new ResizeObserver(redraw).observe(list);

  return {
    list,
    current,
    show,
    /** Zooms to a factor of the fitting width. What is at the point stays there. */
    zoomTo(to: number, at: Point = middleOf(list)): void {
      const { box } = sheets.findLast((sheet) => sheet.box.getBoundingClientRect().top <= at.y) ?? {
        box: list,
      };
      const before = box.getBoundingClientRect();
      zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, to));
      list.style.setProperty('--zoom', String(zoom));
      const after = box.getBoundingClientRect();
      const move = (from: number, length: number, start: number, now: number, point: number): number =>
        start + ((point - from) / length) * now - point;
      list.scrollLeft += move(before.left, before.width, after.left, after.width, at.x);
      list.scrollTop += move(before.top, before.height, after.top, after.height, at.y);
      redraw();
    },
    zoomBy(factor: number, at?: Point): void {
      this.zoomTo(zoom * factor, at);
    },
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
      if (!visible.has(sheet)) show(match.page);
      const texts = await sheet.drawing?.texts;
      if (texts) showFound(rangeOf(texts, match), list);
    },
  };
}

// Above a page that is led to, its own margin is left.
const PAGE_GAP = 4;

const middleOf = (list: HTMLElement): Point => {
  const { left, top, width, height } = list.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
};

function setSize(
  { style }: HTMLElement,
  { width, height }: { readonly width: number; readonly height: number },
): void {
  style.setProperty('--width', String(width));
  style.setProperty('--height', String(height));
}

function sheetOf(number: number, count: number): Sheet {
  const face = element('div', { className: 'reader-face' });
  const box = element(
    'div',
    {
      className: 'reader-page',
      with: { role: 'img', 'aria-label': words.pageOf(number, count), 'data-page': String(number) },
    },
    face,
  );
  return { number, box, face };
}
