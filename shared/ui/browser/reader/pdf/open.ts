import {
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  PDFWorker,
  VerbosityLevel,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { pdfDataName } from '../../../pdf-data-name.ts';
import { language } from '../../page-language.ts';
import { NotShown, type Source } from '../source.ts';
import { readerTexts } from '../words.ts';
import { download, PART_BYTES } from './transport.ts';

const words = readerTexts(language);

// One for all documents of a page.
let worker: PDFWorker | undefined;

/** Opens a PDF. It is read as it arrives. */
export async function openPdf(
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
