import type { XmlElement } from 'libxml2-wasm';
import { SIGNED_PROPERTIES } from './algorithms.ts';
import { XmlRefused } from './errors.ts';
import { isInSignature, signaturesOf } from './signatures.ts';
import { commentsIn, type Position, splitsText } from './split-text.ts';
import { attributeOf, elementsIn, filterByName, NotAccepted, optionalChild } from './verify/dom.ts';
import { readTransforms } from './verify/transforms.ts';
import { ID_ATTRIBUTES, identify } from './xml/identifiers.ts';
import { isInLine, lineOf, pathsIn } from './xml/path.ts';
import type { Tree } from './xml/tree.ts';

/** Refuses to sign a part of another signature, or to place a signature there. */
export function refuseInsideSignature(tree: Tree, element: XmlElement): void {
  if (isInSignature(element))
    throw new XmlRefused(
      'inside-signature',
      `The element ${pathsIn(tree)(element)} is part of a signature: nothing is signed or placed there.`,
    );
}

/** Refuses to make what no verifier here takes for valid: a text that a comment or the new signature itself splits. */
export function refuseSplitText(
  tree: Tree,
  signed: XmlElement,
  place: Position & { readonly parent: XmlElement },
): void {
  const { splits } = commentsIn(tree, signed);
  if (splits)
    throw new XmlRefused(
      'splits-text',
      `A comment splits the text of ${pathsIn(tree)(splits)}, and signatures do not cover comments: some readers would take a part of the text for the whole. Take the comment out, and sign then.`,
    );
  if (splitsText(tree, place, (parent) => parent.isSameNode(signed)))
    throw new XmlRefused(
      'splits-text',
      `The element ${pathsIn(tree)(place.parent)} holds text, and a signature in it would read as a part of that. Place it in an element without text.`,
    );
}

/**
 * Refuses to place a new signature inside content that an earlier one covers.
 *
 *   <lote>                       covered by      a new signature at the end of
 *     <nota Id="a"> ... </nota>  S1 (#a)         a: breaks S1    b: fine    lote: fine, and covers S1
 *     <nota Id="b"> ... </nota>  S2 (#b)         b: breaks S2
 *   </lote>                      S3 (all)        anywhere: breaks S3, unless S3 leaves all signatures out
 *
 * A plain signature takes only itself out of what it signs: any other in there changes its digest.
 */
export function refuseToBreakEarlier(tree: Tree, place: XmlElement, ids: readonly string[]): void {
  const uris = signaturesOf(tree)
    .flatMap(({ element }) => referencesOf(element))
    .filter((reference) => !isPropertiesReference(reference) && !excludesAllSignatures(reference))
    .map((reference) => attributeOf(reference, 'URI') ?? 'nothing');
  const line = lineOf(place);
  const named = uris.filter((uri) => uri.startsWith('#')).map((uri) => uri.slice(1));
  const identified = identify(tree, named, [...ID_ATTRIBUTES, ...ids]);
  const covered = uris
    .flatMap((uri) => (uri === '' ? [tree.root] : identified(uri.slice(1))))
    .find((one) => isInLine(lineOf(one), line));
  if (covered)
    throw new XmlRefused(
      'breaks-earlier-signature',
      `The document has a signature over ${pathsIn(tree)(covered)}, and one more inside that element would break it. Sign another element, place the new signature outside that one, or have the first signature made to leave room for others.`,
    );
}

// An unreadable signature is broken already: there is nothing to protect.
function referencesOf(signature: XmlElement): XmlElement[] {
  try {
    const signedInfo = optionalChild(signature, 'ds:SignedInfo');
    return signedInfo ? filterByName(elementsIn(signedInfo), 'ds:Reference') : [];
  } catch (error) {
    if (error instanceof NotAccepted) return [];
    throw error;
  }
}

// Nothing is placed inside a signature, so a reference to its properties cannot break.
const isPropertiesReference = (reference: XmlElement): boolean =>
  attributeOf(reference, 'Type') === SIGNED_PROPERTIES;

// Unknown transforms may be valid for other verifiers. They count as covering every signature inside.
function excludesAllSignatures(reference: XmlElement): boolean {
  try {
    return readTransforms(optionalChild(reference, 'ds:Transforms')).without === 'all-signatures';
  } catch (error) {
    if (error instanceof NotAccepted) return false;
    throw error;
  }
}
