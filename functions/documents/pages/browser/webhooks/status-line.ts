import { part } from '../../../../../shared/ui/browser/element.ts';
import type { Speech } from './delivery-parts.ts';
import { problemText } from './problem.ts';

/** Says what happened, where the reader is: a dialog that is open covers the rest of the page. */
export function tell(text: string, kind: 'news' | 'problem' = 'news'): void {
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
export async function busy(
  { words }: Speech,
  button: HTMLButtonElement | undefined,
  work: () => Promise<void>,
): Promise<void> {
  if (button?.disabled) return;
  if (button) button.disabled = true;
  count(1);
  try {
    await work();
  } catch (error) {
    tell(problemText(error, words), 'problem');
  } finally {
    count(-1);
    if (button) button.disabled = false;
  }
}
