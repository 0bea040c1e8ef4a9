import type { DocumentKind } from '../../reader/document-kind.ts';
import { element } from '../element.ts';
import { language } from '../page-language.ts';
import { NotShown, pdfToolsOf, type Source } from './source.ts';
import { readerTexts } from './words.ts';

const words = readerTexts(language);

/** Shows the documents that the server rendered as links to them. */
export function mountReaders(root: ParentNode): void {
  for (const section of root.querySelectorAll<HTMLElement>('[data-reader]:not([data-mounted])')) {
    section.dataset.mounted = '';
    const { reader, address = '', name = '', bytes, marks = '[]' } = section.dataset;
    const link = section.querySelector<HTMLElement>('.reader-file');
    const hint = section.querySelector<HTMLElement>('.reader-hint');
    if (!link || !hint) continue;
    const source: Source = {
      kind: reader as DocumentKind,
      content: { address },
      bytes: Number(bytes),
      tools: pdfToolsOf(section.dataset),
      marks: JSON.parse(marks),
      download: { address, name },
    };
    link.hidden = source.kind !== 'other';
    showDocument(section, source).catch((error: Error) => {
      hint.textContent = error.message;
      link.hidden = false;
    });
  }
}

/**
 * Shows a document at the end of an element. What shows its kind is loaded only then. Throws NotShown.
 * @example await showDocument(section, { kind: 'pdf', content: { file }, bytes: file.size, tools });
 */
export async function showDocument(into: HTMLElement, source: Source): Promise<void> {
  const status = element('p', { className: 'reader-status faint', with: { role: 'status' } }, words.loading);
  into.append(status);
  const onProgress = (text: string): void => {
    status.textContent = text;
  };
  try {
    into.append(await viewOf(source, onProgress));
  } catch (error) {
    throw error instanceof NotShown ? error : new NotShown(words.notLoaded, { cause: error });
  } finally {
    status.remove();
  }
}

async function viewOf(source: Source, onProgress: (text: string) => void): Promise<HTMLElement> {
  if (source.kind === 'other') return (await import('./hash.ts')).showHash(source);
  if (source.kind !== 'pdf') return (await import('./text.ts')).showText(source);
  // The worker is the largest part, and is asked for last. It is on its way meanwhile.
  fetch(source.tools.worker).catch(() => undefined);
  return (await import('./pdf/pdf.ts')).showPdf(source, onProgress);
}
