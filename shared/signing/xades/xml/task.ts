import type { XmlElement } from 'libxml2-wasm';
import type { Canonicalization } from './canonical.ts';
import { isInLine, type Line, lineOf } from './line.ts';
import type { FormOutput } from './sink.ts';

/** A canonical form that is asked for. */
export type FormRequest = {
  /** Two with the same key are the same form, and written once. */
  readonly key: string;
  readonly of: XmlElement | 'document';
  /** Signatures in it that are taken out first, none of them inside another. */
  readonly without: readonly XmlElement[];
  readonly how: Canonicalization;
  readonly as: FormOutput;
};

/** One form to write, for all who want it. Lines are those before anything was moved. */
export type Task = Pick<FormRequest, 'key' | 'of' | 'how'> & {
  readonly line: Line | undefined;
  readonly without: readonly Line[];
  readonly as: ReadonlySet<FormRequest['as']>;
};

/** An element that was moved out of its place. */
export type DetachedElement = {
  readonly line: Line;
  /** Whether attributes such as xml:lang stood around it, which it lost. */
  readonly lacks: boolean;
};

/** Whether a form takes something over from around its element, beyond the namespaces it uses. */
export const inheritsContext = ({ kind, prefixes }: Canonicalization): boolean =>
  kind !== 'exclusive' || prefixes !== undefined;

/**
 * The forms in the order in which they can be taken out of one tree: what holds another comes first, and of the
 * same element the form that leaves out less.
 */
export const tasksFor = (requests: readonly FormRequest[]): Task[] =>
  [...Map.groupBy(requests, ({ key }) => key).values()]
    .flatMap(([first, ...others]) => (first ? [taskFor(first, others)] : []))
    .toSorted((a, b) => depthOf(a) - depthOf(b) || a.without.length - b.without.length);

const taskFor = (first: FormRequest, others: readonly FormRequest[]): Task => ({
  key: first.key,
  of: first.of,
  how: first.how,
  line: first.of === 'document' ? undefined : lineOf(first.of),
  without: first.without.map(lineOf),
  as: new Set([first, ...others].map(({ as }) => as)),
});

const depthOf = ({ line }: Task): number => line?.length ?? 1; // the document and its root hold the same

/** Whether a form cannot be had any more: something of it is removed, or it is in something that lacks what it takes over. */
export function isUnavailable(
  { line, without, how }: Task,
  { line: removed, lacks }: DetachedElement,
): boolean {
  const isHolder = !line || (line.length < removed.length && isInLine(line, removed));
  if (isHolder) return !without.some((out) => isInLine(out, removed));
  return lacks && inheritsContext(how) && isInLine(removed, line);
}
