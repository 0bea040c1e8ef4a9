import { type PDFPageProxy, TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { element } from '../../element.ts';
import { language } from '../../page-language.ts';
import { readerTexts } from '../words.ts';

const words = readerTexts(language);

// 32 MB of memory. Some phones draw nothing on a canvas of twice that.
const MAX_CANVAS_PIXELS = 8_000_000;

/** A page on its way to the screen, or there. */
export type Drawing = {
  /** CSS pixels for a point of the page. */
  readonly scale: number;
  /** Of its canvas. */
  readonly pixels: number;
  isDone: boolean;
  /** The pieces of its text, once it is drawn; undefined where it was canceled or cannot be drawn. */
  readonly texts: Promise<readonly HTMLElement[] | undefined>;
  cancel(): void;
};

/**
 * Draws a page into an element: its picture, and above it its text, unseen, to be selected, found and read aloud. What
 * was there before stays until then.
 */
export function drawPage(page: PDFPageProxy, face: HTMLElement, scale: number): Drawing {
  const shown = page.getViewport({ scale });
  const sharpness = Math.min(
    devicePixelRatio || 1,
    Math.sqrt(MAX_CANVAS_PIXELS / (shown.width * shown.height)),
  );
  const viewport = page.getViewport({ scale: scale * sharpness });
  const canvas = element('canvas', {
    width: Math.max(1, Math.floor(viewport.width)),
    height: Math.max(1, Math.floor(viewport.height)),
    with: { 'aria-hidden': 'true' },
  });
  const rendering = page.render({ canvas, viewport });
  const layer = element('div', { className: 'reader-text' });
  const text = new TextLayer({
    textContentSource: page.streamTextContent(),
    container: layer,
    viewport: shown,
  });
  layer.style.setProperty('--total-scale-factor', String(shown.scale));
  const { pageWidth, pageHeight } = shown.rawDims as { pageWidth: number; pageHeight: number };
  Object.assign(layer.style, {
    width: `${pageWidth * shown.scale}px`,
    height: `${pageHeight * shown.scale}px`,
  });
  let isCanceled = false;
  const draw = async (): Promise<readonly HTMLElement[] | undefined> => {
    try {
      // A page whose text cannot be read is a picture.
      const [, hasText] = await Promise.all([
        rendering.promise,
        text.render().then(
          () => true,
          () => false,
        ),
      ]);
      if (isCanceled) return undefined;
      release(face);
      face.replaceChildren(canvas, layer);
      return hasText ? text.textDivs : [];
    } catch {
      if (!isCanceled) face.replaceChildren(element('p', { className: 'reader-broken' }, words.pageBroken));
      return undefined;
    } finally {
      drawing.isDone = !isCanceled;
    }
  };
  const drawing: Drawing = {
    scale,
    pixels: canvas.width * canvas.height,
    isDone: false,
    texts: draw(),
    cancel() {
      isCanceled = true;
      rendering.cancel();
      text.cancel();
    },
  };
  return drawing;
}

/** Empties an element. A canvas keeps its memory until it is collected, unless it has no size. */
export function release(face: HTMLElement): void {
  for (const canvas of face.querySelectorAll('canvas')) Object.assign(canvas, { width: 0, height: 0 });
  face.replaceChildren();
}
