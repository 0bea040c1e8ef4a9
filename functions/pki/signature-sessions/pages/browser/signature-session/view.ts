import type { Bytes } from '../../../../../../shared/der/bytes.ts';
import { element } from '../../../../../../shared/ui/browser/element.ts';
import { showDocument } from '../../../../../../shared/ui/browser/reader/mount.ts';
import { type PdfTools, pdfToolsOf } from '../../../../../../shared/ui/browser/reader/source.ts';
import { find } from '../../../../../../shared/ui/browser/signing/action-form.ts';
import type { Language } from '../../../../../../shared/ui/languages.ts';
import { formatSize } from '../../../../../../shared/ui/numbers.ts';
import { documentKind } from '../../../../../../shared/ui/reader/document-kind.ts';
import type { Document, Session, SessionApi, Status } from './session.ts';
import { sessionWords } from './words.ts';

/** Why there is nothing to do on the page. */
export type Closed = Exclude<Status, 'Pending'> | 'unknown' | 'lost' | 'empty';

/** The parts of the page, of which one is shown. */
export function sessionView(main: HTMLElement, language: Language) {
  const words = sessionWords(language);
  const waiting = find(main, '#waiting', HTMLElement);
  const open = find(main, '#open', HTMLElement);
  const closed = find(main, '#closed', HTMLElement);
  const texts: Readonly<Record<Closed, readonly [string, string]>> = {
    Completed: [words.completed, words.completedHint],
    Processing: [words.completed, words.processingHint],
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
    open(current: Session, session: SessionApi, onRemoved: () => void): void {
      const { documents, takesFiles } = current;
      waiting.textContent = '';
      find(main, '#asks', HTMLElement).textContent = asksOf(current, words);
      const requirements = find(main, '#requirements', HTMLElement);
      requirements.textContent = requirementsOf(current, words);
      requirements.hidden = requirements.textContent === '';
      find(main, '#own', HTMLElement).hidden = !takesFiles;
      find(main, '#read-first', HTMLElement).hidden = documents.length === 0;
      find(main, '#signature', HTMLElement).hidden = documents.length === 0;
      const rows = documents.map((each) => {
        const onRemove = takesFiles ? () => removeFile(each, session).then(onRemoved) : undefined;
        return row({ given: each, current, session, onRemove }, pdfToolsOf(main.dataset), language);
      });
      find(main, '#documents', HTMLElement).replaceChildren(...rows.map(({ item }) => item));
      only(open);
      // Of several, the person chooses which to read first. Who brings a file has read it.
      if (rows.length === 1 && !takesFiles) void rows[0]?.open?.();
    },
    /** `kept` has the signed files that the person may keep. */
    closed(why: Closed, returnTo?: string, kept: readonly Saved[] = []): void {
      waiting.textContent = '';
      const [title, text] = texts[why];
      const heading = find(closed, 'h2', HTMLElement);
      heading.textContent = title;
      find(closed, 'p', HTMLElement).textContent = kept.length > 0 ? words.keepSigned : text;
      find(closed, 'ul', HTMLElement).replaceChildren(...kept.map((file) => savedRow(file, language)));
      const link = find(closed, 'a', HTMLAnchorElement);
      link.hidden = returnTo === undefined;
      if (returnTo !== undefined) link.href = returnTo;
      only(closed);
      heading.focus();
    },
  };
}

type Words = ReturnType<typeof sessionWords>;

function asksOf({ documents, application, returnUrl, takesFiles }: Session, words: Words): string {
  const back = returnUrl === null ? '' : ` ${words.returnsTo(new URL(returnUrl).host)}`;
  return (takesFiles ? words.asksForFiles(application) : words.asks(application, documents.length)) + back;
}

const requirementsOf = ({ certificateRequirements }: Session, words: Words): string =>
  certificateRequirements
    .map(({ type, argument }) => (type === 'Cpf' ? words.requiresCpf(argument ?? '') : words.requiresDevice))
    .join(' ');

const removeFile = ({ documentId }: Document, session: SessionApi): Promise<unknown> =>
  session.post(`files/${documentId}/removal`, {});

type Shown = {
  readonly given: Document;
  readonly current: Session;
  readonly session: SessionApi;
  /** Takes the file back, where the person brought it. */
  readonly onRemove: (() => Promise<void>) | undefined;
};

/** A document of the list, which opens below its name to be read. */
function row({ given, current, session, onRemove }: Shown, tools: PdfTools, language: Language) {
  const words = sessionWords(language);
  const kind = documentKind(given.contentType);
  const about = [formatSize(language, given.size), given.state === 'Pending' ? '' : words.signed];
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
  const quiet = (text: string, label: string, act: () => Promise<void>, failed: string) =>
    element(
      'button',
      {
        type: 'button',
        className: 'button quiet',
        onclick: () => {
          tell('');
          act().catch(() => tell(failed));
        },
        with: { 'aria-label': label },
      },
      text,
    );
  const keep = current.disableDownloads
    ? undefined
    : quiet(
        words.save,
        words.saveOf(given.name),
        () => save({ name: given.name, read: () => session.content(given) }),
        words.notSaved,
      );
  const remove = onRemove && quiet(words.remove, words.removeOf(given.name), onRemove, words.notRemoved);
  const line = element(
    'div',
    { className: 'line' },
    element(
      'span',
      {},
      element('strong', {}, given.name),
      element('span', { className: 'faint' }, about.filter(Boolean).join(' · ')),
    ),
    element('span', { className: 'choices' }, read, keep, remove),
  );
  return { item: element('li', {}, line, trouble, reader), open: kind === 'other' ? undefined : open };
}

/** A file that the browser is handed to keep. */
export type Saved = { readonly name: string; readonly read: () => Promise<Bytes> };

/** A signed file, with a button that keeps it. */
function savedRow(file: Saved, language: Language): HTMLElement {
  const words = sessionWords(language);
  const trouble = element('span', { className: 'note', hidden: true, with: { role: 'alert' } });
  const button = element(
    'button',
    {
      type: 'button',
      className: 'button quiet',
      onclick: () => {
        trouble.hidden = true;
        save(file).catch(() => {
          trouble.textContent = words.notSaved;
          trouble.hidden = false;
        });
      },
      with: { 'aria-label': words.saveOf(file.name) },
    },
    words.save,
  );
  return element(
    'li',
    {},
    element('div', { className: 'line' }, element('strong', {}, file.name), button),
    trouble,
  );
}

// The token goes in a header, so that the file is fetched here and handed to the browser as one to keep.
async function save({ name, read }: Saved): Promise<void> {
  const blob = new Blob([await read()], { type: 'application/octet-stream' });
  const link = element('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}

// Long enough for the browser to have begun.
const KEPT_MS = 60_000;
