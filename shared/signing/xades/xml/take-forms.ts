import { writeForms } from './forms.ts';
import { type Form, memoryBudgetFor } from './sink.ts';
import type { FormRequest } from './task.ts';
import type { Tree, Xml } from './tree.ts';

/** Gives a requested form by its key and output. */
export type FormOf = (request: Pick<FormRequest, 'key' | 'as'>) => Form;

const keyOf = ({ key, as }: Pick<FormRequest, 'key' | 'as'>): string => `${as} ${key}`;

/**
 * Writes the requested canonical forms of a document. One tree serves them all, unless two forms each hold a part that the
 * other leaves out: `read` then runs again on a fresh tree and must request the same.
 * @example const { formOf } = takeForms(xml, (tree) => ({ requests: [{ key: 'all', of: 'document', … }] }));
 */
export function takeForms<T extends { readonly requests: readonly FormRequest[] }>(
  xml: Xml,
  read: (tree: Tree) => T,
): { readonly first: T; readonly formOf: FormOf } {
  const forms = new Map<string, Form>();
  const budget = memoryBudgetFor(xml.cost.totals.bytes);
  const isDue = (request: FormRequest): boolean => !forms.has(keyOf(request));
  const once = (): T =>
    xml.parsed((tree) => {
      const found = read(tree);
      const due = found.requests.filter(isDue);
      const answers = writeForms(tree, due, budget);
      for (const [at, request] of due.entries()) {
        const form = answers[at];
        if (form) forms.set(keyOf(request), form);
      }
      return found;
    });
  const first = once();
  while (first.requests.some(isDue)) once();
  const formOf: FormOf = (request) => {
    const form = forms.get(keyOf(request));
    if (!form) throw new Error(`No form was taken for ${request.key}.`);
    return form;
  };
  return { first, formOf };
}
