import { html } from 'hono/html';
import { check, clock, cross } from '../../../../shared/ui/icons.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import type { ActionDetails } from '../../contract/signing.ts';
import { actionWords } from './words.ts';

type Participant = ActionDetails['participants'][number];

const ICONS = { Created: clock, Pending: clock, Completed: check, Refused: cross, NotNeeded: check } as const;

/** All participants with their status. Steps are shown where there are several. */
export function participants({ participants: everybody }: ActionDetails, language: Language): Markup {
  const words = actionWords(language);
  const hasSteps = new Set(everybody.map(({ step }) => step)).size > 1;
  return html`<section class="card" aria-labelledby="participants">
<h2 id="participants">${words.participants}</h2>
<ol class="participants">
${everybody.map(
  (one) => html`<li class="${one.status.toLowerCase()}">
<span class="mark">${ICONS[one.status]}</span>
<span><span class="who">${one.name}</span>
<span class="faint">${[statusOf(one, language), ...(hasSteps ? [words.step(one.step)] : [])].join(' · ')}</span></span>
</li>`,
)}
</ol>
</section>`;
}

function statusOf({ kind, status }: Participant, language: Language): string {
  const words = actionWords(language);
  const isSignature = kind === 'signature';
  const texts = {
    Created: words.waits,
    Pending: isSignature ? words.signaturePending : words.approvalPending,
    Completed: isSignature ? words.signed : words.approved,
    Refused: words.refused,
    NotNeeded: words.notNeeded,
  };
  return texts[status];
}
