import { XmlRefused } from '../errors.ts';
import { tagsOf } from './scan.ts';
import type { Source } from './source.ts';

// The parser's stack overflows somewhere past 1,000 levels and cannot be used again afterwards.
const DEEPEST = 256;

// What libxml2's tree takes for each node in 32-bit WebAssembly, measured.
const ELEMENT_BYTES = 72;
const TEXT_BYTES = 80;
const ATTRIBUTE_BYTES = 144;
const NAMESPACE_BYTES = 64;
const COPIES = 2; // the input itself, and the text that the tree holds

// A tree may take nine times its document. Small documents may be denser: 16 MB is nothing.
const TREE_FLOOR_BYTES = 16 * 1024 * 1024;
const TREE_PER_BYTE = 9;

// Canonicalisation sorts attributes by insertion and looks every namespace in scope up for every element: both
// are quadratic. A unit is one such step, about 8 ns; a node costs about 60 of them, and its place is found by
// climbing to the root.
const NODE_UNITS = 60;
const LEVEL_UNITS = 2;
const UNITS_FLOOR = 50_000_000;
const UNITS_PER_BYTE = 40;

/** What one walk over a document costs, in units of about 8 ns. */
export type Cost = { readonly walkUnits: number };

/**
 * Measures a document before it is parsed, and refuses one made to take far more memory or time than its size.
 * @example const { walkUnits } = measure(source);
 */
export function measure(source: Source): Cost {
  const size = source.bytes.length;
  const mostTreeBytes = TREE_FLOOR_BYTES + TREE_PER_BYTE * size;
  const mostUnits = UNITS_FLOOR + UNITS_PER_BYTE * size;
  const scopes: number[] = [];
  let inScope = 0;
  let walkUnits = 0;
  let treeBytes = size * COPIES;
  for (const tag of tagsOf(source)) {
    if (tag.follows) treeBytes += TEXT_BYTES;
    if (tag.kind === 'close') {
      inScope = scopes.pop() ?? 0;
      continue;
    }
    const scope = inScope + tag.namespaces;
    const nodes = 2 + tag.attributes + tag.namespaces;
    treeBytes += ELEMENT_BYTES + tag.attributes * ATTRIBUTE_BYTES + tag.namespaces * NAMESPACE_BYTES;
    walkUnits += nodes * (NODE_UNITS + LEVEL_UNITS * scopes.length) + tag.attributes ** 2 + scope ** 2;
    if (treeBytes > mostTreeBytes || walkUnits > mostUnits)
      throw new XmlRefused(
        'too-complex',
        'The document has so many elements, attributes or namespaces for its size that reading it would take too much memory or time.',
      );
    if (tag.kind === 'empty') continue;
    if (scopes.push(inScope) > DEEPEST)
      throw new XmlRefused('too-complex', `The document nests more than ${DEEPEST} elements in each other.`);
    inScope = scope;
  }
  return { walkUnits };
}
