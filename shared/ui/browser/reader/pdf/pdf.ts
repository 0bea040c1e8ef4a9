import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { element } from '../../element.ts';
import type { Source } from '../source.ts';
import { createFinder } from './find.ts';
import { listenToGestures, ZOOM_STEP } from './gestures.ts';
import { openPdf } from './open.ts';
import { createPages } from './pages.ts';
import { createTools } from './tools.ts';

// Documents that were shown, to be let go of once the page shows them no more.
const shown = new Map<HTMLElement, PDFDocumentProxy>();

/** Shows a PDF: its pages below a bar of tools. */
export async function showPdf(source: Source, onProgress: (text: string) => void): Promise<HTMLElement> {
  for (const [view, { loadingTask }] of shown)
    if (!view.isConnected && shown.delete(view)) void loadingTask.destroy();
  const pdf = await openPdf(source, onProgress);
  const { marks = [], download } = source;
  const pages = createPages(pdf, await pdf.getPage(1), marks);
  const mine = marks.find(({ yours, page }) => yours && page <= pdf.numPages);
  const finder = createFinder(pdf);
  const tools = createTools({
    pages: pdf.numPages,
    onPage: pages.show,
    onZoom: (way) => {
      if (way === 'fit') pages.zoomTo(1);
      else pages.zoomBy(way === 'larger' ? ZOOM_STEP : 1 / ZOOM_STEP);
    },
    mark: mine?.yours ? { kind: mine.yours, onShow: () => void pages.showMark(mine) } : undefined,
    download,
    async find(text) {
      const match = await finder.next(text);
      if (match) await pages.showMatch(match);
      return match;
    },
  });
  pages.list.addEventListener('scroll', () => tools.showPage(pages.current()), { passive: true });
  listenToGestures(pages.list, {
    onZoom: (factor, at) => pages.zoomBy(factor, at),
    onFit: () => pages.zoomTo(1),
    onFind: tools.focusFind,
  });
  const view = element('div', { className: 'reader-view' }, tools.bar, pages.list);
  shown.set(view, pdf);
  source.onPages?.(pages.shown);
  return view;
}
