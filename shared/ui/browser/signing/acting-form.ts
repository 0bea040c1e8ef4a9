import type { Problem } from './problems.ts';

/** The one element of its kind inside another. The page and its script are built together: it is there. */
export function find<T extends Element>(within: ParentNode, selector: string, kind: new () => T): T {
  const found = within.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${selector}.`);
}

/** A form that does one thing at a time: what it says while it works, and what it says when it fails. */
export type ActingForm = {
  readonly form: HTMLFormElement;
  /** Lets the person act. */
  open(): void;
  working(text: string): void;
  failed(problem: Problem): void;
  /** The act is done, and nothing more can be done here. */
  done(text: string): void;
};

export function actingForm(form: HTMLFormElement): ActingForm {
  const fields = find(form, 'fieldset', HTMLFieldSetElement);
  const problem = find(form, '.problem', HTMLElement);
  const status = find(form, '.working', HTMLElement);
  const clear = (): void => {
    problem.hidden = true;
    for (const input of form.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid');
  };
  const say = (text: string, isWorking: boolean): void => {
    clear();
    fields.disabled = true;
    status.textContent = text;
    status.classList.toggle('over', !isWorking);
  };
  return {
    form,
    open() {
      fields.disabled = false;
      status.textContent = '';
    },
    working: (text) => say(text, true),
    done: (text) => say(text, false),
    failed({ text, reasons, about }) {
      this.open();
      const sentence = document.createElement('p');
      sentence.textContent = text;
      problem.replaceChildren(sentence, ...listOf(reasons));
      problem.hidden = false;
      const input = about && form.querySelector<HTMLElement>(INPUTS[about]);
      input?.setAttribute('aria-invalid', 'true');
      (input ?? problem).focus();
    },
  };
}

const INPUTS = { file: '#certificate', password: '#password', reason: '#reason' } as const;

function listOf(reasons: readonly string[]): HTMLElement[] {
  if (reasons.length === 0) return [];
  const list = document.createElement('ul');
  for (const reason of reasons) {
    const item = document.createElement('li');
    item.textContent = reason;
    list.append(item);
  }
  return [list];
}
