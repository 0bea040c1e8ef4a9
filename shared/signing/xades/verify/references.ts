import type { XmlElement } from 'libxml2-wasm';
import type { Digest } from '../../digest.ts';
import { COUNTERSIGNED, DS, SIGNED_PROPERTIES } from '../namespaces.ts';
import { takenOut } from '../take-out.ts';
import type { Template } from '../template.ts';
import { elementsById, isWithin, pathOf } from '../xml/places.ts';
import type { Tree } from '../xml/tree.ts';
import { attributeOf, base64Of, NotAccepted, optional, required } from './dom.ts';
import { type Plan, readDigest, readTransforms } from './transforms.ts';

/** What one reference of a signature covers. */
export type Coverage = {
  /**
   * 'document' is everything; 'element' one element; 'own-part' something inside the signature itself;
   * 'signature' something inside another signature, as a countersignature covers.
   */
  readonly kind: 'document' | 'element' | 'own-part' | 'signature';
  /** As a person reads it: `/lote/nota[2]`. Prefixes are the document's own. */
  readonly path: string;
  readonly isRoot: boolean;
  /** Signatures that stand in the element and are not covered with it: any of them may hold anything. */
  readonly without: Template['without'];
  /** Comments inside: they are not covered, and can split a text for readers that take its first part only. */
  readonly comments: number;
};

export type Reference = {
  readonly isProperties: boolean;
  readonly target: XmlElement | 'document';
  readonly plan: Plan;
  readonly digest: Digest;
  readonly value: Buffer;
  readonly coverage: Coverage;
};

/** Reads a reference and finds the one element it means. Only this document is looked at. */
export function readReference(
  tree: Tree,
  signature: XmlElement,
  reference: XmlElement,
  ids: readonly string[],
): Reference {
  const type = attributeOf(reference, 'Type');
  const plan = readTransforms(optional(reference, 'ds:Transforms'));
  const target = targetOf(tree, attributeOf(reference, 'URI'), ids);
  refuseTakenOut(tree, signature, target, plan);
  return {
    isProperties: type === SIGNED_PROPERTIES,
    target,
    // Comments are never part of what a same-document reference names (XML Signature, 4.4.3.3).
    plan: { ...plan, canonicalization: { ...plan.canonicalization, withComments: false } },
    digest: readDigest(required(reference, 'ds:DigestMethod')),
    value: base64Of(required(reference, 'ds:DigestValue')),
    coverage: coverageOf(tree, signature, target, plan, type),
  };
}

function targetOf(tree: Tree, uri: string | undefined, ids: readonly string[]): XmlElement | 'document' {
  if (uri === '') return 'document';
  const id = uri?.startsWith('#') ? uri.slice(1) : undefined;
  if (id === undefined || id.startsWith('xpointer('))
    throw new NotAccepted(
      'XmlDSigCoreValidationFailed',
      `A reference points to ${uri === undefined ? 'nothing' : uri.slice(0, 100)}. Only the document itself and its elements by identifier are looked at.`,
    );
  const [found, another] = elementsById(tree, id, ids);
  if (!found) throw new NotAccepted('XmlDSigCoreValidationFailed', `The signed element ${id} is missing.`);
  if (another)
    throw new NotAccepted(
      'XmlDSigCoreValidationFailed',
      `Two elements have the signed identifier ${id}: ${pathOf(found)} and ${pathOf(another)}. Which was signed cannot be told.`,
    );
  return found;
}

// What stands inside a signature that is taken out would be signed as nothing.
function refuseTakenOut(
  tree: Tree,
  signature: XmlElement,
  target: XmlElement | 'document',
  plan: Plan,
): void {
  if (target === 'document') return;
  if (takenOut(tree, plan.without, signature).some((gone) => isWithin(target, gone)))
    throw new NotAccepted(
      'XmlDSigCoreValidationFailed',
      'A reference names an element inside a signature and takes that signature out.',
    );
}

function coverageOf(
  tree: Tree,
  signature: XmlElement,
  target: XmlElement | 'document',
  { without }: Plan,
  type: string | undefined,
): Coverage {
  if (target === 'document')
    return { kind: 'document', path: '/', isRoot: true, without, comments: commentsIn(tree.root) };
  const isOther = type === COUNTERSIGNED || target.eval(INSIDE_A_SIGNATURE) === true;
  return {
    kind: isWithin(target, signature) ? 'own-part' : isOther ? 'signature' : 'element',
    path: pathOf(target),
    isRoot: target.isSameNode(tree.root),
    without,
    comments: commentsIn(target),
  };
}

const A_SIGNATURE = `self::*[local-name()='Signature' and namespace-uri()='${DS}']`;
const INSIDE_A_SIGNATURE = `boolean(ancestor-or-self::*[${A_SIGNATURE}])`;
const COMMENTS = `count(.//comment()[not(ancestor::*[${A_SIGNATURE}])])`;

const commentsIn = (element: XmlElement): number => Number(element.eval(COMMENTS));
