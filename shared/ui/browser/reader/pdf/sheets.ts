import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { ReaderMark } from '../../../reader/document-kind.ts';
import { element } from '../../element.ts';
import { language } from '../../page-language.ts';
import { readerTexts } from '../words.ts';
import { type Drawing, drawPage, release } from './draw-page.ts';
import { markFrame } from './marks.ts';

const words = readerTexts(language);

// How far from the visible part pages are drawn, so that scrolling meets few empty ones.
const AHEAD = '600px 0px';
// Of all pages that stay drawn: 128 MB of memory. Phones end a page that takes several hundred.
const MAX_KEPT_PIXELS = 32_000_000;

/** A page of the list. Its `face` is empty while it is far from the visible part. */
export type Sheet = {
  readonly number: number;
  readonly box: HTMLElement;
  readonly face: HTMLElement;
  page?: Promise<PDFPageProxy>;
  drawing?: Drawing | undefined;
};

type SheetsOptions = {
  readonly marks: readonly ReaderMark[];
  /** The number of the page in the middle of the visible part. */
  readonly current: () => number;
  /** A page was drawn: the pieces of its text are there. */
  readonly onDrawn: (sheet: Sheet, texts: readonly HTMLElement[]) => void;
};

/** The sheets of a PDF. They are drawn as they come into view, and only near ones stay drawn. */
export function createSheets(pdf: PDFDocumentProxy, { marks, current, onDrawn }: SheetsOptions) {
  const sheets = Array.from({ length: pdf.numPages }, (_, index) => sheetOf(index + 1, pdf.numPages));
  const visible = new Set<Sheet>();

  const read = (sheet: Sheet): Promise<PDFPageProxy> => {
    sheet.page ??= pdf.getPage(sheet.number).then((page) => {
      setSize(sheet.box, page);
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
    onDrawn(sheet, texts);
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

  const onVisibility = (sheet: Sheet, isVisible: boolean): void => {
    if (isVisible) {
      visible.add(sheet);
      void drawOrSay(sheet);
      return;
    }
    visible.delete(sheet);
    // Somebody scrolls past: the pages where they stop come first.
    if (sheet.drawing?.isDone !== false) return;
    sheet.drawing.cancel();
    sheet.drawing = undefined;
  };

  return {
    sheets,
    read,
    isVisible: (sheet: Sheet): boolean => visible.has(sheet),
    /** Draws sheets as they come into view in a list. */
    observe(list: HTMLElement): void {
      const observer = new IntersectionObserver(
        (entries) => {
          for (const { target, isIntersecting } of entries) {
            const sheet = sheets[Number((target as HTMLElement).dataset.page) - 1];
            if (sheet) onVisibility(sheet, isIntersecting);
          }
        },
        { root: list, rootMargin: AHEAD },
      );
      for (const { box } of sheets) observer.observe(box);
    },
    /** Draws the visible sheets anew, in the size that they have now. */
    redraw(): void {
      for (const sheet of visible) void drawOrSay(sheet);
    },
  };
}

/** Gives an element the size of a page, for its style to scale. */
export function setSize({ style }: HTMLElement, page: PDFPageProxy): void {
  const { width, height } = page.getViewport({ scale: 1 });
  style.setProperty('--width', String(width));
  style.setProperty('--height', String(height));
}

function sheetOf(number: number, count: number): Sheet {
  const face = element('div', { className: 'reader-face' });
  const box = element(
    'div',
    {
      className: 'reader-page',
      // Links of the page lead here.
      id: `page-${number}`,
      with: { role: 'img', 'aria-label': words.pageOf(number, count), 'data-page': String(number) },
    },
    face,
  );
  return { number, box, face };
}
