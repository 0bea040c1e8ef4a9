import { element } from '../../../../../shared/ui/browser/element.ts';
import { showDocument } from '../../../../../shared/ui/browser/reader/mount.ts';
import type { PdfTools } from '../../../../../shared/ui/browser/reader/source.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import { type DocumentKind, documentKind } from '../../../../../shared/ui/reader/document-kind.ts';
import { verificationWords } from '../../verification/words.ts';

/** A file that was verified, and the content of a detached signature where it was chosen too. */
type VerifiedFile = { readonly file: File; readonly content: File | undefined; readonly format: string };

/**
 * A button that shows the file, from the browser's own copy. Undefined where there is nothing to read: what a CMS file
 * holds is read by programs.
 */
export function readButton(
  verified: VerifiedFile,
  tools: PdfTools,
  language: Language,
): HTMLElement | undefined {
  const words = verificationWords(language);
  const [file, kind] = readableOf(verified);
  if (kind === 'other') return undefined;
  const reader = element('div', { className: 'reader', hidden: true });
  const trouble = element('p', { className: 'note', hidden: true, with: { role: 'alert' } });
  const show = async (): Promise<void> => {
    reader.hidden = !reader.hidden;
    button.setAttribute('aria-expanded', String(!reader.hidden));
    if (reader.childElementCount > 0) return;
    await showDocument(reader, { kind, content: { file }, bytes: file.size, tools }).catch((error: Error) => {
      trouble.textContent = error.message;
      trouble.hidden = false;
    });
  };
  const button = element(
    'button',
    {
      type: 'button',
      className: 'button quiet',
      onclick: () => void show(),
      with: { 'aria-expanded': 'false' },
    },
    words.readFile,
  );
  return element('div', { className: 'read-file' }, button, trouble, reader);
}

const KINDS: Readonly<Record<string, DocumentKind>> = { PAdES: 'pdf', XAdES: 'xml' };

const readableOf = ({ file, content, format }: VerifiedFile): [File, DocumentKind] =>
  content ? [content, documentKind(content.type)] : [file, KINDS[format] ?? 'other'];
