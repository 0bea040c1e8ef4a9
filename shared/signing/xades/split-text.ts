import type { XmlElement, XmlTreeNode } from 'libxml2-wasm';
import { chargeTime } from '../../bounds/budget.ts';
import { DS } from './algorithms.ts';
import { isCharacters, isComment, isInstruction, isWritten, type Tree } from './xml/tree.ts';

/** The comments of an element, those in its signatures aside. */
export type Comments = {
  readonly count: number;
  /** An element whose text one of them splits. */
  readonly splits: XmlElement | undefined;
};

const NODE_UNITS = 80; // each node is visited twice
const COMMENT_UNITS = 1500;
const LEVEL_UNITS = 60; // climbing one level to look for a signature
const PREFIXES = { ds: DS };

/**
 * Comment injection (CVE-2017-11427 and its kin): in `10<!-- -->00` a reader that takes the first node of a text reads 10,
 * and the canonical form, which has no comments, says 1000. A comment behind a text, or between elements, splits nothing.
 */
export function commentsIn(tree: Tree, element: XmlElement): Comments {
  if (!tree.cost.hasComments) return { count: 0, splits: undefined };
  const depth = Number(element.eval('count(ancestor-or-self::ds:Signature)', PREFIXES));
  const own = `descendant::comment()[count(ancestor::ds:Signature) = ${depth}]`;
  chargeTime(tree.budget, NODE_UNITS * Number(element.eval('count(descendant::node())')));
  const perComment = COMMENT_UNITS + LEVEL_UNITS * tree.cost.most.levels;
  chargeTime(tree.budget, perComment * Number(element.eval('count(descendant::comment())')));
  const comments = element.find(own, PREFIXES).filter(isComment);
  const splits = comments.find(hasTextNext);
  return { count: comments.length, splits: splits?.parent ?? undefined };
}

/** Whether a text that is more than white space follows, with nothing but white space between. */
function hasTextNext({ next }: XmlTreeNode): boolean {
  let after = next;
  while (after && !isWritten(after) && isCharacters(after)) after = after.next;
  return isWritten(after);
}

/**
 * An element whose text a CDATA section splits, where the document has one, those in its signatures aside. In
 * `10<![CDATA[00]]>` a reader that takes the first node reads 10, and the canonical form, which has no sections, says 1000.
 */
export function splitByCData(tree: Tree, element: XmlElement): XmlElement | undefined {
  if (!tree.cost.hasCData) return undefined;
  const depth = Number(element.eval('count(ancestor-or-self::ds:Signature)', PREFIXES));
  // With a second predicate on the step, libxml2 would visit all the siblings of each text.
  const beside = `descendant::text()[following-sibling::node()[1]/self::text()][count(ancestor::ds:Signature) = ${depth}]`;
  const perNode = NODE_UNITS + LEVEL_UNITS * tree.cost.most.levels;
  chargeTime(tree.budget, perNode * Number(element.eval('count(descendant::node())')));
  const texts = element.find(beside, PREFIXES).filter(isCharacters);
  return texts.find((text) => isWritten(text) && hasTextNext(text))?.parent ?? undefined;
}

const MAX_SIBLINGS = 250; // more than a text with markup in it has, and far less than a list

/** A place among the nodes of a parent, of a signature that is there or is to be there. */
export type Position = {
  readonly parent: XmlElement | null;
  readonly prev: XmlTreeNode | null;
  readonly next: XmlTreeNode | null;
};

/** Whether a signature stands in a text. Behind the text of the very element that it signs, signers do put it. */
export function splitsText(
  tree: Tree,
  { parent, prev, next }: Position,
  isTarget: (parent: XmlElement) => boolean,
): boolean {
  if (!parent) return false;
  chargeTime(tree.budget, 2 * MAX_SIBLINGS * COMMENT_UNITS);
  return hasText(next, 'next') || (hasText(prev, 'prev') && !isTarget(parent));
}

function hasText(from: XmlTreeNode | null, way: 'prev' | 'next'): boolean {
  let node = from;
  for (let left = MAX_SIBLINGS; node && left > 0; left--) {
    if (isWritten(node)) return true;
    node = isInstruction(node) ? null : node[way];
  }
  return false;
}
