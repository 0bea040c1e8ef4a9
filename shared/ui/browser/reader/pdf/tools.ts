import type { MarkKind } from '../../../reader/document-kind.ts';
import { element } from '../../element.ts';
import { language } from '../../page-language.ts';
import { downloadLink } from '../download-link.ts';
import type { Source } from '../source.ts';
import { readerTexts } from '../words.ts';

const words = readerTexts(language);

type Found = { readonly at: number; readonly count: number };
type Find = (text: string) => Promise<Found | undefined>;

type ToolsOptions = {
  readonly pages: number;
  readonly onPage: (page: number) => void;
  readonly onZoom: (way: 'smaller' | 'larger' | 'fit') => void;
  /** Leads to the person's own mark. */
  readonly mark: { readonly kind: MarkKind; readonly onShow: () => void } | undefined;
  readonly download: Source['download'];
  readonly find: Find;
};

/** The bar above the pages: page number, zoom, find, the way to the person's mark, and the file. */
export function createTools({ pages, onPage, onZoom, mark, download, find }: ToolsOptions) {
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
  const { form, input } = findForm(find);
  const showMark =
    mark &&
    element(
      'button',
      { type: 'button', className: 'button small', onclick: mark.onShow },
      mark.kind === 'signature' ? words.showSignature : words.showApproval,
    );
  const bar = element(
    'div',
    { className: 'reader-tools', with: { role: 'group', 'aria-label': words.tools } },
    element('span', { className: 'reader-group' }, number, element('span', {}, words.ofPages(pages))),
    element(
      'span',
      { className: 'reader-group' },
      tool('−', words.smaller, () => onZoom('smaller')),
      tool('+', words.larger, () => onZoom('larger')),
      tool('↔', words.fit, () => onZoom('fit')),
    ),
    form,
    download && downloadLink(download),
    showMark,
  );
  return {
    bar,
    showPage(page: number): void {
      // Not while somebody types another one.
      if (document.activeElement !== number) number.value = String(page);
    },
    focusFind: (): void => input.select(),
  };
}

const tool = (sign: string, label: string, onclick: () => void): HTMLButtonElement =>
  element(
    'button',
    { type: 'button', className: 'reader-tool', title: label, onclick, with: { 'aria-label': label } },
    sign,
  );

function findForm(find: Find) {
  const input = element('input', {
    type: 'search',
    className: 'reader-find',
    placeholder: words.findShort,
    with: { 'aria-label': words.find },
  });
  const status = element('span', { className: 'reader-found faint', with: { role: 'status' } });
  const form = element(
    'form',
    { className: 'reader-group', with: { role: 'search', 'aria-label': words.find } },
    input,
    element('button', { type: 'submit', className: 'reader-tool' }, words.findNext),
    status,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (input.value.trim() === '') return;
    status.textContent = words.searching;
    try {
      const match = await find(input.value);
      status.textContent = match ? words.found(match.at, match.count) : words.foundNothing;
    } catch {
      status.textContent = words.notSearched;
    }
  });
  return { form, input };
}
