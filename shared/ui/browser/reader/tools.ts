import { element } from '../element.ts';
import { language } from '../page-language.ts';
import type { Finder } from './find.ts';
import { drawingWords } from './words.ts';

const words = drawingWords(language);

type ToolsOptions = {
  readonly pages: number;
  readonly onPage: (page: number) => void;
  readonly onZoom: (way: 'smaller' | 'larger' | 'fit') => void;
  /** Leads to the person's own mark. */
  readonly onMark: (() => void) | undefined;
  readonly finder: Finder;
};

/** The bar above the pages: page number, zoom, find, and the way to the person's mark. */
export function createTools({ pages, onPage, onZoom, onMark, finder }: ToolsOptions) {
  const number = element('input', {
    type: 'number',
    min: '1',
    max: String(pages),
    value: '1',
    className: 'reader-number',
    with: { 'aria-label': words.page, inputmode: 'numeric' },
  });
  number.addEventListener('change', () => {
    const page = Math.min(pages, Math.max(1, Math.round(Number(number.value)) || 1));
    number.value = String(page);
    onPage(page);
  });
  const bar = element(
    'div',
    { className: 'reader-tools', with: { role: 'toolbar', 'aria-label': words.tools } },
    element('span', { className: 'reader-group' }, number, element('span', {}, words.ofPages(pages))),
    element(
      'span',
      { className: 'reader-group' },
      tool('−', words.smaller, () => onZoom('smaller')),
      tool('+', words.larger, () => onZoom('larger')),
      tool('↔', words.fit, () => onZoom('fit')),
    ),
    findForm(finder),
    onMark &&
      element('button', { type: 'button', className: 'button small', onclick: onMark }, words.yourMark),
  );
  return {
    bar,
    showPage(page: number): void {
      // Not while somebody types another one.
      if (document.activeElement !== number) number.value = String(page);
    },
  };
}

const tool = (sign: string, label: string, onclick: () => void): HTMLButtonElement =>
  element(
    'button',
    { type: 'button', className: 'reader-tool', title: label, onclick, with: { 'aria-label': label } },
    sign,
  );

function findForm(finder: Finder): HTMLElement {
  const input = element('input', {
    type: 'search',
    className: 'reader-find',
    placeholder: words.find,
    with: { 'aria-label': words.find },
  });
  const told = element('span', { className: 'reader-found faint', with: { role: 'status' } });
  const form = element(
    'form',
    { className: 'reader-group', with: { role: 'search' } },
    input,
    element('button', { type: 'submit', className: 'reader-tool' }, words.findNext),
    told,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    told.textContent = words.searching;
    const match = await finder.next(input.value);
    told.textContent = match ? words.found(match.at, match.count) : words.foundNothing;
  });
  return form;
}
