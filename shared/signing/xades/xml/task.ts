import type { XmlElement } from 'libxml2-wasm';
import type { Canonicalization } from './canonical.ts';
import { isInLine, type Line, lineOf } from './path.ts';
import type { FormOutput } from './sink.ts';

/** A request for a canonical form. */
export type FormRequest = {
  /** Requests with the same key share one form, which is written once. */
  readonly key: string;
  readonly of: XmlElement | 'document';
  /** Signatures in it that are removed first, none of them inside another. */
  readonly without: readonly XmlElement[];
  readonly how: Canonicalization;
  readonly as: FormOutput;
};

/** One form to write for all its requests. Lines are those of the tree before any element moved. */
export type Task = Pick<FormRequest, 'key' | 'of' | 'how'> & {
  readonly line: Line | undefined;
  readonly without: readonly Line[];
  readonly as: ReadonlySet<FormRequest['as']>;
};

/** An element that was detached from the tree. */
export type DetachedElement = {
  readonly line: Line;
  /** Whether it lost inherited attributes such as xml:lang. */
  readonly lacks: boolean;
};

/** Whether a canonical form inherits from ancestors more than the namespaces that it uses. */
export const inheritsContext = ({ kind, prefixes }: Canonicalization): boolean =>
  kind !== 'exclusive' || prefixes !== undefined;

/**
 * The forms in an order in which one tree can serve them: outer elements first, and of one element the form that removes
 * less first.
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

const depthOf = ({ line }: Task): number => line?.length ?? 1; // the document is as deep as its root

/** Whether a form can no longer be written: a part of it is detached, or an ancestor lost what it inherits. */
export function isUnavailable(
  { line, without, how }: Task,
  { line: removed, lacks }: DetachedElement,
): boolean {
  const isHolder = !line || (line.length < removed.length && isInLine(line, removed));
  if (isHolder) return !without.some((out) => isInLine(out, removed));
  return lacks && inheritsContext(how) && isInLine(removed, line);
}
