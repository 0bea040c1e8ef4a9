import type { XmlElement } from 'libxml2-wasm';
import { lineOf } from './line.ts';
import { isElement, type Tree } from './tree.ts';
import { spend } from './work.ts';

type Family = { readonly parent: XmlElement; readonly name: string; readonly members: readonly XmlElement[] };

const SIBLING_UNITS = 800; // reading its name
const FAMILY_UNITS = 60_000; // the fixed cost
const KNOWN_FAMILY_UNITS = 10; // comparing it with the wanted one

/**
 * Creates a function that gives an element's path for people. Positions count siblings by the written name, prefix
 * included and namespace ignored, so no two elements have the same path.
 * @example const pathOf = pathsIn(tree); pathOf(element) // '/lote/nota[2]'
 */
export function pathsIn({ work }: Tree): (element: XmlElement) => string {
  const families: Family[] = [];

  const familyOf = (parent: XmlElement, name: string): readonly XmlElement[] => {
    spend(work, KNOWN_FAMILY_UNITS * families.length);
    const known = families.find((family) => family.name === name && family.parent.isSameNode(parent));
    if (known) return known.members;
    spend(work, FAMILY_UNITS + SIBLING_UNITS * Number(parent.eval('count(*)')));
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
