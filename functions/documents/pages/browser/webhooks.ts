import { element, part } from '../../../../shared/ui/browser/element.ts';
import { language } from '../../../../shared/ui/browser/page-language.ts';
import { webhooksWords } from '../webhooks/words.ts';
import { type Access, type DeliveriesApi, deliveriesApi, type Webhook } from './webhooks/deliveries-api.ts';
import { showDeliveries } from './webhooks/deliveries-view.ts';
import { runBusy, showStatus } from './webhooks/status-line.ts';

const words = webhooksWords(language);
const locale = { words, language };

const form = part('connect', HTMLFormElement);
const keyInput = part('key', HTMLInputElement);
const organizationInput = part('organization-id', HTMLInputElement);
const opened = part('opened', HTMLElement);

// Session storage: deleted with the tab, never sent, and not shared with other tabs.
const NAME = 'sinete-webhooks';

const storeAccess = (access: Access): void => sessionStorage.setItem(NAME, JSON.stringify(access));
const forgetAccess = (): void => sessionStorage.removeItem(NAME);

function readAccess(): Access | undefined {
  try {
    const { key, organizationId } = JSON.parse(sessionStorage.getItem(NAME) ?? '{}');
    return typeof key === 'string' && typeof organizationId === 'string'
      ? { key, organizationId }
      : undefined;
  } catch {
    return undefined;
  }
}

const connect = (access: Access): Promise<void> =>
  runBusy(locale, part('open', HTMLButtonElement), async () => {
    showStatus(words.loading);
    const api = deliveriesApi(access);
    const { name, id, identifier, webhooks } = await api.organization();
    storeAccess(access);
    keyInput.value = '';
    showStatus('');
    part('organization-name', HTMLElement).textContent = name;
    part('organization-facts', HTMLElement).textContent =
      identifier === null ? id : `${id} · CNPJ ${identifier}`;
    form.hidden = true;
    opened.hidden = false;
    showWebhooks(api, webhooks, identifier === null ? words.personal : words.noWebhooks);
  });

function showWebhooks(api: DeliveriesApi, webhooks: readonly Webhook[], none: string): void {
  const buttons = webhooks.map((webhook) => {
    const choose = (): void => {
      for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
      showDeliveries(api, webhook.id, locale);
    };
    const button = element(
      'button',
      { type: 'button', className: 'webhook', onclick: choose, with: { 'aria-pressed': 'false' } },
      element('span', { className: 'address' }, webhook.url),
      element('span', { className: 'badge' }, webhook.authType),
    );
    return button;
  });
  part('webhooks', HTMLElement).replaceChildren(...buttons.map((button) => element('li', {}, button)));
  const empty = part('webhooks-none', HTMLElement);
  empty.textContent = none;
  empty.hidden = buttons.length > 0;
  part('deliveries', HTMLElement).hidden = buttons.length === 0;
  buttons[0]?.click();
}

// A reload leaves nothing on the page that was read with the key.
function forget(): void {
  forgetAccess();
  location.reload();
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  connect({ key: keyInput.value.trim(), organizationId: organizationInput.value.trim() });
});
part('forget', HTMLButtonElement).onclick = forget;
part('delivery-close', HTMLButtonElement).onclick = () => part('delivery', HTMLDialogElement).close();
form.hidden = false;

const stored = readAccess();
if (stored) {
  organizationInput.value = stored.organizationId;
  connect(stored);
}
