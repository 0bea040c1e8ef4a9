import { findPlace, identifierOf, type Place } from './prepare.ts';
import { elementById, ID_ATTRIBUTES } from './xml/identifiers.ts';
import { pathsIn } from './xml/path.ts';
import { openXml } from './xml/tree.ts';

/** The identifiers by which signatures cover these elements. @example identifiersAt(xml, [{ path: '//n:b', namespaces }]) */
export const identifiersAt = (document: Uint8Array, places: readonly Place[]): string[] =>
  openXml(document).parsed((tree) =>
    places.map((place) => identifierOf(tree, findPlace(tree, place, ID_ATTRIBUTES), ID_ATTRIBUTES)),
  );

/** The paths of the elements with these identifiers, as the reports of a document's signatures have them. */
export const pathsOfIdentified = (document: Uint8Array, ids: readonly string[]): string[] =>
  openXml(document).parsed((tree) => ids.map((id) => pathsIn(tree)(elementById(tree, id, ID_ATTRIBUTES))));
