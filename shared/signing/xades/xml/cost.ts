import { XmlRefused } from '../errors.ts';
import { eachTag } from './scan.ts';
import { inEncodingOf, type Source } from './source.ts';
import type { Totals } from './units.ts';

// The parser's stack overflows somewhere past 1,000 levels and cannot be used again afterwards.
const MAX_DEPTH = 256;

// What libxml2's tree takes for each node in 32-bit WebAssembly, measured.
const ELEMENT_BYTES = 72;
const ASIDE_BYTES = 80;
const ATTRIBUTE_BYTES = 144;
const NAMESPACE_BYTES = 64;
const COPIES = 2; // the input itself, and the text that the tree holds

// A tree may take nine times its document. Small documents may be denser: 16 MB is nothing.
const TREE_FLOOR_BYTES = 16 * 1024 * 1024;
const TREE_PER_BYTE = 9;

/** What a document holds, and the most that any of its elements has. */
export type Cost = {
  readonly totals: Totals;
  readonly most: { readonly levels: number; readonly scope: number; readonly attributes: number };
  readonly hasComments: boolean;
  readonly hasCData: boolean;
};

/**
 * Measures a document before it is parsed, and refuses one that is deep, or made to take far more memory than its size.
 * @example const { totals } = measure(source);
 */
export function measure(source: Source): Cost {
  const most = { levels: 0, scope: 0, attributes: 0 };
  const sums = { elements: 0, attributes: 0, attributesSquared: 0, namespaces: 0, asides: 0 };
  const around = { levels: 0, scope: 0, scopeSquared: 0 };
  const scopes = new Uint32Array(MAX_DEPTH + 1); // by level: how many namespaces are in scope outside of it
  let level = 0;
  let inScope = 0;
  const asidesAfter = eachTag(source, (tag) => {
    sums.asides += tag.asides;
    if (tag.kind === 'close') {
      level = Math.max(0, level - 1);
      inScope = scopes[level] ?? 0;
      return false;
    }
    const { attributes, namespaces } = tag;
    const scope = inScope + namespaces;
    sums.elements++;
    sums.attributes += attributes;
    sums.attributesSquared += attributes * attributes;
    sums.namespaces += namespaces;
    around.levels += level;
    around.scope += scope;
    around.scopeSquared += scope * scope;
    if (level > most.levels) most.levels = level;
    if (scope > most.scope) most.scope = scope;
    if (attributes > most.attributes) most.attributes = attributes;
    if (tag.kind === 'empty') return false;
    scopes[level++] = inScope;
    inScope = scope;
    if (level > MAX_DEPTH)
      throw new XmlRefused(
        'too-complex',
        `The document nests more than ${MAX_DEPTH} elements in each other.`,
      );
    return false;
  });
  sums.asides += asidesAfter;
  const totals = { bytes: source.bytes.length, ...slowOnes(source), ...sums, ...around };
  refuseLargeTree(totals);
  const has = (text: string): boolean => source.bytes.includes(inEncodingOf(source, text));
  return { totals, most, hasComments: has('<!--'), hasCData: has('<![CDATA[') };
}

function refuseLargeTree({ bytes, elements, asides, attributes, namespaces }: Totals): void {
  const treeBytes =
    COPIES * bytes +
    ELEMENT_BYTES * elements +
    ASIDE_BYTES * asides +
    ATTRIBUTE_BYTES * attributes +
    NAMESPACE_BYTES * namespaces;
  if (treeBytes > TREE_FLOOR_BYTES + TREE_PER_BYTE * bytes)
    throw new XmlRefused(
      'too-complex',
      'The document has so many elements, attributes or namespaces for its size that reading it would take too much memory.',
    );
}

const AMPERSAND = '&'.charCodeAt(0);

function slowOnes({ units, unitBytes, bytes }: Source): Pick<Totals, 'slowBytes' | 'references'> {
  let references = 0;
  for (let at = units.indexOf(AMPERSAND); at >= 0; at = units.indexOf(AMPERSAND, at + 1)) references++;
  // Taken for Latin-1, every byte outside ASCII has two in UTF-8. UTF-16 is turned into UTF-8 as a whole.
  const slowBytes =
    unitBytes === 2 ? bytes.length : Buffer.byteLength(bytes.toString('latin1')) - bytes.length;
  return { slowBytes, references };
}

/** The most that a part of a document can hold, by what was counted in it. Its bytes are counted when they are written. */
export const partTotals = (
  { elements, attributes, asides }: Pick<Totals, 'elements' | 'attributes' | 'asides'>,
  { most, totals }: Cost,
): Totals => ({
  bytes: 0,
  slowBytes: 0,
  references: 0,
  elements,
  attributes,
  attributesSquared: Math.min(attributes * most.attributes, totals.attributesSquared),
  namespaces: Math.min(elements * most.scope, totals.namespaces),
  levels: Math.min(elements * most.levels, totals.levels),
  scope: Math.min(elements * most.scope, totals.scope),
  scopeSquared: Math.min(elements * most.scope ** 2, totals.scopeSquared),
  asides,
});
