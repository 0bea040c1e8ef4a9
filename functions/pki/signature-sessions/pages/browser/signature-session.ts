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
import { type Document, returnAddress, type Session, sessionApi } from './signature-session/session.ts';
import { DocumentsChanged, signAll } from './signature-session/sign-all.ts';
import { type Closed, sessionView } from './signature-session/view.ts';
import { refusalWords, sessionWords } from './signature-session/words.ts';

const words = sessionWords(language);
const main = find(document, 'main', HTMLElement);
const view = sessionView(main, language);
const session = sessionApi(main.dataset.api ?? '', location.hash.slice(1));

// What the person has before them.
let shown: readonly Document[] = [];

/**
 * Shows the session as the server has it, and says whether it waits for the person. Whoever acted here is sent back
 * once it has ended.
 */
async function show(current: Session, isActed: boolean): Promise<boolean> {
  const { status, documents } = current;
  if (status === 'Processing') {
    view.waiting(words.making);
    return show(await session.ended(), isActed);
  }
  if (status !== 'Pending') {
    const returnTo = returnAddress(current);
    view.closed(status, returnTo);
    if (isActed && returnTo !== undefined) location.assign(returnTo);
  } else if (documents.length === 0) view.closed('empty', returnAddress(current));
  else {
    shown = documents;
    view.open(current, session);
    return true;
  }
  return false;
}

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

const meaningOf = meaningBy(refusalWords(language), [
  'CertificateMismatch',
  'PKCertificateMalformed',
  'UnsupportedSignatureAlgorithm',
]);

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

const dialog = find(main, '#cancel', HTMLDialogElement);
showChosenCertificate(main);
view.waiting(words.loading);
await refresh(false);
const form = createActionForm(find(main, '#sign', HTMLFormElement));
const toSign = () => ({ documentIds: shown.map(({ documentId }) => documentId) });
onAct(
  form,
  mountWays(form, { post: (path, body = {}) => session.post(path, body), toSign, signWithFile: signing }),
);
onAct(createActionForm(find(dialog, 'form', HTMLFormElement)), cancelling);
find(main, '#cancel-open', HTMLButtonElement).addEventListener('click', () => dialog.showModal());
find(main, '#cancel-close', HTMLButtonElement).addEventListener('click', () => dialog.close());
