import { element } from './element.ts';

// The boxes of a list belong to a form elsewhere on the page (`form="selection"`), so that the list can be replaced. The
// row of a checked box may move to another page of the list meanwhile: a hidden field keeps it in the form.

const BOXES = 'input[type=checkbox][form][name]';

const boxesIn = (root: ParentNode): HTMLInputElement[] => [...root.querySelectorAll<HTMLInputElement>(BOXES)];

const formOf = (box: HTMLInputElement): HTMLElement | null =>
  document.getElementById(box.getAttribute('form') ?? '');

const keptIn = (form: HTMLElement): HTMLInputElement[] => [
  ...form.querySelectorAll<HTMLInputElement>('input[type=hidden][data-kept]'),
];

/** Checks the boxes of a new list as those of the shown one are. */
export function restoreSelection(shown: HTMLElement, next: HTMLElement): void {
  const fresh = new Map(boxesIn(next).map((box) => [box.value, box]));
  for (const box of boxesIn(shown)) {
    if (!box.checked) continue;
    const same = fresh.get(box.value);
    if (same) same.checked = true;
    else {
      const { name, value } = box;
      formOf(box)?.append(element('input', { type: 'hidden', name, value, with: { 'data-kept': '' } }));
    }
  }
  for (const [value, box] of fresh) {
    const form = formOf(box);
    const kept = form && keptIn(form).find((each) => each.value === value);
    if (!kept) continue;
    box.checked = true;
    kept.remove();
  }
}

/** Shows how many are selected, and lets a whole page be selected at once. */
export function watchSelection(): void {
  for (const output of document.querySelectorAll<HTMLElement>('[data-selected-count]')) {
    const form = document.getElementById(output.dataset.selectedCount ?? '');
    if (!(form instanceof HTMLFormElement)) continue;
    for (const hidden of form.querySelectorAll('.select-page, .selected-count'))
      hidden.removeAttribute('hidden');
    const count = (): void => {
      const checked = boxesIn(document).filter((box) => box.checked && formOf(box) === form).length;
      output.textContent = (checked + keptIn(form).length).toLocaleString(document.documentElement.lang);
    };
    document.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLInputElement && target.dataset.selectAll !== undefined) selectAll(target);
      count();
    });
    // A browser restores the boxes of a page that somebody comes back to.
    addEventListener('pageshow', count);
    count();
  }
}

function selectAll(box: HTMLInputElement): void {
  const list = document.getElementById(box.dataset.selectAll ?? '');
  for (const each of list ? boxesIn(list) : []) each.checked = box.checked;
  const form = box.closest('form');
  if (!box.checked && form) for (const kept of keptIn(form)) kept.remove();
}
