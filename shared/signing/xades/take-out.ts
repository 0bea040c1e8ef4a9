import type { XmlElement } from 'libxml2-wasm';
import { DS } from './namespaces.ts';
import type { Template } from './template.ts';
import { elementsAt, type Tree } from './xml/tree.ts';

/** Every signature of a document, in its order. */
export const signaturesOf = (tree: Tree): XmlElement[] => elementsAt(tree, '//ds:Signature', { ds: DS });

/** The signatures that a transform takes out of what is signed, none of them inside another. */
export function takenOut(tree: Tree, without: Template['without'], signature: XmlElement): XmlElement[] {
  if (without === 'nothing') return [];
  if (without === 'this-signature') return [signature];
  return elementsAt(tree, '//ds:Signature[not(ancestor::ds:Signature)]', { ds: DS });
}

/** Removes elements from the tree for good: no node inside them may be touched afterwards. */
export function remove(elements: readonly XmlElement[]): void {
  for (const element of elements) element.remove();
}
