import {
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  PDFWorker,
  VerbosityLevel,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { pdfDataName } from '../../../reader/pdf-data-name.ts';
import { element } from '../../element.ts';
import { language } from '../../page-language.ts';
import { NotShown, type Source } from '../source.ts';
import { readerTexts } from '../words.ts';
import { createFinder } from './find.ts';
import { listenToGestures, ZOOM_STEP } from './gestures.ts';
import { createPages } from './pages.ts';
import { createTools } from './tools.ts';
import { download, PART_BYTES } from './transport.ts';

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

const words = readerTexts(language);

// One for all documents of a page.
let worker: PDFWorker | undefined;

/** Opens a PDF. It is read as it arrives. */
async function openPdf(
  { content, tools }: Pick<Source, 'content' | 'tools'>,
  onProgress: (text: string) => void,
): Promise<PDFDocumentProxy> {
  const script = new URL(tools.worker, location.href).href;
  GlobalWorkerOptions.workerSrc = script;
  worker ??= new PDFWorker({ verbosity: VerbosityLevel.ERRORS });
  let lost: Error | undefined;
  let loading: PDFDocumentLoadingTask | undefined;
  const onLost = (error: Error): void => {
    lost = error;
    void loading?.destroy();
  };
  try {
    const begun =
      'file' in content
        ? { source: { data: new Uint8Array(await content.file.arrayBuffer()) }, onOpen: () => undefined }
        : await download(content, {
            onProgress: (share) => onProgress(words.loaded(Math.floor(share * 100))),
            onLost,
          });
    loading = getDocument({
      ...begun.source,
      rangeChunkSize: PART_BYTES,
      // WebAssembly needs a policy that allows scripts from text. The base of the decoders is explained in pdf-decoder.ts.
      useWasm: false,
      useWorkerFetch: false,
      wasmUrl: `${new URL(tools.decoder, location.href).href}?/`,
      // Our fonts for documents that bring none: a page looks the same on every device.
      useSystemFonts: false,
      BinaryDataFactory: dataFactory(script),
      worker,
      verbosity: VerbosityLevel.ERRORS,
    });
    const pdf = await loading.promise;
    begun.onOpen();
    await pdf.getPage(1);
    return pdf;
  } catch (error) {
    void loading?.destroy();
    throw reasonOf(lost ?? (error as Error));
  }
}

const LOST = /fetch|network|server response/i;

/** Anything but a lost connection is the file's own fault: pdf.js has many names for it. */
function reasonOf(error: Error): Error {
  if (error.name === 'PasswordException') return new NotShown(words.locked);
  return LOST.test(`${error.name} ${error.message}`) ? error : new NotShown(words.damaged, { cause: error });
}

/** Fetches the fonts and character maps that pdf.js asks for, from beside its worker. */
const dataFactory = (script: string) =>
  class {
    async fetch({ filename }: { readonly filename: string }): Promise<Uint8Array> {
      const answer = await fetch(new URL(pdfDataName(version, filename), script));
      if (!answer.ok) throw new Error(`${filename} was answered ${answer.status}.`);
      return new Uint8Array(await answer.arrayBuffer());
    }
  };
