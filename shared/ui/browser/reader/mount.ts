import type { DocumentKind, ReaderMark } from '../../document-kind.ts';
import { element } from '../element.ts';
import { language } from '../page-language.ts';
import { drawingWords } from './words.ts';

/** A document cannot be drawn. The message says why to the person. */
export class NotDrawable extends Error {}

/** A document, and where its content is. */
export type Source = {
  readonly kind: DocumentKind;
  readonly address: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytes: number;
  /** The address of the worker that draws PDFs. */
  readonly worker: string;
  readonly marks?: readonly ReaderMark[];
};

const words = drawingWords(language);

/** Draws the documents that the server rendered as links. */
export function mountReaders(root: ParentNode): void {
  for (const section of root.querySelectorAll<HTMLElement>('[data-reader]:not([data-mounted])')) {
    section.dataset.mounted = '';
    const { reader, address = '', bytes, worker = '', marks = '[]' } = section.dataset;
    const kind = reader as DocumentKind;
    const fallback = section.querySelector<HTMLElement>('.reader-file');
    const hint = section.querySelector<HTMLElement>('.reader-hint');
    if (kind === 'other' || !fallback || !hint) continue;
    fallback.hidden = true;
    const source = { kind, address, bytes: Number(bytes), worker, marks: JSON.parse(marks) };
    drawDocument(section, source).catch((error: Error) => {
      hint.textContent = error.message;
      fallback.hidden = false;
    });
  }
}

/** Draws a document at the end of an element. Each kind of reader is loaded when a document needs it. */
export async function drawDocument(into: HTMLElement, source: Source): Promise<void> {
  const status = element('p', { className: 'reader-status faint', with: { role: 'status' } }, words.loading);
  into.append(status);
  const onProgress = (text: string): void => {
    status.textContent = text;
  };
  try {
    const drawn =
      source.kind === 'pdf'
        ? await (await import('./pdf.ts')).drawPdf(source, onProgress)
        : await (await import('./text.ts')).drawText(source);
    into.append(drawn);
  } catch (error) {
    throw error instanceof NotDrawable ? error : new NotDrawable(words.notLoaded, { cause: error });
  } finally {
    status.remove();
  }
}
