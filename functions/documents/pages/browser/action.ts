import { type Api, apiAt, bytesAt, RequestRefused } from '../../../../shared/ui/browser/api.ts';
import { language } from '../../../../shared/ui/browser/page-language.ts';
import { mountReaders } from '../../../../shared/ui/browser/reader/mount.ts';
import {
  type ActionForm,
  createActionForm,
  find,
  onSubmit,
} from '../../../../shared/ui/browser/signing/action-form.ts';
import {
  showChosenCertificate,
  signWithCertificate,
} from '../../../../shared/ui/browser/signing/certificate-input.ts';
import { InputProblem, problemOf } from '../../../../shared/ui/browser/signing/problems.ts';
import { mountWays } from '../../../../shared/ui/browser/signing/ways/ways.ts';
import type { Way } from '../../../../shared/ways/contract.ts';
import { mountElectronic } from './action/electronic.ts';
import { listenForEmbedder, tellFailure, tellOutcome } from './action/embedding.ts';
import { type JustSigned, showOthers } from './action/others.ts';
import { signDocument } from './action/sign-document.ts';
import { forgetTogether, mountTogether } from './action/together.ts';
import { actingWords, refusalProblem } from './action/words.ts';

const words = actingWords(language);

// The signature that this page made, while it is open.
let justSigned: JustSigned | undefined;

/** Connects the controls of the rendered page. After an act the server renders it again. */
function wire(main: HTMLElement): void {
  mountReaders(main);
  tellOutcome(main);
  showChosenCertificate(main);
  const { api: root = '', ticket = '', action = '', content = '', open } = main.dataset;
  if (open !== 'true') return;
  const api = apiAt(root);
  const dialog = find(main, '#refuse', HTMLDialogElement);
  const refusal = createActionForm(find(dialog, 'form', HTMLFormElement));
  const sign = main.querySelector<HTMLFormElement>('#sign');
  const approve = main.querySelector<HTMLFormElement>('#approve');
  if (sign) {
    const signing = createActionForm(sign);
    const together = mountTogether(sign, root);
    const signWithFile = (form: ActionForm) =>
      signWithCertificate(form, async (identity, steps) => {
        const proof = await signDocument({
          ...{ api, ticket, identity, actionId: action, readDocument: () => bytesAt(content) },
          onStep: (step) => form.showProgress(steps[step]),
        });
        justSigned = { proof, identity, chosen: together.chosen() };
        forgetTogether();
      });
    // With a token all of them were signed at once; in the cloud the others follow one by one.
    const onSigned = (proof: string, way: Way) => {
      justSigned = { proof, chosen: way === 'cloud' ? together.chosen() : [] };
      forgetTogether();
    };
    const linksOfOthers = () => together.chosen().map(({ key, ticket }) => ({ key, ticket }));
    const post = <T>(path: string, body: object = {}) =>
      api<T>(path, { ticket, ...body, ...(path !== 'certificate' && { others: linksOfOthers() }) });
    onAct(
      signing,
      mountWays(signing, { post, toSign: () => ({}), onSigned, signWithFile, label: together.label }),
    );
    refreshOnReturn();
  }
  if (approve)
    onAct(createActionForm(approve), async (form) => {
      form.showProgress(words.approving);
      await api('approval', { ticket });
    });
  onAct(refusal, (form) => refuseWith(form, api, ticket));
  mountElectronic(main, replaceBy);
  const refuse = find(main, '#refuse-open', HTMLButtonElement);
  refuse.disabled = false;
  refuse.addEventListener('click', () => dialog.showModal());
  find(main, '#refuse-close', HTMLButtonElement).addEventListener('click', () => dialog.close());
}

// In a frame, people sign with a cloud certificate in another window, and come back to this one.
function refreshOnReturn(): void {
  if (window.top === window) return;
  document.addEventListener('visibilitychange', () => void (document.hidden || refreshIfDone()));
  window.addEventListener('focus', () => void refreshIfDone());
}

async function refuseWith(form: ActionForm, api: Api, ticket: string): Promise<void> {
  const reason = find(form.form, '#reason', HTMLTextAreaElement).value.trim();
  if (reason === '') throw new InputProblem(words.giveReason, 'reason');
  form.showProgress(words.refusing);
  await api('refusal', { ticket, reason });
}

function onAct(acting: ActionForm, act: (form: ActionForm) => Promise<void>): void {
  const actAndShow = async () => {
    await act(acting);
    if (!(await refreshIfDone())) acting.finish(words.done);
  };
  onSubmit(acting, actAndShow, (error) => settle(acting, error));
}

// A failure may hide a completed act: a lost response, or the same page in another window, which has used up the
// permission of a provider, say. If the server's page has nothing left to do, it replaces this one.
async function settle(acting: ActionForm, error: unknown): Promise<void> {
  const isMistyped = error instanceof InputProblem && error.about !== undefined;
  if (!isMistyped && (await refreshIfDone())) return;
  tellFailure(error instanceof RequestRefused ? error.code : error instanceof Error ? error.name : 'unknown');
  acting.showProblem(problemOf(error, refusalProblem));
}

/** Replaces the page by the server's, if that has nothing left to do. */
async function refreshIfDone(): Promise<boolean> {
  try {
    const response = await fetch(location.href);
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main');
    if (!response.ok || !fresh || fresh.dataset.open === 'true') return false;
    replaceBy(document.adoptNode(fresh));
    return true;
  } catch {
    return false; // Offline: the caller shows what it knows.
  }
}

function replaceBy(fresh: HTMLElement): void {
  document.querySelector('main')?.replaceWith(fresh);
  wire(fresh);
  fresh.querySelector<HTMLElement>('h2[tabindex], .problem[role=alert]:not([hidden])')?.focus();
  void offerOthers(fresh);
}

/** After a signature: what else waits for the same person. It is a help, so that its failure is not told. */
async function offerOthers(main: HTMLElement): Promise<void> {
  const { api: root = '', ticket = '' } = main.dataset;
  const aside = main.querySelector('.aside');
  if (!justSigned || !aside) return;
  await showOthers(aside, { api: apiAt(root), root, ticket }, justSigned).catch(() => undefined);
}

const opened = find(document, 'main', HTMLElement);
listenForEmbedder(opened);
wire(opened);
