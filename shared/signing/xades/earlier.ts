import type { XmlElement } from 'libxml2-wasm';
import { XmlRefused } from './errors.ts';
import { signaturesOf } from './take-out.ts';
import { attributeOf, elementsIn, isNamed, NotAccepted, named, optional } from './verify/dom.ts';
import { readTransforms } from './verify/transforms.ts';
import { elementsById, ID_ATTRIBUTES, isWithin, lineOf, pathOf } from './xml/places.ts';
import type { Tree } from './xml/tree.ts';

/** Refuses to sign, or to put a signature into, a part of another signature. */
export function refuseInsideSignature(element: XmlElement): void {
  const around = lineOf(element).find((ancestor) => isNamed(ancestor, 'ds:Signature'));
  if (around)
    throw new XmlRefused(
      'inside-signature',
      `The element ${pathOf(element)} is part of a signature: nothing is signed or placed there.`,
    );
}

/**
 * Refuses to put a new signature where an earlier one already signed.
 *
 *   <lote>                       covered by      a new signature at the end of
 *     <nota Id="a"> ... </nota>  S1 (#a)         a: breaks S1    b: fine    lote: fine, and covers S1
 *     <nota Id="b"> ... </nota>  S2 (#b)         b: breaks S2
 *   </lote>                      S3 (all)        anywhere: breaks S3, unless S3 leaves all signatures out
 *
 * A plain signature takes only itself out of what it signs: any other in there changes its digest.
 */
export function refuseToBreakEarlier(tree: Tree, place: XmlElement, ids: readonly string[]): void {
  for (const signature of signaturesOf(tree)) {
    const covered = coveredAround(tree, signature, place, [...ID_ATTRIBUTES, ...ids]);
    if (covered)
      throw new XmlRefused(
        'breaks-earlier-signature',
        `The document has a signature over ${pathOf(covered)}, and one more inside that element would break it. Sign another element, place the new signature outside that one, or have the first signature made to leave room for others.`,
      );
  }
}

function coveredAround(
  tree: Tree,
  signature: XmlElement,
  place: XmlElement,
  ids: readonly string[],
): XmlElement | undefined {
  return referencesOf(signature)
    .filter((reference) => !leavesRoom(reference))
    .flatMap((reference) => targetsOf(tree, attributeOf(reference, 'URI'), ids))
    .find((covered) => isWithin(place, covered));
}

// A signature that cannot be read is no one's to protect.
function referencesOf(signature: XmlElement): XmlElement[] {
  try {
    const signedInfo = optional(signature, 'ds:SignedInfo');
    return signedInfo ? named(elementsIn(signedInfo), 'ds:Reference') : [];
  } catch (error) {
    if (error instanceof NotAccepted) return [];
    throw error;
  }
}

// Transforms that are not known here may well be valid elsewhere: they count as leaving no room.
function leavesRoom(reference: XmlElement): boolean {
  try {
    return readTransforms(optional(reference, 'ds:Transforms')).without === 'all-signatures';
  } catch (error) {
    if (error instanceof NotAccepted) return false;
    throw error;
  }
}

function targetsOf(tree: Tree, uri: string | undefined, ids: readonly string[]): XmlElement[] {
  if (uri === '') return [tree.root];
  return uri?.startsWith('#') ? elementsById(tree, uri.slice(1), ids) : [];
}
