import { element } from '../../../../../shared/ui/browser/element.ts';
import { language } from '../../../../../shared/ui/browser/page-language.ts';
import type { MarkType, PlacingData } from '../../placing-data.ts';
import type { Place } from './geometry.ts';
import { placingWords } from './words.ts';

const words = placingWords(language);

/** A mark while the page is open. */
export type PlacedMark = {
  readonly id: number;
  readonly action: number;
  readonly type: MarkType;
  readonly file: string;
  place: Place;
};

type PanelOptions = {
  readonly files: PlacingData['files'];
  readonly chosen: string;
  readonly onFile: (id: string) => void;
  readonly nameOf: (mark: PlacedMark) => string;
  readonly onShow: (mark: PlacedMark) => void;
  readonly onCopy: (mark: PlacedMark) => void;
  readonly onRemove: (mark: PlacedMark) => void;
};

/** The panel beside the pages: the people to be placed, the marks that are, and what is said of them. */
export function createPanel({ files, chosen, onFile, nameOf, onShow, onCopy, onRemove }: PanelOptions) {
  const keysId = 'placing-keys';
  const people = element('ul', { className: 'placing-people' });
  const list = element('ol', { className: 'placing-marks' });
  const none = element('p', { className: 'faint' }, words.noMarks);
  const status = element('p', { className: 'faint', with: { role: 'status' } });
  const title = element('h2', { tabIndex: -1 }, words.marks);
  const entryOf = (mark: PlacedMark): HTMLElement => {
    const name = nameOf(mark);
    const small = (text: string, onclick: () => void) =>
      element(
        'button',
        { type: 'button', className: 'link', onclick, with: { 'aria-label': `${text}: ${name}` } },
        text,
      );
    return element(
      'li',
      {},
      element('button', { type: 'button', className: 'link', onclick: () => onShow(mark) }, name),
      element(
        'span',
        { className: 'placing-doing' },
        small(words.copyToAll, () => onCopy(mark)),
        small(words.remove, () => onRemove(mark)),
      ),
    );
  };
  const aside = element(
    'div',
    { className: 'placing-panel card' },
    ...(files.length > 1 ? [fileChoice(files, chosen, onFile)] : []),
    element('h2', {}, words.people),
    element('p', { className: 'faint' }, words.hint),
    people,
    title,
    none,
    list,
    element('p', { className: 'faint', id: keysId }, words.keys),
    status,
  );
  return {
    aside,
    keysId,
    addButton(label: string, hue: number): HTMLButtonElement {
      const button = element(
        'button',
        { type: 'button', className: `button quiet wide placing-person hue-${hue}` },
        label,
      );
      people.append(element('li', {}, button));
      return button;
    },
    showMarks(marks: readonly PlacedMark[]): void {
      none.hidden = marks.length > 0;
      list.replaceChildren(...marks.map(entryOf));
    },
    say(text: string): void {
      status.textContent = text;
    },
    /** After the focused mark is gone. */
    focus: (): void => title.focus(),
  };
}

function fileChoice(files: PlacingData['files'], chosen: string, onFile: (id: string) => void): HTMLElement {
  const select = element('select', { id: 'placing-file' });
  for (const { id, name } of files)
    select.append(element('option', { value: id, selected: id === chosen }, name));
  select.addEventListener('change', () => onFile(select.value));
  return element('div', { className: 'field' }, element('label', { htmlFor: select.id }, words.file), select);
}
