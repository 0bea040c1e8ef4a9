import { XmlAttribute, type XmlElement } from 'libxml2-wasm';
import { chargeTime } from '../../../bounds/budget.ts';
import { XmlRefused } from '../errors.ts';
import { pathsIn, writtenName } from './path.ts';
import type { Tree } from './tree.ts';
import { searchUnits } from './units.ts';

/** The default identifier attributes. No schema is read, so they are known by name. */
export const ID_ATTRIBUTES = ['Id', 'ID', 'id', 'xml:id'] as const;

/** WS-Security names its identifiers in a namespace of their own. */
const WSU = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd';

/** Whether an attribute is an identifier: one of these names, or wsu:Id, whatever its prefix. */
export const isIdentifier = (attribute: XmlAttribute, names: readonly string[]): boolean =>
  names.includes(writtenName(attribute)) || (attribute.name === 'Id' && attribute.namespaceUri === WSU);

// Two are enough to tell that an identifier is not one. More are kept, for parts of a signature that repeat one.
const MAX_SAME = 8;

const ATTRIBUTE_UNITS = 700; // reading its value

/** The elements with an identifier, found in one search of the whole tree. */
export type Identified = (id: string) => readonly XmlElement[];

/**
 * Finds the elements with these identifiers, at most eight for each. Duplicate identifiers (signature wrapping): two make
 * the reference ambiguous, and no signature may rest on it. @example identify(tree, ['n1', 'n2'], ID_ATTRIBUTES)('n1')
 */
export function identify(tree: Tree, ids: Iterable<string>, attributes: readonly string[]): Identified {
  const found = new Map<string, XmlElement[]>(Array.from(ids, (id) => [id, []]));
  if (found.size > 0) {
    const { totals } = tree.cost;
    chargeTime(tree.budget, searchUnits(totals) + ATTRIBUTE_UNITS * totals.attributes);
    for (const node of tree.document.find('/descendant::*/@*')) {
      if (!(node instanceof XmlAttribute)) continue;
      const known = found.get(node.value);
      const element = known && known.length < MAX_SAME && isIdentifier(node, attributes) && node.parent;
      if (element && !known.at(-1)?.isSameNode(element)) known.push(element);
    }
  }
  return (id) => found.get(id) ?? [];
}

/** The one element with this identifier. @example elementById(tree, 'Dip123', ID_ATTRIBUTES) */
export function elementById(tree: Tree, id: string, attributes: readonly string[]): XmlElement {
  const [found, another] = identify(tree, [id], attributes)(id);
  if (!found)
    throw new XmlRefused(
      'element-not-found',
      `No element has the identifier ${id} in any of the attributes ${attributes.join(', ')}.`,
    );
  if (!another) return found;
  const [one, two] = [found, another].map(pathsIn(tree));
  throw new XmlRefused('duplicate-id', `More than one element has the identifier ${id}: ${one} and ${two}.`);
}
