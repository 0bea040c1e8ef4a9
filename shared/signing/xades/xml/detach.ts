import { XmlDocument, type XmlElement } from 'libxml2-wasm';
import { lineOf } from './path.ts';
import { isElement } from './tree.ts';

/**
 * Moves an element into a document of its own. The cost depends on the element and not on the tree around it. It keeps
 * the namespaces in scope, so its canonical form stays the same, except where `losesWhenDetached` is true. Its nodes stay
 * usable and belong to the new document.
 */
export function detachElement(element: XmlElement, { rebinds }: { readonly rebinds: boolean }): XmlDocument {
  const inherited = inheritedNamespaces(element);
  const document = XmlDocument.create();
  document.root = element;
  for (const [prefix, uri] of inherited) element.addNsDeclaration(uri, prefix || undefined);
  if (rebinds) for (const [, uri] of inherited) rebind(element, uri);
  return document;
}

/** The namespaces in scope of an element that its ancestors declare, by prefix. */
export function inheritedNamespaces(element: XmlElement): (readonly [prefix: string, uri: string])[] {
  const found = new Map<string, string>();
  for (const outer of lineOf(element).slice(0, -1))
    for (const [prefix, uri] of Object.entries(outer.nsDeclarations)) found.set(prefix, uri); // the nearest counts
  const own = element.nsDeclarations;
  // The parser knows `xml` by itself.
  return [...found].filter(([prefix, uri]) => uri !== '' && prefix !== 'xml' && !Object.hasOwn(own, prefix));
}

// Elements still point to the declarations of the old tree, which inclusive canonicalisation takes for different ones.
// Outer elements come first, because a lookup climbs through them.
function rebind(element: XmlElement, uri: string): void {
  for (const one of element.find('descendant-or-self::u:*', { u: uri }).filter(isElement)) {
    const { prefix } = one;
    one.prefix = prefix; // looks it up from here
  }
}

// The library gives declarations as an object, which cannot hold this name.
const UNREPRESENTABLE_PREFIX = '__proto__';

/** Whether the element's canonical form may inherit something from its ancestors that would not move with it. */
export const losesWhenDetached = (element: XmlElement): boolean =>
  element.eval('boolean(ancestor::*/@xml:*)') === true ||
  element.namespaceForPrefix(UNREPRESENTABLE_PREFIX) !== null;
