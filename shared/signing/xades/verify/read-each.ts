import type { XmlElement } from 'libxml2-wasm';
import { type Finding, failed } from '../../../pki/validation-results.ts';
import { XmlRefused } from '../errors.ts';
import { signaturesOf } from '../take-out.ts';
import { refuseTooManySignatures } from '../too-many.ts';
import { pathOf } from '../xml/places.ts';
import { openXml, type Tree } from '../xml/tree.ts';
import { attributeOf, NotAccepted } from './dom.ts';
import { type Facts, factsOf } from './facts.ts';

/** A signature that was read, or why it could not be. */
export type Reading = { readonly path: string; readonly id: string | undefined } & (
  | { readonly facts: Facts }
  | { readonly refusal: Finding }
);

/** Reads the signatures of a document one by one, in their order. */
export function readEach(document: Uint8Array, ids: readonly string[]): Reading[] {
  const xml = openXml(document);
  const count = xml.parsed((tree) => {
    refuseTooManySignatures(xml, tree);
    return signaturesOf(tree).length;
  });
  return Array.from({ length: count }, (_, at) => xml.parsed((tree) => readOne(tree, at, ids)));
}

function readOne(tree: Tree, at: number, ids: readonly string[]): Reading {
  const signature = signaturesOf(tree)[at];
  if (!signature) throw new XmlRefused('malformed', 'The document does not read the same way twice.');
  const place = { path: pathOf(signature), id: attributeOf(signature, 'Id') };
  return { ...place, ...factsOrRefusal(tree, signature, ids) };
}

function factsOrRefusal(
  tree: Tree,
  signature: XmlElement,
  ids: readonly string[],
): { facts: Facts } | { refusal: Finding } {
  try {
    return { facts: factsOf(tree, signature, ids) };
  } catch (error) {
    if (error instanceof NotAccepted) return { refusal: failed(error.type, error.message) };
    if (error instanceof XmlRefused) return { refusal: failed('XmlDSigCoreValidationFailed', error.message) };
    throw error;
  }
}
