import { formsOf } from './forms.ts';
import { type Form, roomFor } from './sink.ts';
import type { Wanted } from './task.ts';
import type { Tree, Xml } from './tree.ts';

/** Gives a form that was wanted, by its key and how it was wanted. */
export type FormOf = (wanted: Pick<Wanted, 'key' | 'as'>) => Form;

const keyOf = ({ key, as }: Pick<Wanted, 'key' | 'as'>): string => `${as} ${key}`;

/**
 * Takes canonical forms out of a document. One tree answers for them all, but where each of two holds what the other
 * leaves out: then `read` is asked again for a fresh one, and must want the same.
 * @example const { formOf } = takeForms(xml, (tree) => ({ wanted: [{ key: 'all', of: 'document', … }] }));
 */
export function takeForms<T extends { readonly wanted: readonly Wanted[] }>(
  xml: Xml,
  read: (tree: Tree) => T,
): { readonly first: T; readonly formOf: FormOf } {
  const forms = new Map<string, Form>();
  const room = roomFor(xml.cost.totals.bytes);
  const isDue = (wanted: Wanted): boolean => !forms.has(keyOf(wanted));
  const once = (): T =>
    xml.parsed((tree) => {
      const found = read(tree);
      const due = found.wanted.filter(isDue);
      const answers = formsOf(tree, due, room);
      for (const [at, wanted] of due.entries()) {
        const form = answers[at];
        if (form) forms.set(keyOf(wanted), form);
      }
      return found;
    });
  const first = once();
  while (first.wanted.some(isDue)) once();
  const formOf: FormOf = (wanted) => {
    const form = forms.get(keyOf(wanted));
    if (!form) throw new Error(`No form was taken for ${wanted.key}.`);
    return form;
  };
  return { first, formOf };
}
