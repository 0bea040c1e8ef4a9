import { html } from 'hono/html';
import { assetUrl } from '../assets.ts';
import { sheet } from '../icons.ts';
import type { Language } from '../languages.ts';
import { formatSize } from '../numbers.ts';
import type { Markup } from '../page.ts';
import { translations } from '../translations.ts';
import { documentKind, type ReaderMark } from './document-kind.ts';

type ReaderOptions = {
  /** The relative path to the service's base path, where the assets are. */
  readonly root: string;
  /** The address of the content. */
  readonly address: string;
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: number;
  readonly language: Language;
  readonly marks?: readonly ReaderMark[];
  /** Whether the person is asked to sign or approve what they read. */
  readonly isAsked?: boolean;
};

/** What a script of the page needs to draw a PDF: the addresses of the parts of pdf.js, as attributes of an element. */
export const pdfToolAttributes = (root: string): Markup =>
  html`data-worker="${assetUrl(root, 'pdf-worker.js')}" data-decoder="${assetUrl(root, 'pdf-decoder.js')}"`;

/**
 * The reader of a document. Without scripts it is a link to the content; shared/ui/browser/reader draws the document in
 * its place. The page loads `reader.css`, and a script of it calls `mountReaders()`.
 * @example documentReader({ root: ROOT, address, name: 'contract.pdf', mimeType: 'application/pdf', bytes, language })
 */
export function documentReader(options: ReaderOptions): Markup {
  const { root, address, name, mimeType, bytes, language, marks = [], isAsked = false } = options;
  const kind = documentKind(mimeType);
  const words = readerWords(language);
  return html`<section class="reader" aria-label="${words.document}" data-reader="${kind}" data-address="${address}" data-name="${name}" data-bytes="${bytes}" data-marks="${JSON.stringify(marks)}" ${pdfToolAttributes(root)}>
<div class="card reader-file">
<span class="large">${sheet}</span>
<p><strong>${name}</strong> <span class="faint">${formatSize(language, bytes)}</span></p>
<p class="reader-hint">${kind === 'other' ? words.notShown : words.needsScript} ${isAsked ? words.readFirst : ''}</p>
<p><a class="button quiet" href="${address}" download="${name}">${words.download}</a></p>
</div>
</section>`;
}

const readerWords = translations({
  document: { en: 'The document', 'pt-BR': 'O documento' },
  download: { en: 'Download the document', 'pt-BR': 'Baixar o documento' },
  notShown: {
    en: 'This kind of file is not shown here. Download it to read it.',
    'pt-BR': 'Este tipo de arquivo não é mostrado aqui. Baixe-o para ler.',
  },
  readFirst: {
    en: 'Read it before you sign or approve.',
    'pt-BR': 'Leia antes de assinar ou aprovar.',
  },
  needsScript: {
    en: 'Download the document to read it. With JavaScript on it is shown here.',
    'pt-BR': 'Baixe o documento para ler. Com o JavaScript ativado ele aparece aqui.',
  },
});
