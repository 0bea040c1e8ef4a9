import {
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentProxy,
  type PDFPageProxy,
  TextLayer,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { ReaderMark } from '../../document-kind.ts';
import { element } from '../element.ts';
import { language } from '../page-language.ts';
import { createFinder } from './find.ts';
import { NotDrawable, type Source } from './mount.ts';
import { createTools } from './tools.ts';
import { drawingWords } from './words.ts';

const words = drawingWords(language);

// Pages that stay drawn. Each takes some megabytes, and phones end a page that takes hundreds.
const KEPT_PAGES = 8;
// How far from the visible part pages are drawn, so that scrolling meets few empty ones.
const AHEAD = '600px 0px';
const MIN_ZOOM = 0.5;
const MAX_ZOOM = 4;
const ZOOM_STEP = 1.25;
// Canvases beyond this many pixels fail on phones.
const MAX_CANVAS_PIXELS = 16_000_000;

/** One page: its place in the list, and how it is drawn into it. */
type Sheet = {
  readonly number: number;
  readonly box: HTMLElement;
  drawing: { readonly scale: number; cancel(): void } | undefined;
};

/** Draws a PDF: pages as they come into view, with text to select, marks, zoom and find. */
export async function drawPdf(source: Source, onProgress: (text: string) => void): Promise<HTMLElement> {
  GlobalWorkerOptions.workerSrc = new URL(source.worker, location.href).href;
  const pdf = await open(source, onProgress);
  const first = await pdf.getPage(1);
  return createView(pdf, first, source.marks ?? []);
}

async function open(
  { address, headers = {} }: Source,
  onProgress: (text: string) => void,
): Promise<PDFDocumentProxy> {
  const loading = getDocument({
    url: new URL(address, location.href).href,
    httpHeaders: headers,
    // One request, which a ticket allows once it has begun; pages are drawn as soon as they can be.
    disableRange: true,
    // What the policy of the page forbids anyway.
    useWasm: false,
    verbosity: 0,
  });
  loading.onProgress = ({ loaded, total }: { loaded: number; total: number }) => {
    if (total > 0) onProgress(words.loaded(Math.min(100, Math.round((loaded / total) * 100))));
  };
  try {
    return await loading.promise;
  } catch (error) {
    const { name } = error as Error;
    if (name === 'PasswordException') throw new NotDrawable(words.locked);
    if (name === 'InvalidPDFException' || name === 'FormatError') throw new NotDrawable(words.damaged);
    throw error;
  }
}

function createView(pdf: PDFDocumentProxy, first: PDFPageProxy, marks: readonly ReaderMark[]): HTMLElement {
  const list = element('div', {
    className: 'reader-pages',
    tabIndex: 0,
    with: { role: 'region', 'aria-label': words.pages },
  });
  const sheets = Array.from({ length: pdf.numPages }, (_, index) => sheetOf(index + 1, pdf.numPages));
  list.append(...sheets.map(({ box }) => box));
  let zoom = 1;
  const natural = first.getViewport({ scale: 1 });
  // Until a page is read it is taken to have the size of the first.
  const resize = (): void => {
    for (const { box } of sheets) {
      box.style.setProperty('--width', box.dataset.width ?? String(natural.width));
      box.style.setProperty('--height', box.dataset.height ?? String(natural.height));
    }
    list.style.setProperty('--zoom', String(zoom));
  };

  const drawn: Sheet[] = [];
  const draw = async (sheet: Sheet): Promise<void> => {
    const page = await pdf.getPage(sheet.number);
    const { width, height } = page.getViewport({ scale: 1 });
    Object.assign(sheet.box.dataset, { width: String(width), height: String(height) });
    sheet.box.style.setProperty('--width', String(width));
    sheet.box.style.setProperty('--height', String(height));
    const scale = sheet.box.clientWidth / width;
    if (sheet.drawing?.scale === scale) return;
    sheet.drawing?.cancel();
    sheet.drawing = drawPage(page, sheet, scale, marks);
    keep(sheet);
  };
  const keep = (sheet: Sheet): void => {
    const at = drawn.indexOf(sheet);
    if (at >= 0) drawn.splice(at, 1);
    drawn.push(sheet);
    while (drawn.length > KEPT_PAGES) {
      const oldest = drawn.shift();
      oldest?.drawing?.cancel();
      if (oldest) oldest.drawing = undefined;
      oldest?.box.replaceChildren();
    }
  };

  const visible = new Set<Sheet>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const sheet = sheets[Number((target as HTMLElement).dataset.page) - 1];
        if (!sheet) continue;
        if (isIntersecting) visible.add(sheet);
        else visible.delete(sheet);
        if (isIntersecting) void draw(sheet);
      }
    },
    { root: list, rootMargin: AHEAD },
  );

  const show = (number: number, behavior: ScrollBehavior = 'auto'): void => {
    sheets[number - 1]?.box.scrollIntoView({ block: 'start', behavior });
  };
  const setZoom = (to: number): void => {
    const at = current();
    zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, to));
    resize();
    show(at);
    for (const sheet of visible) void draw(sheet);
  };
  const current = (): number => {
    const middle = list.scrollTop + list.clientHeight / 2;
    const found = sheets.findLast(({ box }) => box.offsetTop <= middle);
    return found?.number ?? 1;
  };

  const mine = marks.find(({ isYours }) => isYours);
  const tools = createTools({
    pages: pdf.numPages,
    onPage: show,
    onZoom: (way) => setZoom(way === 'fit' ? 1 : way === 'larger' ? zoom * ZOOM_STEP : zoom / ZOOM_STEP),
    onMark: mine && (() => show(mine.page, 'smooth')),
    finder: createFinder(pdf, (match) => show(match.page)),
  });
  list.addEventListener('scroll', () => tools.showPage(current()), { passive: true });
  onPinch(list, (by) => setZoom(zoom * by));
  list.addEventListener('keydown', (event) => {
    if (event.key === '+' || event.key === '=') setZoom(zoom * ZOOM_STEP);
    else if (event.key === '-') setZoom(zoom / ZOOM_STEP);
    else if (event.key === '0') setZoom(1);
    else return;
    event.preventDefault();
  });
  resize();
  for (const { box } of sheets) observer.observe(box);
  // A turned phone or a wider window shows pages in another size.
  new ResizeObserver(() => {
    for (const sheet of visible) void draw(sheet);
  }).observe(list);
  return element('div', { className: 'reader-view' }, tools.bar, list);
}

function sheetOf(number: number, count: number): Sheet {
  const box = element('div', {
    className: 'reader-page',
    with: { role: 'img', 'aria-label': words.pageOf(number, count), 'data-page': String(number) },
  });
  return { number, box, drawing: undefined };
}

function drawPage(page: PDFPageProxy, { box }: Sheet, scale: number, marks: readonly ReaderMark[]) {
  const sharp = Math.min(
    devicePixelRatio || 1,
    Math.sqrt(MAX_CANVAS_PIXELS / (box.clientWidth * box.clientHeight || 1)),
  );
  const viewport = page.getViewport({ scale: scale * sharp });
  const canvas = element('canvas', {
    width: Math.ceil(viewport.width),
    height: Math.ceil(viewport.height),
    with: { 'aria-hidden': 'true' },
  });
  const rendering = page.render({ canvas, viewport });
  const layer = element('div', { className: 'reader-text' });
  const text = new TextLayer({
    textContentSource: page.streamTextContent(),
    container: layer,
    viewport: page.getViewport({ scale }),
  });
  layer.style.setProperty('--total-scale-factor', String(scale));
  const places = marks.filter((mark) => mark.page === page.pageNumber).map((mark) => placeOf(page, mark));
  // The old picture stays until the new one is drawn.
  rendering.promise.then(
    () => box.replaceChildren(canvas, layer, ...places),
    () => undefined,
  );
  // The text makes the page readable to a screen reader, so it is no picture any more.
  text.render().then(
    () => box.setAttribute('role', 'group'),
    () => undefined,
  );
  return {
    scale,
    cancel() {
      rendering.cancel();
      text.cancel();
    },
  };
}

/** A frame around the place of a signature, in percent of the page. */
function placeOf(page: PDFPageProxy, { x, y, width, height, label, isYours }: ReaderMark): HTMLElement {
  const viewport = page.getViewport({ scale: 1 });
  const [x1, y1] = viewport.convertToViewportPoint(x, y) as [number, number];
  const [x2, y2] = viewport.convertToViewportPoint(x + width, y + height) as [number, number];
  const place = element(
    'div',
    { className: isYours ? 'reader-mark yours' : 'reader-mark' },
    element('span', {}, isYours ? words.yours : label),
  );
  place.style.left = `${(Math.min(x1, x2) / viewport.width) * 100}%`;
  place.style.top = `${(Math.min(y1, y2) / viewport.height) * 100}%`;
  place.style.width = `${(Math.abs(x2 - x1) / viewport.width) * 100}%`;
  place.style.height = `${(Math.abs(y2 - y1) / viewport.height) * 100}%`;
  return place;
}

/** Two fingers zoom the document, and not the whole page. */
function onPinch(list: HTMLElement, zoomBy: (factor: number) => void): void {
  let apart: number | undefined;
  const distance = ([a, b]: TouchList | Touch[]): number =>
    a && b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 0;
  list.addEventListener('touchstart', ({ touches }) => {
    apart = touches.length === 2 ? distance([...touches]) : undefined;
  });
  list.addEventListener(
    'touchmove',
    (event) => {
      if (apart === undefined || event.touches.length !== 2) return;
      event.preventDefault();
      const now = distance([...event.touches]);
      if (Math.abs(now / apart - 1) < 0.1) return;
      zoomBy(now / apart);
      apart = now;
    },
    { passive: false },
  );
}
