import type { XmlElement } from 'libxml2-wasm';
import { chargeTime } from '../../../bounds/budget.ts';
import { isInSignature, type Signature } from '../signatures.ts';
import { type Identified, identify } from '../xml/identifiers.ts';
import { isInLine, lineOf, pathsIn } from '../xml/path.ts';
import type { Tree } from '../xml/tree.ts';

/** Lookups in one tree that all its signatures share, each done once. */
export type Reader = {
  readonly tree: Tree;
  readonly signatures: readonly Signature[];
  readonly identified: Identified;
  readonly pathOf: (element: XmlElement) => string;
  /** The number of comments inside, those in signatures aside. */
  readonly commentsIn: (target: XmlElement | 'document') => number;
};

export function createReader(
  tree: Tree,
  signatures: readonly Signature[],
  ids: Iterable<string>,
  idAttributes: readonly string[],
): Reader {
  let inDocument: number | undefined;
  return {
    tree,
    signatures,
    identified: identify(tree, ids, idAttributes),
    pathOf: pathsIn(tree),
    commentsIn: (target) => {
      if (target !== 'document') return countComments(tree, target, signatures);
      inDocument ??= countComments(tree, tree.root, signatures);
      return inDocument;
    },
  };
}

const NODE_UNITS = 80; // each node is visited twice

function countComments(tree: Tree, element: XmlElement, signatures: readonly Signature[]): number {
  if (!tree.cost.hasComments || isInSignature(element)) return 0;
  const line = lineOf(element);
  const count = (of: XmlElement, what: string): number => Number(of.eval(`count(descendant::${what})`));
  chargeTime(tree.budget, NODE_UNITS * count(element, 'node()'));
  return signatures
    .filter((one) => !one.isInner && isInLine(line, one.line))
    .reduce((left, one) => left - count(one.element, 'comment()'), count(element, 'comment()'));
}
