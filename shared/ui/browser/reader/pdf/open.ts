import {
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentProxy,
  PDFWorker,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { pdfDataName } from '../../../pdf-data-name.ts';
import { language } from '../../page-language.ts';
import { type Content, NotShown, type Source } from '../source.ts';
import { readerTexts } from '../words.ts';

const words = readerTexts(language);

// One for all documents of a page.
let worker: PDFWorker | undefined;

/** Opens a PDF. It is read as it arrives, and a part that a page needs is asked for ahead of its turn. */
export async function openPdf(
  { content, tools }: Pick<Source, 'content' | 'tools'>,
  onProgress: (text: string) => void,
): Promise<PDFDocumentProxy> {
  const script = new URL(tools.worker, location.href).href;
  GlobalWorkerOptions.workerSrc = script;
  worker ??= new PDFWorker();
  const loading = getDocument({
    ...(await placeOf(content)),
    // WebAssembly needs a policy that allows scripts from text. The base of the decoders is explained in pdf-decoder.ts.
    useWasm: false,
    useWorkerFetch: false,
    wasmUrl: `${new URL(tools.decoder, location.href).href}?/`,
    // Our fonts for documents that bring none: a page looks the same on every device.
    useSystemFonts: false,
    BinaryDataFactory: dataFactory(script),
    worker,
    verbosity: 0,
  });
  loading.onProgress = ({ loaded, total }: { loaded: number; total: number }) => {
    if (total > 0) onProgress(words.loaded(Math.min(100, Math.round((loaded / total) * 100))));
  };
  try {
    const pdf = await loading.promise;
    await pdf.getPage(1);
    return pdf;
  } catch (error) {
    void loading.destroy();
    throw reasonOf(error as Error);
  }
}

async function placeOf(content: Content) {
  if ('file' in content) return { data: new Uint8Array(await content.file.arrayBuffer()) };
  return { url: new URL(content.address, location.href).href, httpHeaders: content.headers ?? {} };
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
