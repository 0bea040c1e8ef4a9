import { html } from 'hono/html';
import { check, clock, cross } from '../../../../shared/ui/icons.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import type { Details } from './page.ts';
import { actionWords } from './words.ts';

type Closed = {
  readonly icon: Markup;
  readonly look: 'good' | 'bad' | 'calm';
  readonly title: string;
  readonly text: string;
};

/** Why there is nothing to do, and the file to take home. */
export function closedPanel(details: Details, address: string, language: Language): Markup {
  const { icon, look, title, text } = closed(details, language);
  const words = actionWords(language);
  const [link, wanted] = details.hasSignature
    ? [words.downloadSigned, `${address}&type=Signatures`]
    : [words.downloadDocument, address];
  return html`<section class="card closed ${look}" aria-labelledby="closed">
<span class="badge">${icon}</span>
<h2 id="closed" tabindex="-1">${title}</h2>
<p class="faint">${text}</p>
<a class="button quiet wide" href="${wanted}" download>${link}</a>
</section>`;
}

function closed({ action, status }: Details, language: Language): Closed {
  const words = actionWords(language);
  const isOver = status === 'FlowConcluded' || status === 'Concluded';
  if (action.status === 'Completed') {
    const title = action.kind === 'signature' ? words.doneSignature : words.doneApproval;
    const text = isOver ? words.allDone : status === 'Pending' ? words.othersFollow : ends(status, language);
    return { icon: check, look: 'good', title, text };
  }
  if (action.status === 'NotNeeded')
    return { icon: check, look: 'calm', title: words.notNeededTitle, text: words.nothingToDo };
  if (action.status === 'Refused')
    return { icon: cross, look: 'bad', title: words.doneRefusal, text: words.refusalTold };
  if (isOver) return { icon: check, look: 'good', title: words.isComplete, text: words.nothingToDo };
  if (status !== 'Pending')
    return { icon: cross, look: 'bad', title: ends(status, language), text: words.nothingToDo };
  return { icon: clock, look: 'calm', title: words.notYet, text: words.notYetHint };
}

function ends(status: Details['status'], language: Language): string {
  const words = actionWords(language);
  const texts = { Refused: words.isRefused, Canceled: words.isCanceled, Expired: words.isExpired };
  return texts[status as keyof typeof texts] ?? words.isComplete;
}
