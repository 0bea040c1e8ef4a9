import { ActCanceled } from './act-canceled.ts';
import type { Problem } from './problems.ts';

/** Finds an element that must exist: the page and its script are built together. */
export function find<T extends Element>(within: ParentNode, selector: string, kind: new () => T): T {
  const found = within.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${selector}.`);
}

/** A form for one action at a time. It shows progress and problems. */
export type ActionForm = {
  readonly form: HTMLFormElement;
  /** Enables the fields. */
  enable(): void;
  showProgress(text: string): void;
  showProblem(problem: Problem): void;
  /** Shows that the action is done, and disables the form. */
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
  const showStatus = (text: string, isWorking: boolean): void => {
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
    showProgress: (text) => showStatus(text, true),
    finish: (text) => showStatus(text, false),
    showProblem({ text, reasons, about, code }) {
      this.enable();
      const shown = code ? [paragraphOf(code, 'error-code')] : [];
      problem.replaceChildren(paragraphOf(text), ...listOf(reasons), ...shown);
      problem.hidden = false;
      const input = about && form.querySelector<HTMLElement>(INPUTS[about]);
      input?.setAttribute('aria-invalid', 'true');
      (input ?? problem).focus();
    },
  };
}

// A second click, or another form of the page during an act, is ignored.
let isBusy = false;

/**
 * Enables a form, and acts when it is submitted. The page does one act at a time, whichever form it belongs to.
 * @example onSubmit(createActionForm(form), sign, (error) => acting.showProblem(problemOf(error, language)));
 */
export function onSubmit(
  acting: ActionForm,
  act: (form: ActionForm) => Promise<void>,
  failed: (error: unknown) => Promise<void> | void,
): void {
  acting.form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    try {
      await act(acting);
    } catch (error) {
      if (error instanceof ActCanceled) acting.enable();
      else await failed(error);
    } finally {
      isBusy = false;
    }
  });
  acting.enable();
}

const INPUTS = { file: '#certificate', password: '#password', code: '#code', reason: '#reason' } as const;

function paragraphOf(text: string, kind = ''): HTMLElement {
  const paragraph = document.createElement('p');
  paragraph.textContent = text;
  paragraph.className = kind;
  return paragraph;
}

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
