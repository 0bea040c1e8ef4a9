import { restoreSelection } from './selection.ts';

// An element with `data-live="5"` and an id is fetched again with its page every five seconds, and replaced where it has
// changed. What the person has checked, opened, chosen, typed or focused in it stays, and so does what they look at: elements are
// found again by their ids, wherever they have moved. One that comes without `data-live` is looked at no more. The page is
// that of the address, or of `data-address` where the page is the answer to a form. An element with `data-live-along` is
// replaced with them, and makes no page live by itself.

const DEFAULT_SECONDS = 5;
// A service that does not answer is asked less and less often.
const MAX_PAUSE_FACTOR = 12;

const partsAt = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)];
const liveParts = (): HTMLElement[] => partsAt('[data-live][id]');
const partsAlong = (): HTMLElement[] => partsAt('[data-live-along][id]');

/** Keeps the live parts of the page up to date while it is visible. */
export function keepLive(): void {
  let failures = 0;
  for (const part of [...liveParts(), ...partsAlong()]) sent.set(part, part.innerHTML);
  const wait = (): void => {
    const parts = liveParts();
    if (parts.length === 0) return;
    const seconds = Math.min(...parts.map(({ dataset }) => Number(dataset.live) || DEFAULT_SECONDS));
    setTimeout(look, seconds * 1_000 * Math.min(2 ** failures, MAX_PAUSE_FACTOR));
  };
  const look = async (): Promise<void> => {
    if (!document.hidden) {
      const outcome = await refresh(liveParts()).catch(() => 'failed' as const);
      if (outcome === 'ended') return showEnded();
      failures = outcome === 'failed' ? failures + 1 : 0;
      document.body.toggleAttribute('data-offline', failures > 1);
    }
    wait();
  };
  wait();
}

async function refresh(parts: readonly HTMLElement[]): Promise<'done' | 'ended' | 'failed'> {
  const address = parts.find(({ dataset }) => dataset.address)?.dataset.address ?? location.href;
  // A session that has ended leads to the login, which must not take the place of the page.
  const response = await fetch(address, { headers: { accept: 'text/html' }, redirect: 'manual' });
  if (response.type === 'opaqueredirect') return 'ended';
  if (!response.ok) return 'failed';
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const shown of [...parts, ...partsAlong()]) {
    const next = fresh.getElementById(shown.id);
    if (next) replace(shown, document.adoptNode(next));
  }
  return 'done';
}

/** The content of each part as the server sent it: what people do changes the attributes of what is shown. */
const sent = new WeakMap<HTMLElement, string>();

/** Replaces the content of an element, unless nothing has changed or somebody is typing in it. */
function replace(shown: HTMLElement, next: HTMLElement): void {
  const content = next.innerHTML;
  if ((sent.get(shown) ?? shown.innerHTML) === content) return;
  const active = document.activeElement;
  const focused = active instanceof HTMLElement && shown.contains(active) ? active : undefined;
  if (focused?.matches('input:not([type=checkbox]), textarea, select')) return;
  restoreSelection(shown, next);
  restoreFields(shown, next);
  const path = focused && pathTo(shown, focused);
  const place = (focused && placeOf(focused)) ?? firstVisible(shown);
  shown.replaceChildren(...next.childNodes);
  sent.set(shown, content);
  if (next.dataset.live === undefined) delete shown.dataset.live;
  if (path) elementAt(shown, path)?.focus({ preventScroll: true });
  if (place) scrollBackTo(place);
}

const TYPED = 'textarea[id], input[id]:not([type=hidden], [type=checkbox], [type=radio], [type=file])';
type Typed = HTMLTextAreaElement | HTMLInputElement;

/** Opens again what is open, types again what is typed, and chooses again what is chosen. */
function restoreFields(shown: HTMLElement, next: HTMLElement): void {
  for (const details of shown.querySelectorAll<HTMLDetailsElement>('details[open][id]')) {
    const same = find(next, details.id);
    if (same instanceof HTMLDetailsElement) same.open = true;
  }
  for (const field of shown.querySelectorAll<Typed>(TYPED)) {
    const same = find(next, field.id);
    if (same?.matches(TYPED) && field.value !== field.defaultValue) (same as Typed).value = field.value;
  }
  for (const field of shown.querySelectorAll<HTMLSelectElement>('select[id]')) {
    const same = find(next, field.id);
    if (same instanceof HTMLSelectElement && field.value !== firstValueOf(field)) choose(same, field.value);
  }
  for (const field of shown.querySelectorAll<HTMLInputElement>('input[type=file][id]')) {
    const same = find(next, field.id);
    if (same instanceof HTMLInputElement && same.type === 'file') same.files = field.files;
  }
}

/** The value of a list before anybody has chosen one. */
const firstValueOf = ({ options }: HTMLSelectElement): string | undefined =>
  ([...options].find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value;

/** What is no choice any more is not chosen. */
function choose({ options }: HTMLSelectElement, value: string): void {
  const option = [...options].find((each) => each.value === value);
  if (option) option.selected = true;
}

const find = (root: Element, id: string): Element | null => root.querySelector(`#${CSS.escape(id)}`);

type Place = { readonly id: string; readonly top: number };

/** Where an element with an id is on the screen. Undefined where it is not, or the page is not scrolled at all. */
function placeOf(element: Element): Place | undefined {
  const { id } = element;
  const { top, bottom } = element.getBoundingClientRect();
  return id && scrollY > 0 && bottom > 0 && top < innerHeight ? { id, top } : undefined;
}

function firstVisible(root: HTMLElement): Place | undefined {
  for (const element of root.querySelectorAll('[id]')) {
    const place = placeOf(element);
    if (place) return place;
  }
  return undefined;
}

/** Rows that came above it push it down: it goes back to where it was. */
function scrollBackTo({ id, top }: Place): void {
  const element = document.getElementById(id);
  if (element) scrollBy({ top: element.getBoundingClientRect().top - top, behavior: 'instant' });
}

/** Where an element is: below the nearest parent with an id, by the positions of the parents between them. */
type Path = { readonly id: string | undefined; readonly positions: readonly number[] };

function pathTo(root: Element, element: Element): Path {
  const positions: number[] = [];
  for (let each = element; each !== root; ) {
    if (each.id) return { id: each.id, positions };
    const parent = each.parentElement;
    if (!parent) break;
    positions.unshift([...parent.children].indexOf(each));
    each = parent;
  }
  return { id: undefined, positions };
}

function elementAt(root: Element, { id, positions }: Path): HTMLElement | undefined {
  let found: Element | null | undefined = id === undefined ? root : find(root, id);
  for (const position of positions) found = found?.children[position];
  return found instanceof HTMLElement ? found : undefined;
}

/** The text is in the page, hidden: scripts have no words of their own. */
function showEnded(): void {
  document.getElementById('session-ended')?.removeAttribute('hidden');
}
