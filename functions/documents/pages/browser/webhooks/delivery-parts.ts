import { element } from '../../../../../shared/ui/browser/element.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import { formatTime } from '../../../../../shared/ui/time.ts';
import type { WebhooksWords } from '../../webhooks/words.ts';
import type { Attempt, Delivery, State } from './deliveries-api.ts';

export type Locale = { readonly words: WebhooksWords; readonly language: Language };

/** A state by name and color. */
export const stateBadge = (state: State, { words }: Locale): HTMLElement =>
  element('span', { className: `badge ${state.toLowerCase()}` }, words[state]);

/** The outcome of an attempt in a few words. */
export const outcomeText = ({ status, error }: Attempt): string =>
  [status === null ? undefined : `HTTP ${status}`, error ?? undefined].filter(Boolean).join(': ');

/** One delivery as a row of the table; its event's name opens it. */
export function deliveryRow(delivery: Delivery, locale: Locale, open: () => void): HTMLTableRowElement {
  const { words, language } = locale;
  const { type, state, attemptCount, createdDate, lastAttempt, nextAttemptDate } = delivery;
  // On a narrow screen the cells are stacked, each with its heading.
  const cell = (label: string, ...children: (Node | string)[]) =>
    element('td', { with: { 'data-label': label } }, ...children);
  const name = element(
    'button',
    {
      type: 'button',
      className: 'link',
      onclick: open,
      with: { 'aria-haspopup': 'dialog', 'aria-label': words.details(type) },
    },
    type,
  );
  return element(
    'tr',
    { id: `delivery-${delivery.id}` },
    element('th', { scope: 'row' }, name),
    cell(words.state, stateBadge(state, locale)),
    cell(words.created, timeElement(createdDate, language)),
    cell(words.attempts, String(attemptCount)),
    cell(words.lastAnswer, lastAttempt ? outcomeText(lastAttempt) : words.notYet),
    cell(words.nextAttempt, nextAttemptDate === null ? '–' : timeElement(nextAttemptDate, language)),
  );
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A time, with its distance from now. */
export function timeElement(date: string, language: Language, nowMs = Date.now()): HTMLTimeElement {
  const atMs = Date.parse(date);
  return element(
    'time',
    { dateTime: date },
    formatTime(language, atMs, { time: 'medium' }),
    ' ',
    element('small', {}, `(${distance(atMs - nowMs, language)})`),
  );
}

function distance(ms: number, language: Language): string {
  const [unit, size] = UNITS.find(([, length]) => Math.abs(ms) >= length) ?? ['second', 1_000];
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.trunc(ms / size), unit);
}

/** The duration of an attempt. */
export function formatDuration(ms: number, language: Language): string {
  const [value, unit] = ms < 1_000 ? [ms, 'millisecond'] : [ms / 1_000, 'second'];
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: String(unit),
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(Number(value));
}
