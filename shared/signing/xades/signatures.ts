import type { XmlElement } from 'libxml2-wasm';
import { chargeTime } from '../../bounds/budget.ts';
import { DS, XADES } from './algorithms.ts';
import type { Template } from './template.ts';
import { isInLine, type Line, lineOf } from './xml/path.ts';
import { elementsAt, type Tree } from './xml/tree.ts';

/** A ds:Signature of a document, and its place. */
export type Signature = {
  /** Its index in document order. */
  readonly at: number;
  readonly element: XmlElement;
  readonly line: Line;
  /** Whether it is inside another signature. */
  readonly isInner: boolean;
};

// The cost of finding, reading and reporting one signature, and of each of its nodes, some of which are read repeatedly.
const SIGNATURE_UNITS = 1_200_000;
const NODE_UNITS = 3000;
const NODES =
  'count(node()) + count(ds:SignedInfo/descendant::node()) + count(ds:KeyInfo/descendant::node()) + count(ds:Object/node()) + count(ds:Object/xades:QualifyingProperties/descendant::node())';
const PREFIXES = { ds: DS, xades: XADES };

/** Every signature of a document, in document order. */
export function signaturesOf(tree: Tree): Signature[] {
  const elements = elementsAt(tree, '//ds:Signature', PREFIXES);
  chargeTime(tree.budget, SIGNATURE_UNITS * elements.length);
  return elements.map((element, at) => {
    chargeTime(tree.budget, NODE_UNITS * Number(element.eval(NODES, PREFIXES)));
    const isInner = element.eval('boolean(ancestor::ds:Signature)', PREFIXES) === true;
    return { at, element, line: lineOf(element), isInner };
  });
}

export const isInSignature = (element: XmlElement): boolean =>
  element.eval('boolean(ancestor-or-self::ds:Signature)', PREFIXES) === true;

/** The signatures that a transform removes from an element or the document, none of them inside another. */
export function signaturesToExclude(
  of: XmlElement | 'document',
  without: Template['without'],
  signature: Signature,
  signatures: readonly Signature[],
): readonly Signature[] {
  if (without === 'nothing') return [];
  const line = of === 'document' ? undefined : lineOf(of);
  const inside = (one: Signature): boolean => !line || isInLine(line, one.line);
  if (without === 'this-signature') return [signature].filter(inside);
  return signatures.filter((one) => !one.isInner && inside(one));
}
