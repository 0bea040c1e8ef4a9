import { ConnectionLost, RequestRefused } from '../../../../../shared/ui/browser/api.ts';
import { part } from '../../../../../shared/ui/browser/element.ts';
import type { WebhooksWords } from '../../webhooks/words.ts';
import type { Locale } from './delivery-parts.ts';

/** Shows a message where the reader sees it: an open dialog covers the rest of the page. */
export function showStatus(text: string, kind: 'news' | 'problem' = 'news'): void {
  const inDialog = part('delivery', HTMLDialogElement).open;
  const line = part(inDialog ? 'delivery-status-line' : 'status-line', HTMLElement);
  line.textContent = text;
  line.className = kind === 'problem' ? 'status-line problem' : 'status-line';
}

// Work may start other work. The page is busy until the last of it ends.
let running = 0;

function count(change: 1 | -1): void {
  running += change;
  document.body.setAttribute('aria-busy', String(running > 0));
}

/** Runs work with the button disabled. A failure is shown as a message. */
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

/** Any failure, for people. */
function problemText(error: unknown, words: WebhooksWords): string {
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
