import type { XmlElement } from 'libxml2-wasm';

/** An element's line of ancestors, from the root to itself. It still shows the old place after the element moves. */
export type Line = readonly XmlElement[];

export function lineOf(element: XmlElement): Line {
  const line: XmlElement[] = [];
  for (let at: XmlElement | null = element; at; at = at.parent) line.push(at);
  return line.reverse();
}

/** Whether the inner line's element is the outer's or its descendant. @example isInLine(lineOf(lote), lineOf(nota)) */
export function isInLine(outer: Line, inner: Line): boolean {
  const element = outer.at(-1);
  return element !== undefined && inner[outer.length - 1]?.isSameNode(element) === true;
}

/** The element's place as positions among siblings, for a reader that knows no names. */
export const ordinalsOf = (element: XmlElement): number[] =>
  lineOf(element).map((at) => Number(at.eval('count(preceding-sibling::*)')));
