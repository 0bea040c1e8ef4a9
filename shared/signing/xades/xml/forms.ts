import type { XmlDocument, XmlElement } from 'libxml2-wasm';
import { chargeTime } from '../../../bounds/budget.ts';
import { XmlRefused } from '../errors.ts';
import { inheritedBy, losesWhenMoved, moveApart } from './apart.ts';
import { canonicalize } from './canonical.ts';
import { type Cost, partTotals } from './cost.ts';
import { type Form, type Room, roomFor, sinkFor } from './sink.ts';
import { type Gone, isSpoilt, type Task, takesOver, tasksFor, type Wanted } from './task.ts';
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
 * Takes canonical forms out of a tree, which is used up. A form is undefined where another one took something out
 * that this one holds: ask for it again in a fresh tree. At least one is always answered.
 *
 *   <lote>                        wanted              moved out               written
 *     <nota Id="a"> S1 </nota>    all but S3          S3                      lote, with S1 and S2
 *     <nota Id="b"> S2 </nota>    a but S1            S1 from a, a from lote  a
 *     S3                          b but S2            S2 from b, b from lote  b
 *   </lote>                       S3's SignedInfo     SignedInfo from S3      SignedInfo
 *
 * Nothing is moved before all that holds it is written. So one tree does for all signatures that can be valid
 * together, and a part of it is walked over only when it is written.
 */
export function formsOf(
  tree: Tree,
  wanted: readonly Wanted[],
  room = roomFor(tree.cost.totals.bytes),
): (Form | undefined)[] {
  const bench: Bench = { tree, room, imports: wanted.some(({ how }) => takesOver(how)), apart: [], gone: [] };
  const forms = new Map<string, ReadonlyMap<Wanted['as'], Form>>();
  try {
    for (const task of tasksFor(wanted))
      if (!bench.gone.some((one) => isSpoilt(task, one))) forms.set(task.key, written(bench, task));
  } finally {
    for (const document of bench.apart) document.dispose();
  }
  return wanted.map(({ key, as }) => forms.get(key)?.get(as));
}

type Bench = {
  readonly tree: Tree;
  readonly room: Room;
  /** Whether any form takes something over from around its element. */
  readonly imports: boolean;
  /** Documents made for what was moved. */
  readonly apart: XmlDocument[];
  readonly gone: Gone[];
};

function written(bench: Bench, task: Task): ReadonlyMap<Wanted['as'], Form> {
  for (const out of task.without) takeOut(bench, out);
  const home = homeOf(bench, task);
  const sinks = [...task.as].map((as) => [as, sinkFor(as, bench.room)] as const);
  let bytes = 0;
  try {
    canonicalize(home, task.how, (part) => {
      bytes += part.byteLength;
      for (const [, sink] of sinks) sink.take(part);
    });
  } catch (error) {
    if (!(error instanceof XmlRefused)) throw error;
    return new Map(sinks.map(([as]) => [as, error]));
  }
  chargeTime(bench.tree.budget, bytes * (home.byteUnits + sinks.length * HASHED_BYTE_UNITS));
  return new Map(sinks.map(([as, sink]) => [as, sink.form()]));
}

function takeOut({ imports, gone, apart }: Bench, line: Gone['line']): void {
  const element = line.at(-1);
  if (!element || gone.some((one) => one.line.at(-1)?.isSameNode(element))) return;
  gone.push({ line, lacks: imports && losesWhenMoved(element) });
  apart.push(moveApart(element, { rebinds: imports }));
}

type Home = {
  readonly document: XmlDocument;
  readonly only?: XmlElement;
  /** What a byte costs that was not counted before. */
  readonly byteUnits: number;
};

const TASK_UNITS = 50_000; // finding, moving and starting, whatever the size

// Where a form is written. In its place the whole tree is walked over, so that an element is moved out first, unless it
// is the root, would lose something, or would cost more to move.
function homeOf({ tree, imports, apart }: Bench, { of, how }: Task): Home {
  const { document, budget, cost } = tree;
  const prefixes = how.prefixes?.length ?? 0;
  chargeTime(budget, TASK_UNITS);
  if (of === 'document') {
    chargeTime(budget, writeUnits(cost.totals, prefixes));
    return { document, byteUnits: 0 };
  }
  const part = countedIn(of, cost);
  const alone = writeUnits(part, prefixes);
  const byteUnits = part.bytes ? 0 : WRITTEN_BYTE_UNITS;
  if (of.parent === null && of.doc !== document) {
    chargeTime(budget, alone);
    return { document: of.doc, byteUnits };
  }
  const rebinds = imports && inheritedBy(of).length > 0;
  const moved = alone + moveUnits(part, { rebinds });
  const inPlace = writeInPlaceUnits(cost.totals, prefixes);
  if (of.parent === null || moved > inPlace || (imports && losesWhenMoved(of))) {
    chargeTime(budget, inPlace);
    return { document: of.doc, only: of, byteUnits: 0 };
  }
  chargeTime(budget, moved);
  const own = moveApart(of, { rebinds });
  apart.push(own);
  return { document: own, byteUnits };
}

// What is more than half of the document is taken for all of it: counting once more would cost as much.
function countedIn(element: XmlElement, cost: Cost): Totals {
  const count = (what: string): number => Number(element.eval(`count(${what})`));
  const elements = count('descendant-or-self::*');
  if (2 * elements > cost.totals.elements) return cost.totals;
  const attributes = count('descendant-or-self::*/@*');
  const asides = count('descendant::node()') - elements + 1;
  return partTotals({ elements, attributes, asides }, cost);
}
