import type { XmlElement } from 'libxml2-wasm';
import { chargeTime } from '../../../bounds/budget.ts';
import { XmlRefused } from '../errors.ts';
import type { Identified } from './identifiers.ts';
import { idOf, isSelector, NO_SELECTOR, POSITION } from './selector.ts';
import { isElement, type Tree } from './tree.ts';
import { searchUnits } from './units.ts';

const STEP = new RegExp(`(?:[^/:]+:)?([^/:[]+)(${POSITION})?`, 'gu');

const NAME_TEST_UNITS = 400;
const MATCH_UNITS = 2000;

/**
 * Every element that a selector matches: `#id`, a name such as `infNFe`, or a path such as `/lote/nota[2]` or `//nota`.
 * Namespace injection: a name matches in every namespace, so a forged element in another one must be covered too.
 * @example selectElements(tree, 'infNFe', identified)
 */
export function selectElements(tree: Tree, selector: string, identified: Identified): readonly XmlElement[] {
  if (!isSelector(selector))
    throw new XmlRefused('path-not-allowed', `"${selector.slice(0, 100)}" ${NO_SELECTOR}`);
  const id = idOf(selector);
  if (id !== undefined) return identified(id);
  const path = selector.startsWith('/') ? selector : `//${selector}`;
  const steps = path.replace(STEP, (_, name: string, at = '') => `*[local-name()='${name}']${at}`);
  const { totals } = tree.cost;
  const count = path.split('/').filter(Boolean).length;
  // Matches are counted first, because each match costs more than the search.
  chargeTime(tree.budget, 2 * count * (searchUnits(totals) + NAME_TEST_UNITS * totals.elements));
  chargeTime(tree.budget, MATCH_UNITS * Number(tree.root.eval(`count(${steps})`)));
  return tree.document.find(steps).filter(isElement);
}
