import type { Problem } from './problems.ts';

/** The one element of its kind inside another. The page and its script are built together: it is there. */
export function find<T extends Element>(within: ParentNode, selector: string, kind: new () => T): T {
  const found = within.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${selector}.`);
}

/** A form that does one thing at a time: what it says while it works, and what it says when it fails. */
export type ActionForm = {
  readonly form: HTMLFormElement;
  /** Lets the person act. */
  enable(): void;
  showProgress(text: string): void;
  showProblem(problem: Problem): void;
  /** The act is done, and nothing more can be done here. */
  finish(text: string): void;
};

export function createActionForm(form: HTMLFormElement): ActionForm {
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
    enable() {
      fields.disabled = false;
      status.textContent = '';
    },
    showProgress: (text) => say(text, true),
    finish: (text) => say(text, false),
    showProblem({ text, reasons, about }) {
      this.enable();
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
