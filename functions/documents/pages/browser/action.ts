import {
  type Api,
  apiAt,
  bytesAt,
  ConnectionLost,
  RequestRefused,
} from '../../../../shared/ui/browser/api.ts';
import {
  type ActionForm,
  createActionForm,
  find,
} from '../../../../shared/ui/browser/signing/action-form.ts';
import {
  forgetPassword,
  holderOf,
  openChosenCertificate,
  showChosenCertificate,
} from '../../../../shared/ui/browser/signing/certificate-input.ts';
import { InputProblem, problemOf } from '../../../../shared/ui/browser/signing/problems.ts';
import { signingWords } from '../../../../shared/ui/browser/signing/words.ts';
import { LANGUAGES, type Language } from '../../../../shared/ui/languages.ts';
import { unwrapViewer } from './action/adapt.ts';
import { meaningIn } from './action/problems.ts';
import { signDocument } from './action/sign-document.ts';
import { actingWords } from './action/words.ts';

const language: Language = LANGUAGES.find((each) => each === document.documentElement.lang) ?? 'en';
const words = actingWords(language);

/** Makes what the server rendered act. After an act the server renders it again. */
function wire(main: HTMLElement): void {
  unwrapViewer(main);
  showChosenCertificate(main);
  const { api: root = '', ticket = '', action = '', content = '', open } = main.dataset;
  if (open !== 'true') return;
  const api = apiAt(root);
  const dialog = find(main, '#refuse', HTMLDialogElement);
  const refusal = createActionForm(find(dialog, 'form', HTMLFormElement));
  const sign = main.querySelector<HTMLFormElement>('#sign');
  const approve = main.querySelector<HTMLFormElement>('#approve');
  if (sign)
    onSubmit(createActionForm(sign), (form) =>
      signing(form, { api, ticket, actionId: action, readDocument: () => bytesAt(content) }),
    );
  if (approve)
    onSubmit(createActionForm(approve), async (form) => {
      form.showProgress(words.approving);
      await api('approval', { ticket });
    });
  onSubmit(refusal, (form) => refusing(form, api, ticket));
  find(main, '#refuse-open', HTMLButtonElement).addEventListener('click', () => dialog.showModal());
  find(main, '#refuse-close', HTMLButtonElement).addEventListener('click', () => dialog.close());
}

type Signing = Parameters<typeof signDocument>[0];

async function signing(form: ActionForm, about: Omit<Signing, 'identity' | 'onStep'>): Promise<void> {
  const identity = await openChosenCertificate(form, language);
  const said = signingWords(language);
  const steps = { ...said, preparing: said.preparing(holderOf(identity)) };
  await signDocument({ ...about, identity, onStep: (step) => form.showProgress(steps[step]) });
  forgetPassword(form);
}

async function refusing(form: ActionForm, api: Api, ticket: string): Promise<void> {
  const reason = find(form.form, '#reason', HTMLTextAreaElement).value.trim();
  if (reason === '') throw new InputProblem(words.giveReason, 'reason');
  form.showProgress(words.refusing);
  await api('refusal', { ticket, reason });
}

// One act at a time on the page: a second click, or a refusal while a signature is on its way, finds it busy.
let isBusy = false;

function onSubmit(acting: ActionForm, act: (form: ActionForm) => Promise<void>): void {
  acting.form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    try {
      await act(acting);
      if (!(await refreshed())) acting.finish(words.done);
    } catch (error) {
      await settle(acting, error);
    } finally {
      isBusy = false;
    }
  });
  acting.enable();
}

// A failure may hide that the act was done: an answer that got lost, or the same page in another window. The server's
// page tells: where there is nothing left to do, it takes this one's place.
async function settle(acting: ActionForm, error: unknown): Promise<void> {
  const mayBeDone = error instanceof ConnectionLost || error instanceof RequestRefused;
  if (!(mayBeDone && (await refreshed())))
    acting.showProblem(problemOf(error, language, meaningIn(language)));
}

/** Shows the page as the server has it, if there is nothing left to do on it. */
async function refreshed(): Promise<boolean> {
  try {
    const answer = await fetch(location.href);
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
    if (!answer.ok || !fresh || fresh.dataset.open === 'true') return false;
    document.querySelector('main')?.replaceWith(document.adoptNode(fresh));
    wire(fresh);
    fresh.querySelector<HTMLElement>('h2[tabindex]')?.focus();
    return true;
  } catch {
    return false; // offline: what is known is told without it
  }
}

wire(find(document, 'main', HTMLElement));
