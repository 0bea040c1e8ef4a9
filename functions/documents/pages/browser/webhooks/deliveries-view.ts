import { element, part } from '../../../../../shared/ui/browser/element.ts';
import { type DeliveriesApi, type Delivery, STATES, type State } from './deliveries-api.ts';
import { isOpen, showDelivery } from './delivery-dialog.ts';
import { deliveryRow, type Locale, outcomeText } from './delivery-parts.ts';
import { runBusy, showStatus } from './status-line.ts';

// A reachable receiver answers within seconds. After these polls the reader presses Refresh.
const MAX_POLLS = 10;
const POLL_EVERY_MS = 1_000;

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

// The view that the page shows. Responses to an earlier view are ignored.
let newestView = 0;

/** Shows the deliveries of one webhook with their actions. The view of another webhook replaces it. */
export function showDeliveries(api: DeliveriesApi, webhookId: string, locale: Locale): void {
  const { words } = locale;
  const rows = part('deliveries-rows', HTMLTableSectionElement);
  const more = part('deliveries-more', HTMLButtonElement);
  const shown = part('deliveries', HTMLElement);
  let state: State | undefined;
  let cursor: string | undefined;
  const me = ++newestView;
  const isShown = (): boolean => newestView === me;
  rows.replaceChildren();
  shown.hidden = false;

  // Of two requests the page shows the later one, in whichever order their responses come:
  //
  //   first    request --------------------- response: ignored
  //   second        request -- response: shown
  let turn = 0;

  async function load(from?: string): Promise<void> {
    const mine = ++turn;
    const page = await api.list(webhookId, state, from);
    if (mine !== turn || !isShown()) return;
    const made = page.items.map((delivery) => deliveryRow(delivery, locale, () => open(delivery)));
    if (from === undefined) rows.replaceChildren(...made);
    else rows.append(...made);
    cursor = page.nextCursor ?? undefined;
    more.hidden = cursor === undefined;
    part('deliveries-none', HTMLElement).hidden = rows.rows.length > 0;
    part('deliveries-table', HTMLElement).hidden = rows.rows.length === 0;
  }

  const open = (delivery: Pick<Delivery, 'id'>): Promise<void> =>
    runBusy(locale, undefined, async () => {
      const details = await api.read(webhookId, delivery.id);
      showDelivery(details, locale, () => replay(details));
    });

  const replay = (delivery: Delivery): Promise<void> =>
    runBusy(locale, part('delivery-replay', HTMLButtonElement), async () => {
      await api.replay(webhookId, delivery.id);
      showStatus(words.replayed);
      if (isOpen(delivery.id)) await open(delivery);
      await follow(delivery.id, delivery.attemptCount);
      if (isOpen(delivery.id)) await open(delivery);
    });

  /** Polls until the next attempt has ended, and shows its outcome. */
  async function follow(id: string, attemptsBefore: number): Promise<void> {
    await load();
    let seen: Delivery | undefined;
    for (let polls = 0; polls < MAX_POLLS && isShown(); polls++) {
      await pause(POLL_EVERY_MS);
      seen = await api.read(webhookId, id);
      if (seen.attemptCount > attemptsBefore) break;
    }
    await load();
    if (!isShown()) return;
    if (!seen?.lastAttempt || seen.attemptCount === attemptsBefore) return showStatus(words.notYetKnown);
    if (seen.state === 'Confirmed') return showStatus(words.arrived);
    showStatus(words.notArrived(outcomeText(seen.lastAttempt)), 'problem');
  }

  const filters = [undefined, ...STATES].map((each) => {
    const label = each === undefined ? words.all : words[each];
    const choose = (): void => {
      state = each;
      for (const other of filters) other.setAttribute('aria-pressed', String(other === button));
      runBusy(locale, undefined, load);
    };
    const pressed = { 'aria-pressed': String(each === undefined) };
    const button = element('button', { type: 'button', onclick: choose, with: pressed }, label);
    return button;
  });
  part('deliveries-filter', HTMLElement).replaceChildren(...filters);

  const press = (id: string, work: () => Promise<void>): void => {
    const button = part(id, HTMLButtonElement);
    button.onclick = () => runBusy(locale, button, work);
  };
  press('deliveries-refresh', load);
  press('deliveries-more', () => load(cursor));
  press('send-test', async () => {
    const { deliveryId } = await api.sendTest(webhookId);
    showStatus(words.testSent);
    await follow(deliveryId, 0);
  });
  press('replay-failed', async () => {
    const { replayed, more: others } = await api.replayFailed(webhookId);
    showStatus(others ? words.replayedMore(replayed) : words.replayedCount(replayed));
    await load();
  });
  runBusy(locale, undefined, load);
}
