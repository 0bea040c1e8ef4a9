import { element } from '../../../../../../shared/ui/browser/element.ts';
import { showDocument } from '../../../../../../shared/ui/browser/reader/mount.ts';
import { type PdfTools, pdfToolsOf } from '../../../../../../shared/ui/browser/reader/source.ts';
import { find } from '../../../../../../shared/ui/browser/signing/action-form.ts';
import { documentKind } from '../../../../../../shared/ui/document-kind.ts';
import type { Language } from '../../../../../../shared/ui/languages.ts';
import { formatSize } from '../../../../../../shared/ui/size.ts';
import type { Document, Session, SessionApi, Status } from './session.ts';
import { sessionWords } from './words.ts';

/** Why there is nothing to do on the page. */
export type Closed = Exclude<Status, 'Pending' | 'Processing'> | 'unknown' | 'lost' | 'empty';

/** The parts of the page, of which one is shown. */
export function sessionView(main: HTMLElement, language: Language) {
  const words = sessionWords(language);
  const waiting = find(main, '#waiting', HTMLElement);
  const open = find(main, '#open', HTMLElement);
  const closed = find(main, '#closed', HTMLElement);
  const texts: Readonly<Record<Closed, readonly [string, string]>> = {
    Completed: [words.completed, words.completedHint],
    UserCancelled: [words.cancelled, words.cancelledHint],
    Expired: [words.expired, words.expiredHint],
    ProcessingError: [words.failed, words.failedHint],
    unknown: [words.unknown, words.unknownHint],
    lost: [words.lost, words.lostHint],
    empty: [words.empty, words.emptyHint],
  };
  const only = (shown?: HTMLElement): void => {
    for (const part of [open, closed]) part.hidden = part !== shown;
    find(main, '#asks', HTMLElement).hidden = shown !== open;
  };
  return {
    waiting(text: string): void {
      only();
      waiting.textContent = text;
    },
    open({ documents, application, returnUrl }: Session, session: SessionApi): void {
      waiting.textContent = '';
      const back = returnUrl === null ? '' : ` ${words.returnsTo(new URL(returnUrl).host)}`;
      find(main, '#asks', HTMLElement).textContent = words.asks(application, documents.length) + back;
      const rows = documents.map((each) => row(each, session, pdfToolsOf(main.dataset), language));
      find(main, '#documents', HTMLElement).replaceChildren(...rows.map(({ item }) => item));
      only(open);
      // Of several, the person chooses which to read first.
      if (rows.length === 1) void rows[0]?.open?.();
    },
    closed(why: Closed, returnTo?: string): void {
      waiting.textContent = '';
      const [title, text] = texts[why];
      const heading = find(closed, 'h2', HTMLElement);
      heading.textContent = title;
      find(closed, 'p', HTMLElement).textContent = text;
      const link = find(closed, 'a', HTMLAnchorElement);
      link.hidden = returnTo === undefined;
      if (returnTo !== undefined) link.href = returnTo;
      only(closed);
      heading.focus();
    },
  };
}

/** A document of the list, which opens below its name to be read. */
function row(given: Document, session: SessionApi, tools: PdfTools, language: Language) {
  const words = sessionWords(language);
  const kind = documentKind(given.contentType);
  const about = [formatSize(language, given.size), given.status === 'Pending' ? '' : words.signed];
  const trouble = element('span', { className: 'note', hidden: true, with: { role: 'alert' } });
  const tell = (text: string): void => {
    trouble.textContent = text;
    trouble.hidden = text === '';
  };
  const reader = element('div', { className: 'reader', hidden: true });
  const open = async (): Promise<void> => {
    tell('');
    reader.hidden = !reader.hidden;
    read.setAttribute('aria-expanded', String(!reader.hidden));
    if (reader.childElementCount > 0) return;
    const source = { kind, content: session.place(given), bytes: given.size, tools };
    await showDocument(reader, source).catch((error: Error) => {
      reader.hidden = true;
      read.setAttribute('aria-expanded', 'false');
      tell(error.message);
    });
  };
  const read = element(
    'button',
    {
      type: 'button',
      className: 'button quiet',
      onclick: () => void open(),
      with: {
        'aria-expanded': 'false',
        'aria-label': kind === 'other' ? words.hashOf(given.name) : words.readOf(given.name),
      },
    },
    kind === 'other' ? 'SHA-256' : words.read,
  );
  const keep = element(
    'button',
    {
      type: 'button',
      className: 'button quiet',
      onclick: () => {
        tell('');
        save(given, session).catch(() => tell(words.notSaved));
      },
      with: { 'aria-label': words.saveOf(given.name) },
    },
    words.save,
  );
  const line = element(
    'div',
    { className: 'line' },
    element(
      'span',
      {},
      element('strong', {}, given.name),
      element('span', { className: 'faint' }, about.filter(Boolean).join(' · ')),
    ),
    element('span', { className: 'choices' }, read, keep),
  );
  return { item: element('li', {}, line, trouble, reader), open: kind === 'other' ? undefined : open };
}

// The token goes in a header, so that the file is fetched here and handed to the browser as one to keep.
async function save(document: Document, session: SessionApi): Promise<void> {
  const blob = new Blob([await session.content(document)], { type: 'application/octet-stream' });
  const link = element('a', { href: URL.createObjectURL(blob), download: document.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}

// Long enough for the browser to have begun.
const KEPT_MS = 60_000;
