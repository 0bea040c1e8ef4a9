import { html } from 'hono/html';
import { check, clock, cross } from '../../../../shared/ui/icons.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import type { ActionDetails } from '../../contract/signing/action-details.ts';
import { closedWords } from './closed-words.ts';

type ClosedState = {
  readonly icon: Markup;
  readonly look: 'good' | 'bad' | 'calm';
  readonly title: string;
  /** What is so, and what happens next. */
  readonly texts: readonly string[];
};

type PanelAddresses = { readonly content: string; readonly verification: string };

/** The result of the person's action or why there is none, what happens next, the file and how it is verified. */
export function closedPanel(details: ActionDetails, addresses: PanelAddresses, language: Language): Markup {
  const { icon, look, title, texts } = closedStateOf(details, language);
  const words = closedWords(language);
  const code = details.verificationCode;
  return html`<section class="card closed ${look}" aria-labelledby="closed">
<span class="badge">${icon}</span>
<h2 id="closed" tabindex="-1">${title}</h2>
${texts.map((text) => html`<p class="faint">${text}</p>`)}
${
  code === null
    ? html`<a class="button quiet wide" href="${addresses.content}" download>${words.downloadDocument}</a>`
    : html`<a class="button wide" href="${addresses.content}&type=Signatures" download>${words.downloadSigned}</a>
<a class="button quiet wide" href="${addresses.verification}?code=${code}" target="_blank" rel="noopener">${words.verify}</a>
<p class="faint">${words.code} <code class="number">${code}</code></p>
<p class="faint">${words.codeHint}</p>`
}
</section>`;
}

function closedStateOf({ action, status }: ActionDetails, language: Language): ClosedState {
  const words = closedWords(language);
  const isComplete = status === 'FlowConcluded' || status === 'Concluded';
  if (action.status === 'Completed') {
    const title = action.kind === 'signature' ? words.doneSignature : words.doneApproval;
    if (isComplete) return { icon: check, look: 'good', title, texts: [words.allDone, words.keepFile] };
    if (status === 'Pending') return { icon: check, look: 'good', title, texts: [words.othersFollow] };
    return { icon: cross, look: 'bad', title, texts: [endingText(status, language), words.noEffect] };
  }
  if (action.status === 'Refused')
    return { icon: cross, look: 'bad', title: words.doneRefusal, texts: [words.refusalTold] };
  if (isComplete) return { icon: check, look: 'good', title: words.isComplete, texts: [words.nothingToDo] };
  if (status !== 'Pending')
    return {
      ...{ icon: cross, look: 'bad', title: endingText(status, language) },
      texts: [words.noEffect, words.nothingToDo],
    };
  if (action.status === 'NotNeeded')
    return { icon: check, look: 'calm', title: words.notNeededTitle, texts: [words.othersWereEnough] };
  return { icon: clock, look: 'calm', title: words.notYet, texts: [words.notYetHint] };
}

function endingText(status: ActionDetails['status'], language: Language): string {
  const words = closedWords(language);
  const texts = { Refused: words.isRefused, Canceled: words.isCanceled, Expired: words.isExpired };
  return texts[status as keyof typeof texts] ?? words.isComplete;
}
