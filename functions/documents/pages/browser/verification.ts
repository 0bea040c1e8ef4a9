import { element, part } from '../../../../shared/ui/browser/element.ts';
import { language } from '../../../../shared/ui/browser/page-language.ts';
import { pdfToolsOf } from '../../../../shared/ui/browser/reader/source.ts';
import { verificationWords } from '../verification/words.ts';
import { wireCodeForm } from './verification/by-code.ts';
import { readButton } from './verification/read-file.ts';
import type { ShownReport } from './verification/report.ts';
import { banner, lacksContent, reportView } from './verification/report-view.ts';
import { problemText, sendFile } from './verification/send.ts';

const words = verificationWords(language);
const form = part('verify', HTMLFormElement);
const maxFileBytes = Number(form.dataset.maxBytes);
const tools = pdfToolsOf(form.dataset);
const input = part('files', HTMLInputElement);
const drop = part('drop', HTMLElement);
const statusLine = part('status-line', HTMLElement);
const results = part('results', HTMLElement);

const showStatus = (text: string): void => {
  statusLine.textContent = text;
};

/** Verifies files one after the other, and replaces earlier results. */
async function verifyAll(files: readonly File[]): Promise<void> {
  if (files.length === 0 || input.disabled || form.hidden) return;
  input.disabled = true;
  document.body.setAttribute('aria-busy', 'true');
  results.replaceChildren();
  for (const { file, content } of pairFiles(files)) results.append(await verifyOne(file, content));
  showStatus('');
  input.value = '';
  input.disabled = false;
  document.body.setAttribute('aria-busy', 'false');
  results.querySelector('h2')?.focus();
}

async function verifyOne(file: File, content?: File): Promise<HTMLElement> {
  showStatus(words.working(file.name));
  try {
    const report = await sendFile(file, content, maxFileBytes);
    const check = { name: file.name, sha256: await sha256Of(file), atMs: Date.now() };
    const view = reportView(report, check, language);
    const button = readButton({ file, content, format: report.format }, tools, language);
    if (button) view.firstElementChild?.after(button);
    return withContent(view, report, file);
  } catch (error) {
    const title = problemText(error, language, maxFileBytes);
    return element(
      'article',
      { className: 'result undetermined' },
      banner(file.name, { outcome: 'undetermined', title }),
    );
  }
}

/** The hash of a file, which says on paper what was checked; undefined on a host without TLS, where browsers have none. */
async function sha256Of(file: File): Promise<string | undefined> {
  const digest = await globalThis.crypto.subtle?.digest('SHA-256', await file.arrayBuffer());
  return digest && [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Asks for the content of a detached signature, and replaces the result by the new one. */
function withContent(view: HTMLElement, report: ShownReport, file: File): HTMLElement {
  // The content of a detached XML signature is not taken.
  if (!lacksContent(report) || report.format !== 'CAdES') return view;
  const chooser = element('input', { type: 'file', with: { 'aria-label': words.chooseContent } });
  chooser.addEventListener('change', async () => {
    const [content] = chooser.files ?? [];
    if (!content) return;
    const next = await verifyOne(file, content);
    view.replaceWith(next);
    showStatus('');
    next.querySelector('h2')?.focus();
  });
  view.firstElementChild?.after(
    element(
      'div',
      { className: 'card field' },
      element('p', {}, words.needsContent),
      element(
        'div',
        { className: 'chooser' },
        element('span', { className: 'button quiet', with: { 'aria-hidden': 'true' } }, words.chooseContent),
        chooser,
      ),
    ),
  );
  return view;
}

input.addEventListener('change', () => verifyAll([...(input.files ?? [])]));

// A file dropped outside of the box would replace the page.
for (const name of ['dragover', 'drop']) addEventListener(name, (event) => event.preventDefault());
drop.addEventListener('dragover', () => drop.classList.add('over'));
drop.addEventListener('dragleave', () => drop.classList.remove('over'));
addEventListener('drop', (event) => {
  drop.classList.remove('over');
  verifyAll([...(event.dataTransfer?.files ?? [])]);
});

/** A file to verify, and the content of a detached signature where it was chosen too. */
type Pair = { readonly file: File; readonly content?: File };

/** Pairs detached signatures with their content by name: contract.pdf.p7s with contract.pdf. @example pairFiles([...input.files]) */
function pairFiles(files: readonly File[]): Pair[] {
  const contents = new Set<File>();
  const pairs = files.map((file): Pair => {
    const name = file.name.replace(/\.p7s$/i, '');
    const content = name === file.name ? undefined : files.find((other) => other.name === name);
    if (!content) return { file };
    contents.add(content);
    return { file, content };
  });
  return pairs.filter(({ file }) => !contents.has(file));
}

// The forms are hidden where no script runs, and that of files where not anyone may verify them.
form.hidden = form.dataset.takesFiles !== 'true';
wireCodeForm({ showStatus, show: (view) => results.replaceChildren(view) });
