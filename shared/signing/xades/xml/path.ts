import type { XmlElement } from 'libxml2-wasm';
import { chargeTime } from '../../../bounds/budget.ts';
import { XmlRefused } from '../errors.ts';
import { requirePrefixes, requireSimplePath } from './path-syntax.ts';
import { elementsAt, isElement, type Tree } from './tree.ts';

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

type Family = { readonly parent: XmlElement; readonly name: string; readonly members: readonly XmlElement[] };

const SIBLING_UNITS = 800; // reading its name
const FAMILY_UNITS = 60_000; // the fixed cost
const KNOWN_FAMILY_UNITS = 10; // comparing it with the wanted one

/**
 * Creates a function that gives an element's path for people. Positions count siblings by the written name, prefix
 * included and namespace ignored, so no two elements have the same path.
 * @example const pathOf = pathsIn(tree); pathOf(element) // '/lote/nota[2]'
 */
export function pathsIn({ budget }: Tree): (element: XmlElement) => string {
  const families: Family[] = [];

  const familyOf = (parent: XmlElement, name: string): readonly XmlElement[] => {
    chargeTime(budget, KNOWN_FAMILY_UNITS * families.length);
    const known = families.find((family) => family.name === name && family.parent.isSameNode(parent));
    if (known) return known.members;
    chargeTime(budget, FAMILY_UNITS + SIBLING_UNITS * Number(parent.eval('count(*)')));
    const members = parent.find(`*[name()='${name}']`).filter(isElement);
    families.push({ parent, name, members });
    return members;
  };

  const stepTo = (element: XmlElement): string => {
    const name = writtenName(element);
    const family = element.parent ? familyOf(element.parent, name) : [];
    const position = family.length > 1 ? `[${family.findIndex((one) => one.isSameNode(element)) + 1}]` : '';
    return `/${name}${position}`;
  };

  return (element) => lineOf(element).map(stepTo).join('');
}

/** A name with its prefix. */
export const writtenName = ({ prefix, name }: { prefix: string; name: string }): string =>
  prefix ? `${prefix}:${name}` : name;

/** An element by a simple path. @example elementAtPath(tree, '//d:DadosDiploma', { d: 'https://portal.mec.gov.br/...' }) */
export function elementAtPath(
  tree: Tree,
  path: string,
  namespaces: Readonly<Record<string, string>>,
): XmlElement {
  requireSimplePath(path);
  requirePrefixes(path, namespaces);
  const [found, another] = elementsAt(tree, path, { ...namespaces });
  if (!found) throw new XmlRefused('element-not-found', `No element stands at ${path}.`);
  if (another)
    throw new XmlRefused('path-not-allowed', `More than one element stands at ${path}: give its position.`);
  return found;
}
