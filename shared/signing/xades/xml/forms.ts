import type { XmlDocument, XmlElement } from 'libxml2-wasm';
import { chargeTime } from '../../../bounds/budget.ts';
import { XmlRefused } from '../errors.ts';
import { canonicalize } from './canonical.ts';
import { type Cost, partTotals } from './cost.ts';
import { detachElement, inheritedNamespaces, losesWhenDetached } from './detach.ts';
import { type Form, type MemoryBudget, memoryBudgetFor, sinkFor } from './sink.ts';
import {
  type DetachedElement,
  type FormRequest,
  inheritsContext,
  isUnavailable,
  type Task,
  tasksFor,
} from './task.ts';
import type { Tree } from './tree.ts';
import {
  HASHED_BYTE_UNITS,
  moveUnits,
  type Totals,
  WRITTEN_BYTE_UNITS,
  writeInPlaceUnits,
  writeUnits,
} from './units.ts';

/**
 * Writes canonical forms of a tree, which is consumed. A form is undefined where an earlier one detached a part of it:
 * request it again with a fresh tree. At least one form is always written.
 *
 *   <lote>                        requested           detached                written
 *     <nota Id="a"> S1 </nota>    all but S3          S3                      lote, with S1 and S2
 *     <nota Id="b"> S2 </nota>    a but S1            S1 from a, a from lote  a
 *     S3                          b but S2            S2 from b, b from lote  b
 *   </lote>                       S3's SignedInfo     SignedInfo from S3      SignedInfo
 *
 * A part is detached only after every form that holds it is written. So one tree serves all signatures that can be valid
 * together, and each part is walked only when it is written.
 */
export function writeForms(
  tree: Tree,
  requests: readonly FormRequest[],
  budget = memoryBudgetFor(tree.cost.totals.bytes),
): (Form | undefined)[] {
  const context: FormContext = {
    tree,
    budget,
    imports: requests.some(({ how }) => inheritsContext(how)),
    detached: [],
    removed: [],
  };
  const forms = new Map<string, ReadonlyMap<FormRequest['as'], Form>>();
  try {
    for (const task of tasksFor(requests))
      if (!context.removed.some((one) => isUnavailable(task, one)))
        forms.set(task.key, writeForm(context, task));
  } finally {
    for (const document of context.detached) document.dispose();
  }
  return requests.map(({ key, as }) => forms.get(key)?.get(as));
}

type FormContext = {
  readonly tree: Tree;
  readonly budget: MemoryBudget;
  /** Whether any form inherits from the ancestors of its element. */
  readonly imports: boolean;
  /** The documents of detached elements. */
  readonly detached: XmlDocument[];
  readonly removed: DetachedElement[];
};

function writeForm(context: FormContext, task: Task): ReadonlyMap<FormRequest['as'], Form> {
  for (const out of task.without) detachExcluded(context, out);
  const target = chooseTarget(context, task);
  const sinks = [...task.as].map((as) => [as, sinkFor(as, context.budget)] as const);
  let bytes = 0;
  try {
    canonicalize(target, task.how, (part) => {
      bytes += part.byteLength;
      for (const [, sink] of sinks) sink.take(part);
    });
  } catch (error) {
    if (!(error instanceof XmlRefused)) throw error;
    return new Map(sinks.map(([as]) => [as, error]));
  }
  chargeTime(context.tree.budget, bytes * (target.byteUnits + sinks.length * HASHED_BYTE_UNITS));
  return new Map(sinks.map(([as, sink]) => [as, sink.form()]));
}

function detachExcluded({ imports, removed, detached }: FormContext, line: DetachedElement['line']): void {
  const element = line.at(-1);
  if (!element || removed.some((one) => one.line.at(-1)?.isSameNode(element))) return;
  removed.push({ line, lacks: imports && losesWhenDetached(element) });
  detached.push(detachElement(element, { rebinds: imports }));
}

type WriteTarget = {
  readonly document: XmlDocument;
  readonly only?: XmlElement;
  /** The cost of a byte that was not counted before. */
  readonly byteUnits: number;
};

const TASK_UNITS = 50_000; // the fixed cost of finding, moving and starting

// Chooses where a form is written. In place, the whole tree is walked. So an element is detached first, unless it is the
// root, would lose something, or would cost more to move.
function chooseTarget({ tree, imports, detached }: FormContext, { of, how }: Task): WriteTarget {
  const { document, budget, cost } = tree;
  const prefixes = how.prefixes?.length ?? 0;
  chargeTime(budget, TASK_UNITS);
  if (of === 'document') {
    chargeTime(budget, writeUnits(cost.totals, prefixes));
    return { document, byteUnits: 0 };
  }
  const part = countTotals(of, cost);
  const alone = writeUnits(part, prefixes);
  const byteUnits = part.bytes ? 0 : WRITTEN_BYTE_UNITS;
  if (of.parent === null && of.doc !== document) {
    chargeTime(budget, alone);
    return { document: of.doc, byteUnits };
  }
  const rebinds = imports && inheritedNamespaces(of).length > 0;
  const moved = alone + moveUnits(part, { rebinds });
  const inPlace = writeInPlaceUnits(cost.totals, prefixes);
  if (of.parent === null || moved > inPlace || (imports && losesWhenDetached(of))) {
    chargeTime(budget, inPlace);
    return { document: of.doc, only: of, byteUnits: 0 };
  }
  chargeTime(budget, moved);
  const own = detachElement(of, { rebinds });
  detached.push(own);
  return { document: own, byteUnits };
}

// An element of more than half of the document counts as the whole document: a precise count would cost as much.
function countTotals(element: XmlElement, cost: Cost): Totals {
  const count = (what: string): number => Number(element.eval(`count(${what})`));
  const elements = count('descendant-or-self::*');
  if (2 * elements > cost.totals.elements) return cost.totals;
  const attributes = count('descendant-or-self::*/@*');
  const asides = count('descendant::node()') - elements + 1;
  return partTotals({ elements, attributes, asides }, cost);
}
