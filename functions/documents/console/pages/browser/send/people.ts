import { part } from '../../../../../../shared/ui/browser/element.ts';

type Known = { readonly name: string; readonly identifier: string; readonly email: string };

/** Adds rows without a visit to the server, and fills in people by their address. */
export function wirePeople(form: HTMLFormElement): void {
  const people = part('people', HTMLDivElement);
  const template = part('person-row', HTMLTemplateElement);
  const known: readonly Known[] = JSON.parse(people.dataset.known ?? '[]');
  part('add-person', HTMLButtonElement).addEventListener('click', (event) => {
    event.preventDefault();
    const number = people.querySelectorAll('.person-row').length + 1;
    const row = template.content.firstElementChild?.cloneNode(true);
    if (!(row instanceof HTMLElement)) return;
    for (const each of row.querySelectorAll('[id], [for], [aria-describedby]'))
      for (const name of ['id', 'for', 'aria-describedby']) {
        const value = each.getAttribute(name);
        if (value) each.setAttribute(name, value.replaceAll('person-N-', `person-${number}-`));
      }
    const legend = row.querySelector('legend');
    if (legend) legend.textContent = (legend.textContent ?? '').replace('0', String(number));
    people.append(row);
    row.querySelector<HTMLInputElement>('input:not([type=hidden])')?.focus();
  });
  form.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    const row = target.closest('.person-row');
    if (!row) return;
    // A row of the page has a key from its first letter on, so that its marks are found again.
    const key = row.querySelector<HTMLInputElement>('[name=personKey]');
    if (key && key.value === '') key.value = crypto.randomUUID();
    if (target.name !== 'personEmail') return;
    const found = known.find(({ email }) => email.toLowerCase() === target.value.trim().toLowerCase());
    if (found) fill(row, found);
  });
}

/** What somebody typed stays. */
function fill(row: Element, { name, identifier }: Known): void {
  for (const [field, value] of [
    ['personName', name],
    ['personIdentifier', identifier],
  ] as const) {
    const input = row.querySelector<HTMLInputElement>(`[name=${field}]`);
    if (input && input.value === '') input.value = value;
  }
}
