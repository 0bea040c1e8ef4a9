import { RequestRefused } from '../../../../../shared/ui/browser/api.ts';
import { language } from '../../../../../shared/ui/browser/page-language.ts';
import {
  type ActionForm,
  createActionForm,
  find,
  onSubmit,
} from '../../../../../shared/ui/browser/signing/action-form.ts';
import {
  showChosenCertificate,
  signWithCertificate,
} from '../../../../../shared/ui/browser/signing/certificate-input.ts';
import { meaningBy, type Problem, problemOf } from '../../../../../shared/ui/browser/signing/problems.ts';
import { mountWays } from '../../../../../shared/ui/browser/signing/ways/ways.ts';
import { formatSize } from '../../../../../shared/ui/numbers.ts';
import { bringFile } from './signature-session/own-files.ts';
import {
  type Document,
  returnAddress,
  type Session,
  type Status,
  sessionApi,
} from './signature-session/session.ts';
import { DocumentsChanged, signAll } from './signature-session/sign-all.ts';
import { type Closed, type Saved, sessionView } from './signature-session/view.ts';
import { refusalWords, sessionWords } from './signature-session/words.ts';

const words = sessionWords(language);
const main = find(document, 'main', HTMLElement);
const view = sessionView(main, language);
const session = sessionApi(main.dataset.api ?? '', location.hash.slice(1));

// What the person has before them.
let shown: readonly Document[] = [];

/**
 * Shows the session as the server has it, and says whether it waits for the person. Whoever acted here is sent back
 * once it has ended, or need not wait for it.
 */
async function show(current: Session, isActed: boolean): Promise<boolean> {
  const { status, documents, takesFiles } = current;
  if (status === 'Processing' && !current.enableBackgroundProcessing) {
    view.waiting(words.making);
    return show(await session.ended(), isActed);
  }
  if (status !== 'Pending') leave(current, status, isActed);
  else if (documents.length === 0 && !takesFiles) view.closed('empty', returnAddress(current));
  else {
    shown = documents;
    view.open(current, session, () => void refresh(false));
    return true;
  }
  return false;
}

/** Sends the person back, or closes the tab that the page has to itself, unless they have files to keep first. */
function leave(current: Session, status: Exclude<Status, 'Pending'>, isActed: boolean): void {
  const returnTo = returnAddress(current);
  const kept = returnTo === undefined || current.takesFiles ? filesToKeep(current) : [];
  view.closed(status, returnTo, kept);
  if (!isActed || kept.length > 0) return;
  if (returnTo !== undefined) location.assign(returnTo);
  // A browser closes only what a page has opened. In any other tab the person reads that they are done.
  else window.close();
}

const filesToKeep = ({ documents, disableDownloads }: Session): Saved[] =>
  disableDownloads
    ? []
    : documents.flatMap((each) =>
        each.signedFile ? [{ name: each.signedFile.name, read: () => session.content(each, 'Signed') }] : [],
      );

const DEAD: Readonly<Record<string, Closed>> = {
  ExpiredSignatureSessionToken: 'Expired',
  BadSignatureSessionToken: 'unknown',
  SignatureSessionNotFound: 'unknown',
  Unauthorized: 'unknown',
  InvalidRequest: 'unknown',
};

/** Shows the session as it stands now; what cannot be read is told. */
async function refresh(isActed: boolean): Promise<boolean> {
  try {
    return await show(await session.read(), isActed);
  } catch (error) {
    view.closed((error instanceof RequestRefused && DEAD[error.code]) || 'lost');
    return false;
  }
}

const signing = (form: ActionForm): Promise<void> =>
  signWithCertificate(form, (identity, steps) =>
    signAll(session, identity, shown, ({ name }, step) =>
      form.showProgress(words.signingOf(name, steps[step])),
    ),
  );

async function cancelling(form: ActionForm): Promise<void> {
  form.showProgress(words.cancelling);
  await session.cancel();
  dialog.close();
}

const meaningByCode = meaningBy(refusalWords(language), [
  'CertificateMismatch',
  'PKCertificateMalformed',
  'UnsupportedSignatureAlgorithm',
]);

function meaningOf({ code, details }: RequestRefused): Problem | undefined {
  if (details.requirement === 'CryptoDevice') return meaningByCode({ code: details.requirement });
  if (code === 'FileRejected') return { text: words.rejected(details.reason ?? ''), reasons: [] };
  if (details.limitBytes !== undefined)
    return { text: words.tooLarge(formatSize(language, Number(details.limitBytes))), reasons: [] };
  return meaningByCode({ code });
}

// A refusal of this kind means that the session moved on, in another window or by time: the page then shows where to.
const MOVED_ON = new Set([
  'BadSignatureSessionOperation',
  'BackgroundProcessing',
  'ExpiredSignatureSessionToken',
  'BadSignatureSessionToken',
  'SignatureSessionNotFound',
]);

const hasMovedOn = (error: unknown): boolean =>
  error instanceof DocumentsChanged || (error instanceof RequestRefused && MOVED_ON.has(error.code));

// The session still waits, and not for what was on the page before.
const CHANGED: Problem = { text: words.changed, reasons: [] };

function onAct(acting: ActionForm, act: (form: ActionForm) => Promise<void>): void {
  const actAndShow = async () => {
    await act(acting);
    if (await refresh(true)) acting.showProblem(CHANGED);
  };
  onSubmit(acting, actAndShow, async (error) => {
    if (!hasMovedOn(error)) return acting.showProblem(problemOf(error, meaningOf));
    dialog.close();
    if (await refresh(false)) acting.showProblem(CHANGED);
  });
}

// The token is behind the `#`, which a link to the same page in another language lacks.
for (const link of document.querySelectorAll<HTMLAnchorElement>('.languages a')) link.hash = location.hash;
// Nor does a browser load the page again for another token at the same address, such as that of a link cut short before.
addEventListener('hashchange', () => location.reload());

/** Brings the chosen files, one after the other. What was brought before one that is refused stays. */
async function bringing(form: ActionForm): Promise<void> {
  const input = find(form.form, 'input', HTMLInputElement);
  const chosen = [...(input.files ?? [])];
  input.value = '';
  for (const file of chosen)
    await bringFile(session, file, (percent) => form.showProgress(words.uploading(file.name, percent)));
  await refresh(false);
  form.enable();
}

function mountOwnFiles(form: ActionForm): void {
  find(form.form, 'input', HTMLInputElement).addEventListener('change', () => form.form.requestSubmit());
  onSubmit(form, bringing, async (error) => {
    await refresh(false);
    form.showProblem(hasMovedOn(error) ? CHANGED : problemOf(error, meaningOf));
  });
}

const dialog = find(main, '#cancel', HTMLDialogElement);
showChosenCertificate(find(main, '#sign', HTMLFormElement));
view.waiting(words.loading);
await refresh(false);
const form = createActionForm(find(main, '#sign', HTMLFormElement));
const toSign = () => ({ documentIds: shown.map(({ documentId }) => documentId) });
onAct(
  form,
  mountWays(form, { post: (path, body = {}) => session.post(path, body), toSign, signWithFile: signing }),
);
mountOwnFiles(createActionForm(find(main, '#own', HTMLFormElement)));
onAct(createActionForm(find(dialog, 'form', HTMLFormElement)), cancelling);
find(main, '#cancel-open', HTMLButtonElement).addEventListener('click', () => dialog.showModal());
find(main, '#cancel-close', HTMLButtonElement).addEventListener('click', () => dialog.close());
