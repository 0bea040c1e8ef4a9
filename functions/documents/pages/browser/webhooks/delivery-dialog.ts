import { element, part } from '../../../../../shared/ui/browser/element.ts';
import type { DeliveryDetails } from './deliveries-api.ts';
import { formatDuration, type Locale, outcomeText, stateBadge, timeElement } from './delivery-parts.ts';

// Ended deliveries can be sent again, as in the state table of deliveries.
const REPLAYABLE = new Set(['Confirmed', 'Exhausted']);

/** Shows one delivery: the body sent, and the response to each attempt. A second call updates it. */
export function showDelivery(delivery: DeliveryDetails, locale: Locale, replay: () => void): void {
  const { words } = locale;
  part('delivery-title', HTMLElement).replaceChildren(delivery.type, ' ', stateBadge(delivery.state, locale));
  part('delivery-facts', HTMLElement).replaceChildren(...facts(delivery, locale));
  part('delivery-attempts', HTMLElement).replaceChildren(...attempts(delivery, locale));
  part('delivery-body', HTMLElement).textContent =
    delivery.body === null ? words.notKept : indented(delivery.body);
  const button = part('delivery-replay', HTMLButtonElement);
  button.hidden = !REPLAYABLE.has(delivery.state);
  button.onclick = replay;
  const dialog = part('delivery', HTMLDialogElement);
  dialog.dataset.delivery = delivery.id;
  if (dialog.open) return;
  part('delivery-status-line', HTMLElement).textContent = '';
  dialog.showModal();
}

/** Whether the dialog still shows this delivery. */
export function isOpen(deliveryId: string): boolean {
  const { open, dataset } = part('delivery', HTMLDialogElement);
  return open && dataset.delivery === deliveryId;
}

function facts({ id, createdDate, attemptCount, nextAttemptDate }: DeliveryDetails, locale: Locale): Node[] {
  const { words, language } = locale;
  const fact = (name: string, ...value: (Node | string)[]): Node[] => [
    element('dt', {}, name),
    element('dd', {}, ...value),
  ];
  return [
    ...fact('webhook-id', element('code', {}, id)),
    ...fact(words.created, timeElement(createdDate, language)),
    ...fact(words.attempts, String(attemptCount)),
    ...(nextAttemptDate === null ? [] : fact(words.nextAttempt, timeElement(nextAttemptDate, language))),
  ];
}

function attempts({ attempts }: DeliveryDetails, { words, language }: Locale): Node[] {
  if (attempts.length === 0) return [element('li', {}, words.noAttempts)];
  return attempts.map((attempt) =>
    element(
      'li',
      {},
      element('strong', {}, words.attempt(attempt.number)),
      ' · ',
      timeElement(attempt.date, language),
      ` · ${formatDuration(attempt.durationMs, language)}`,
      element('p', {}, outcomeText(attempt)),
      attempt.response ? responseDetails(words.response, attempt.response) : undefined,
    ),
  );
}

const responseDetails = (title: string, text: string): HTMLElement =>
  element('details', {}, element('summary', {}, title), element('pre', { tabIndex: 0 }, text));

/** JSON with line breaks, for reading. Other text stays as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
