import { XmlAttribute, type XmlElement } from 'libxml2-wasm';
import { chargeTime } from '../../../bounds/budget.ts';
import type { Tree } from './tree.ts';
import { searchUnits } from './units.ts';

const XSI = { xsi: 'http://www.w3.org/2001/XMLSchema-instance' };
const VALUES = "descendant-or-self::*/@*[contains(., ':')] | descendant::text()[contains(., ':')]";
const UNPREFIXED_TYPES = "descendant-or-self::*/@xsi:type[not(contains(., ':'))]";
const PREFIX = /[\p{L}_][\p{L}\p{N}_.-]*(?=:)/gu;

const VALUE_UNITS = 3000; // reading it, and looking up its prefixes
const CHARACTER_UNITS = 5;

/**
 * The prefixes that stand in values of an element, as `t` in `xsi:type="t:Monthly"`, in the words of a PrefixList.
 * Namespace substitution: exclusive canonicalisation writes the prefixes of names alone, so without that list a
 * signature does not cover what such a value means. One too many does no harm.
 */
export function valuePrefixes(tree: Tree, element: XmlElement): string[] {
  const { totals } = tree.cost;
  if (totals.namespaces === 0) return [];
  chargeTime(tree.budget, 4 * searchUnits(totals) + CHARACTER_UNITS * totals.bytes);
  chargeTime(tree.budget, VALUE_UNITS * Number(element.eval(`count(${VALUES})`)));
  const found = new Set<string>();
  for (const value of element.find(VALUES)) {
    const owner = value.parent;
    const written = value instanceof XmlAttribute ? value.value : value.content;
    for (const [prefix] of written.matchAll(PREFIX))
      if (!found.has(prefix) && owner?.namespaceForPrefix(prefix)) found.add(prefix);
  }
  const hasDefault = element.eval(`boolean(${UNPREFIXED_TYPES})`, XSI) === true;
  return [...(hasDefault ? ['#default'] : []), ...found];
}
