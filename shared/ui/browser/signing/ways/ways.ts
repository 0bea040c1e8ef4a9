import type { Way } from '../../../../ways/contract.ts';
import { ActCanceled } from '../act-canceled.ts';
import { type ActionForm, find } from '../action-form.ts';
import { cloudWay, type WayOptions } from './cloud.ts';
import { tokenWay } from './token.ts';

/** What the page does for its own service. */
export type WaysHost = Pick<WayOptions, 'post' | 'toSign' | 'onSigned'> & {
  readonly signWithFile: (form: ActionForm) => Promise<void>;
  /** What the button says where it signs, if not what the page has on it. */
  readonly label?: () => string | undefined;
};

type Chosen = Way | 'file';

const REMEMBERED = 'sinete-way';

/**
 * The ways to sign of a form. Returns the act of its submit: it signs, or throws ActCanceled where the person has
 * something to do first.
 * @example const sign = mountWays(form, { post, toSign, signWithFile }); onSubmit(form, sign, showProblem);
 */
export function mountWays(form: ActionForm, host: WaysHost): (acting: ActionForm) => Promise<void> {
  const radios = [...form.form.querySelectorAll<HTMLInputElement>('input[name=way]')];
  if (radios.length === 0) return host.signWithFile;
  const button = find(form.form, 'button[type=submit]', HTMLButtonElement);
  const label = button.textContent ?? '';
  const parts = [...form.form.querySelectorAll<HTMLElement>('.way-part')];
  const partOf = (way: Chosen) => parts.find(({ dataset }) => dataset.way === way);
  let other: string | undefined;
  const showLabel = (): void => {
    button.textContent = other ?? host.label?.() ?? label;
  };
  const setLabel = (text: string | undefined): void => {
    other = text;
    showLabel();
  };
  form.form.addEventListener('change', showLabel);
  const wayIn = (way: Way) => {
    const part = partOf(way);
    const options = part && { ...host, part, setLabel };
    return options && (way === 'cloud' ? cloudWay(options) : tokenWay(options));
  };
  const ways = { cloud: wayIn('cloud'), token: wayIn('token') };
  const chosen = (): Chosen => (radios.find(({ checked }) => checked)?.value ?? 'file') as Chosen;

  const show = (): void => {
    const way = chosen();
    for (const part of parts) part.hidden = part.dataset.way !== way;
    setLabel(undefined);
    // A frame leads to a window of its own.
    button.hidden = partOf(way)?.querySelector('a.button') instanceof HTMLAnchorElement;
    if (way !== 'file' && !button.hidden) void ways[way]?.look();
  };
  for (const radio of radios) {
    radio.checked = radio.value === remembered(radios);
    radio.addEventListener('change', () => {
      remember(chosen());
      show();
    });
  }
  show();
  return async (acting) => {
    const way = chosen();
    if (button.hidden) throw new ActCanceled();
    return way === 'file' ? host.signWithFile(acting) : ways[way]?.act(acting);
  };
}

// A browser may refuse to remember anything. Then a page begins with the file, as at a first visit.
function remember(way: Chosen): void {
  try {
    localStorage.setItem(REMEMBERED, way);
  } catch {}
}

function remembered(radios: readonly HTMLInputElement[]): string {
  try {
    const way = localStorage.getItem(REMEMBERED);
    return radios.find(({ value }) => value === way)?.value ?? 'file';
  } catch {
    return 'file';
  }
}
