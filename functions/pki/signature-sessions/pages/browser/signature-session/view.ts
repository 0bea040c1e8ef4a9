import { find } from '../../../../../../shared/ui/browser/signing/action-form.ts';
import type { Language } from '../../../../../../shared/ui/languages.ts';
import { formatSize } from '../../../../../../shared/ui/size.ts';
import type { Document, SessionApi, Status } from './session.ts';
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
  };
  return {
    waiting(text: string): void {
      only();
      waiting.textContent = text;
    },
    open(documents: readonly Document[], session: SessionApi): void {
      waiting.textContent = '';
      find(main, '#documents', HTMLElement).replaceChildren(
        ...documents.map((document) => row(document, session, language)),
      );
      only(open);
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

function row(document: Document, session: SessionApi, language: Language): HTMLElement {
  const words = sessionWords(language);
  const item = globalThis.document.createElement('li');
  const text = globalThis.document.createElement('span');
  const name = globalThis.document.createElement('strong');
  const about = globalThis.document.createElement('span');
  name.textContent = document.name;
  about.className = 'faint';
  about.textContent = [formatSize(language, document.size), document.status === 'Pending' ? '' : words.signed]
    .filter(Boolean)
    .join(' · ');
  const trouble = globalThis.document.createElement('span');
  trouble.setAttribute('role', 'alert');
  text.append(name, about, trouble);
  const button = globalThis.document.createElement('button');
  button.type = 'button';
  button.className = 'button quiet';
  button.textContent = words.read;
  button.setAttribute('aria-label', words.readOf(document.name));
  button.addEventListener('click', async () => {
    trouble.textContent = '';
    try {
      await save(document, session);
    } catch {
      trouble.textContent = words.notRead;
    }
  });
  item.append(text, button);
  return item;
}

// The token goes in a header, so that the file is fetched here and handed to the browser as one to keep.
async function save(document: Document, session: SessionApi): Promise<void> {
  const blob = new Blob([await session.content(document)], { type: 'application/octet-stream' });
  const link = globalThis.document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = document.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}

// Long enough for the browser to have begun.
const KEPT_MS = 60_000;
