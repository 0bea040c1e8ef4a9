import { element } from '../../../../../../../shared/ui/browser/element.ts';

/** The texts that the server put into the page. */
export type Words = Readonly<
  Record<
    | 'ready'
    | 'waiting'
    | 'sending'
    | 'arriving'
    | 'done'
    | 'openJob'
    | 'remove'
    | 'again'
    | 'paused'
    | 'lost'
    | 'notPut'
    | 'refused'
    | 'ended'
    | 'progress',
    string
  >
> & { readonly refusals: Readonly<Record<string, string>> };

export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

/** A file of the list: its name, how far it is, and what became of it. */
export type FileRow = ReturnType<typeof createRow>;

export function createRow(file: File, words: Words) {
  const bar = element('progress', { max: 1, value: 0, hidden: true, with: { 'aria-label': file.name } });
  const status = element('p', { className: 'faint' }, words.ready);
  const actions = element('div', { className: 'actions' });
  const name = element('p', { className: 'upload-name' }, element('bdi', {}, file.name));
  const item = element('li', {}, name, status, bar, actions);
  const show = (text: string, kind: '' | 'good' | 'bad' = ''): void => {
    status.className = kind === '' ? 'faint' : `upload-${kind}`;
    status.textContent = text;
  };
  const percent = new Intl.NumberFormat(document.documentElement.lang, { style: 'percent' });
  const button = (text: string, act: () => void): HTMLButtonElement =>
    element(
      'button',
      {
        type: 'button',
        className: 'button quiet',
        onclick: act,
        with: { 'aria-label': `${text}: ${file.name}` },
      },
      text,
    );
  return {
    file,
    item,
    showReady(remove: () => void): void {
      actions.replaceChildren(button(words.remove, remove));
    },
    showWaiting(text = words.waiting): void {
      actions.replaceChildren();
      bar.hidden = true;
      show(text);
    },
    showProgress(share: number): void {
      bar.hidden = false;
      bar.value = share;
      show(share < 1 ? fill(words.sending, { percent: percent.format(share) }) : words.arriving);
    },
    showJob(address: string, isTaken: boolean): void {
      bar.hidden = true;
      show(isTaken ? words.done : words.arriving, isTaken ? 'good' : '');
      actions.replaceChildren(element('a', { href: address }, words.openJob));
    },
    showProblem(text: string, again?: () => void): void {
      bar.hidden = true;
      show(text, 'bad');
      if (again) actions.replaceChildren(button(words.again, again));
      else actions.replaceChildren();
    },
  };
}
