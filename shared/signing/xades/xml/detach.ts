import { XmlDocument, type XmlElement } from 'libxml2-wasm';
import { lineOf } from './line.ts';
import { isElement } from './tree.ts';

/**
 * Moves an element out of its tree into a document of its own, which costs what it holds and not what stands around
 * it. It keeps the namespaces in scope, so that its canonical form is the same there, but for what `losesWhenMoved`
 * tells. Nodes of it stay usable, and belong to the new document.
 */
export function detachElement(element: XmlElement, { rebinds }: { readonly rebinds: boolean }): XmlDocument {
  const inherited = inheritedNamespaces(element);
  const document = XmlDocument.create();
  document.root = element;
  for (const [prefix, uri] of inherited) element.addNsDeclaration(uri, prefix || undefined);
  if (rebinds) for (const [, uri] of inherited) rebind(element, uri);
  return document;
}

/** The namespaces, by prefix, that are declared around an element and in scope in it. */
export function inheritedNamespaces(element: XmlElement): (readonly [prefix: string, uri: string])[] {
  const found = new Map<string, string>();
  for (const outer of lineOf(element).slice(0, -1))
    for (const [prefix, uri] of Object.entries(outer.nsDeclarations)) found.set(prefix, uri); // the nearest counts
  const own = element.nsDeclarations;
  // The parser knows `xml` by itself.
  return [...found].filter(([prefix, uri]) => uri !== '' && prefix !== 'xml' && !Object.hasOwn(own, prefix));
}

// Elements still point to the declarations that they left behind, and the inclusive forms take those for others than
// the ones that stand here now. Those around come first, because a lookup asks them.
function rebind(element: XmlElement, uri: string): void {
  for (const one of element.find('descendant-or-self::u:*', { u: uri }).filter(isElement)) {
    const { prefix } = one;
    one.prefix = prefix; // looks it up from here
  }
}

// An object, which is what declarations come in, cannot hold this name.
const UNREPRESENTABLE_PREFIX = '__proto__';

/** Whether a canonical form of the element may take something over from around it that would not move with it. */
export const losesWhenDetached = (element: XmlElement): boolean =>
  element.eval('boolean(ancestor::*/@xml:*)') === true ||
  element.namespaceForPrefix(UNREPRESENTABLE_PREFIX) !== null;
