// An element with `data-live="5"` and an id is fetched again with its page every five seconds, and replaced where it has
// changed. What the person has checked, opened, typed or focused in it stays.

const DEFAULT_SECONDS = 5;
// A service that does not answer is asked less and less often.
const MAX_PAUSE_FACTOR = 12;

/** Keeps the live parts of the page up to date while it is visible. */
export function keepLive(): void {
  const parts = [...document.querySelectorAll<HTMLElement>('[data-live][id]')];
  if (parts.length === 0) return;
  const seconds = Math.min(...parts.map(({ dataset }) => Number(dataset.live) || DEFAULT_SECONDS));
  let failures = 0;
  const look = async (): Promise<void> => {
    if (!document.hidden) {
      const outcome = await refresh(parts.map(({ id }) => id)).catch(() => 'failed' as const);
      if (outcome === 'ended') return showEnded();
      failures = outcome === 'failed' ? failures + 1 : 0;
      document.body.toggleAttribute('data-offline', failures > 1);
    }
    setTimeout(look, seconds * 1_000 * Math.min(2 ** failures, MAX_PAUSE_FACTOR));
  };
  setTimeout(look, seconds * 1_000);
}

async function refresh(ids: readonly string[]): Promise<'done' | 'ended' | 'failed'> {
  // A session that has ended leads to the login, which must not take the place of the page.
  const response = await fetch(location.href, { headers: { accept: 'text/html' }, redirect: 'manual' });
  if (response.type === 'opaqueredirect') return 'ended';
  if (!response.ok) return 'failed';
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const id of ids) {
    const [shown, next] = [document.getElementById(id), fresh.getElementById(id)];
    if (shown && next) replace(shown, document.adoptNode(next));
  }
  return 'done';
}

/** Replaces an element, unless nothing has changed or somebody is typing in it. */
function replace(shown: HTMLElement, next: HTMLElement): void {
  const before = shown.dataset.seen ?? shown.innerHTML;
  if (before === next.innerHTML) return;
  const active = document.activeElement;
  if (active && shown.contains(active) && active.matches('input:not([type=checkbox]), textarea, select'))
    return;
  const seen = next.innerHTML;
  for (const box of shown.querySelectorAll<HTMLInputElement>('input[type=checkbox]:checked')) {
    const same = next.querySelector(`input[type=checkbox][value="${CSS.escape(box.value)}"]`);
    if (same instanceof HTMLInputElement) same.checked = true;
  }
  for (const details of shown.querySelectorAll<HTMLDetailsElement>('details[open][id]')) {
    const same = next.querySelector(`#${CSS.escape(details.id)}`);
    if (same instanceof HTMLDetailsElement) same.open = true;
  }
  const focused = active && shown.contains(active) ? pathTo(shown, active) : undefined;
  shown.replaceChildren(...next.childNodes);
  shown.dataset.seen = seen;
  if (focused) elementAt(shown, focused)?.focus({ preventScroll: true });
}

/** The place of an element below another, by the positions of its parents. */
function pathTo(root: Element, element: Element): readonly number[] {
  const path: number[] = [];
  for (let each: Element = element; each !== root; ) {
    const parent: Element | null = each.parentElement;
    if (!parent) return [];
    path.unshift([...parent.children].indexOf(each));
    each = parent;
  }
  return path;
}

const elementAt = (root: Element, path: readonly number[]): HTMLElement | undefined => {
  let found: Element | undefined = root;
  for (const position of path) found = found?.children[position];
  return found instanceof HTMLElement ? found : undefined;
};

/** The text is in the page, hidden: scripts have no words of their own. */
function showEnded(): void {
  document.getElementById('session-ended')?.removeAttribute('hidden');
}
