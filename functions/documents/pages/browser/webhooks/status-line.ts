import { ConnectionLost, RequestRefused } from '../../../../../shared/ui/browser/api.ts';
import { part } from '../../../../../shared/ui/browser/element.ts';
import type { WebhooksWords } from '../../webhooks/words.ts';
import type { Locale } from './delivery-parts.ts';

/** Says what happened, where the reader is: a dialog that is open covers the rest of the page. */
export function showStatus(text: string, kind: 'news' | 'problem' = 'news'): void {
  const inDialog = part('delivery', HTMLDialogElement).open;
  const place = part(inDialog ? 'delivery-told' : 'told', HTMLElement);
  place.textContent = text;
  place.className = kind === 'problem' ? 'told problem' : 'told';
}

// Some work begins other work: the page is busy until the last of it is done.
let underWay = 0;

function count(change: 1 | -1): void {
  underWay += change;
  document.body.setAttribute('aria-busy', String(underWay > 0));
}

/** Works while the button cannot be pressed a second time. A failure is told in words. */
export async function runBusy(
  { words }: Locale,
  button: HTMLButtonElement | undefined,
  work: () => Promise<void>,
): Promise<void> {
  if (button?.disabled) return;
  if (button) button.disabled = true;
  count(1);
  try {
    await work();
  } catch (error) {
    showStatus(problemText(error, words), 'problem');
  } finally {
    count(-1);
    if (button) button.disabled = false;
  }
}

/** Any failure in words. */
export function problemText(error: unknown, words: WebhooksWords): string {
  if (error instanceof ConnectionLost) return words.unreachable;
  if (!(error instanceof RequestRefused)) return words.failed(error instanceof Error ? error.name : 'Error');
  const known: Readonly<Record<string, string>> = {
    Unauthorized: words.keyRefused,
    OrganizationNotFound: words.organizationUnknown,
    OperationNotSupportedInPersonalOrganizations: words.personal,
    WebhookNotFound: words.webhookGone,
    DeliveryNotFinished: words.notFinished,
    EventNotKept: words.eventGone,
  };
  return known[error.code] ?? words.failed(error.details.correlationId ?? error.code);
}
