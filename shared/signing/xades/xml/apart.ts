import { XmlDocument, type XmlElement } from 'libxml2-wasm';
import { lineOf } from './line.ts';

/**
 * Moves an element out of its tree into a document of its own, which costs what it holds and not what stands around
 * it. It keeps the namespaces in scope, so that its canonical form is the same there, but for what `losesWhenMoved`
 * tells. Nodes of it stay usable, and belong to the new document.
 */
export function moveApart(element: XmlElement): XmlDocument {
  const own = element.nsDeclarations;
  const inherited = namespacesAround(element);
  const document = XmlDocument.create();
  document.root = element;
  for (const [prefix, uri] of inherited)
    if (uri !== '' && !Object.hasOwn(own, prefix)) element.addNsDeclaration(uri, prefix || undefined);
  return document;
}

// The nearest declaration of each prefix counts. The parser knows `xml` by itself.
function namespacesAround(element: XmlElement): Map<string, string> {
  const found = new Map<string, string>();
  for (const outer of lineOf(element).slice(0, -1))
    for (const [prefix, uri] of Object.entries(outer.nsDeclarations)) found.set(prefix, uri);
  found.delete('xml');
  return found;
}

// An object, which is what declarations come in, cannot hold this name.
const UNTOLD_PREFIX = '__proto__';

/** Whether a canonical form of the element may take something over from around it that would not move with it. */
export const losesWhenMoved = (element: XmlElement): boolean =>
  element.eval('boolean(ancestor::*/@xml:*)') === true || element.namespaceForPrefix(UNTOLD_PREFIX) !== null;
