import { find } from '../../../../../shared/ui/browser/signing/action-form.ts';
import { problemOf } from '../../../../../shared/ui/browser/signing/problems.ts';
import { mountLocation } from './location.ts';
import { mountSignatureImage } from './signature-image.ts';
import { refusalProblem } from './words.ts';

// The plain forms of an electronic signature lead to the page again, which would lose what is drawn, ticked and typed. This
// script sends them, and puts in place what the server says.

const FORMS = '#electronic form';
// Another site, to which a browser goes by itself.
const LEAVES = '[name=step][value=face]';
// What the person has put in, and keeps. A code is typed again.
const KEPT = ['.signature-image', '.location', '[name=agree]'];

/** Sends the forms of an electronic signature. `replace` shows the page that has nothing left to do, or another document. */
export function mountElectronic(main: HTMLElement, replace: (fresh: HTMLElement) => void): void {
  mountSignatureImage(main);
  mountLocation(main);
  main.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches(FORMS) || form.querySelector(LEAVES)) return;
    event.preventDefault();
    void submit(main, form, replace);
  });
}

async function submit(
  main: HTMLElement,
  form: HTMLFormElement,
  replace: (fresh: HTMLElement) => void,
): Promise<void> {
  const button = find(form, 'button.wide', HTMLButtonElement);
  if (button.disabled) return;
  button.disabled = true;
  try {
    const response = await fetch(form.action, { method: 'POST', body: new FormData(form) });
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main');
    if (!fresh) throw new Error(String(response.status));
    // Loaded again, the page says the same, and sends nothing again.
    history.replaceState(null, '', response.url);
    const adopted = document.adoptNode(fresh);
    if (adopted.dataset.open === 'true' && shownIn(adopted) === shownIn(main)) showPanel(main, adopted);
    else replace(adopted);
  } catch (error) {
    showProblem(form, error);
  } finally {
    button.disabled = false;
  }
}

/** The name of the document as the page shows it. */
const shownIn = (main: HTMLElement): string => main.dataset.shown ?? '';

function showPanel(main: HTMLElement, fresh: HTMLElement): void {
  const old = find(main, '#electronic', HTMLElement);
  const panel = find(fresh, '#electronic', HTMLElement);
  const isFirst = old.querySelector('.signature-image') === null;
  for (const kept of KEPT) {
    const mine = old.querySelector(kept);
    if (mine) panel.querySelector(kept)?.replaceWith(mine);
  }
  old.replaceWith(panel);
  if (isFirst) {
    mountSignatureImage(main);
    mountLocation(main);
  }
  const said = panel.querySelector<HTMLElement>('[role=alert], [role=status]:not(.location *)');
  const code = panel.querySelector<HTMLElement>('[autocomplete=one-time-code]');
  const target = code ?? said;
  if (target === said) said?.setAttribute('tabindex', '-1');
  target?.focus({ preventScroll: true });
  said?.scrollIntoView({ block: 'center' });
}

function showProblem(form: HTMLFormElement, error: unknown): void {
  const problem = form.querySelector('.problem') ?? document.createElement('p');
  problem.className = 'problem';
  problem.setAttribute('role', 'alert');
  problem.textContent = problemOf(error, refusalProblem).text;
  form.append(problem);
}
