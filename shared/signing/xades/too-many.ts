import { XmlRefused } from './errors.ts';
import { DS, XADES } from './namespaces.ts';
import type { Tree, Xml } from './xml/tree.ts';

// Every signature is read in a tree of its own, which is parsed and searched for it and for each element that it
// covers. Where it covers the whole document, that is walked for each of its parts too.
const WHOLE_DOCUMENT_WALKS = 4;
const UNITS_FLOOR = 300_000_000; // with units of up to 8 ns and mostly 3, about a second
const UNITS_PER_BYTE = 400;

/** Refuses a document with so many signatures for its size that reading them all would take too long. */
export function refuseTooManySignatures({ source, cost }: Xml, tree: Tree): void {
  const signatures = countOf(tree, '//ds:Signature');
  if (signatures === 0) return;
  const references = countOf(tree, '//ds:Reference | //xades:SignatureTimeStamp');
  const whole = countOf(tree, "//ds:Reference[@URI='']");
  const walks = signatures + references + whole * WHOLE_DOCUMENT_WALKS;
  if (walks * cost.walkUnits > UNITS_FLOOR + UNITS_PER_BYTE * source.bytes.length)
    throw new XmlRefused(
      'too-complex',
      `The document has ${signatures} signatures with ${references} references, too many for its size to read in reasonable time.`,
    );
}

const countOf = (tree: Tree, path: string): number =>
  Number(tree.document.eval(`count(${path})`, { ds: DS, xades: XADES }));
