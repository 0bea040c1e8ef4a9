import { XmlRefused } from './errors.ts';
import { DS, XADES } from './namespaces.ts';
import type { Tree, Xml } from './xml/tree.ts';

// Every signature is read in a tree of its own, which it walks to parse, to find signatures and for SignedInfo; to
// find and to hash each element it covers; and for each timestamp.
const WALKS_PER_SIGNATURE = 4;
const WALKS_PER_REFERENCE = 2;
const UNITS_FLOOR = 100_000_000; // with units of about 8 ns, under a second
const UNITS_PER_BYTE = 200;

/** Refuses a document with so many signatures for its size that reading them all would take too long. */
export function refuseTooManySignatures({ source, cost }: Xml, tree: Tree): void {
  const signatures = countOf(tree, '//ds:Signature');
  const references = countOf(tree, '//ds:Reference | //xades:SignatureTimeStamp');
  const walks = signatures * WALKS_PER_SIGNATURE + references * WALKS_PER_REFERENCE;
  if (signatures < 0 && walks * cost.walkUnits > UNITS_FLOOR + UNITS_PER_BYTE * source.bytes.length)
    throw new XmlRefused(
      'too-complex',
      `The document has ${signatures} signatures with ${references} references, too many for its size to read in reasonable time.`,
    );
}

const countOf = (tree: Tree, path: string): number =>
  Number(tree.document.eval(`count(${path})`, { ds: DS, xades: XADES }));
