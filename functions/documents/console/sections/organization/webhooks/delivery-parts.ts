import { html } from 'hono/html';
import type { Language } from '../../../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../../../shared/ui/page.ts';
import { badge, givenText } from '../../../../../../shared/ui/parts.ts';
import { type DeliveryState, deliveryStates } from '../../../../../../shared/webhooks/deliveries/delivery.ts';
import { stateWords, webhookWords } from './webhook-words.ts';

const TONES = { Pending: 'warn', Confirmed: 'good', Exhausted: 'bad' } as const;

export const stateBadge = (language: Language, state: DeliveryState): Markup =>
  badge(stateWords(language)[state], TONES[state]);

/** What an attempt came to: the status that the receiver answered, or why there was none. */
export const outcomeOf = (attempt: {
  readonly status: number | null;
  readonly error: string | null;
}): Markup =>
  html`${attempt.status === null ? '' : `HTTP ${attempt.status}`}${attempt.error === null ? '' : html` ${givenText(attempt.error)}`}`;

/** Sends a delivery that has ended once more. `at` is the address of its webhook. */
export const replayForm = (
  language: Language,
  at: string,
  { id, state }: { readonly id: string; readonly state: DeliveryState },
): Markup | '' =>
  deliveryStates.accepts(state, 'replayed')
    ? html`<form method="post" action="${at}/replay/${id}"><button class="button quiet">${webhookWords(language).replay}</button></form>`
    : '';
