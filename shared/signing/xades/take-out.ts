import type { XmlElement } from 'libxml2-wasm';
import { DS } from './namespaces.ts';
import type { Template } from './template.ts';
import { lineOf } from './xml/places.ts';
import { elementsAt, isElement, type Tree } from './xml/tree.ts';

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

/**
 * Leaves only some elements, with those around them, in the tree: walks over it then cost what they are about, and
 * not what the document is. Canonical form is the same, because it looks only inside and around an element.
 */
export function keepOnly(tree: Tree, kept: readonly XmlElement[]): void {
  const clear = (parent: XmlElement, lines: readonly XmlElement[][], depth: number): void => {
    if (kept.some((element) => element.isSameNode(parent))) return;
    for (const child of parent.find('*').filter(isElement)) {
      const inside = lines.filter((line) => line[depth]?.isSameNode(child));
      if (inside.length) clear(child, inside, depth + 1);
      else child.remove();
    }
  };
  clear(tree.root, kept.map(lineOf), 1);
}
