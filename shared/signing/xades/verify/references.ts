import type { XmlElement } from 'libxml2-wasm';
import type { Digest } from '../../digest.ts';
import { COUNTERSIGNED, SIGNED_PROPERTIES } from '../namespaces.ts';
import { isInSignature, type Signature, takenOut } from '../signatures.ts';
import type { Template } from '../template.ts';
import { isInLine, lineOf } from '../xml/line.ts';
import type { Wanted } from '../xml/task.ts';
import { attributeOf, base64Of, isNamed, NotAccepted, namedAmong, optional, required } from './dom.ts';
import type { Reader } from './reader.ts';
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

/** What a reference says, before anything is looked up. */
export type Said = {
  /** Undefined for the whole document. */
  readonly id: string | undefined;
  readonly type: string | undefined;
  readonly plan: Plan;
  readonly digest: Digest;
  readonly value: Buffer;
};

export type Reference = Pick<Said, 'plan' | 'digest' | 'value'> & {
  readonly isProperties: boolean;
  /** Whether it is of something to sign, and not only of the signature's own parts. */
  readonly isContent: boolean;
  readonly target: XmlElement | 'document';
  readonly coverage: Coverage;
  /** The canonical form whose digest `value` must be. */
  readonly wanted: Wanted;
};

/** Reads a reference. Only to the document itself and to its elements is it allowed to point. */
export function readSaid(reference: XmlElement): Said {
  const { canonicalization, without } = readTransforms(optional(reference, 'ds:Transforms'));
  return {
    id: idIn(attributeOf(reference, 'URI')),
    type: attributeOf(reference, 'Type'),
    // Comments are never part of what a same-document reference names (XML Signature, 4.4.3.3).
    plan: { without, canonicalization: { ...canonicalization, withComments: false } },
    digest: readDigest(required(reference, 'ds:DigestMethod')),
    value: base64Of(required(reference, 'ds:DigestValue')),
  };
}

function idIn(uri: string | undefined): string | undefined {
  if (uri === '') return undefined;
  const id = uri?.startsWith('#') ? uri.slice(1) : undefined;
  if (id !== undefined && !id.startsWith('xpointer(')) return id;
  throw new NotAccepted(
    'XmlDSigCoreValidationFailed',
    `A reference points to ${uri === undefined ? 'nothing' : uri.slice(0, 100)}. Only the document itself and its elements by identifier are looked at.`,
  );
}

/** Finds the one element that a reference means, and tells what it covers. */
export function resolve(reader: Reader, signature: Signature, said: Said): Reference {
  const { type, plan, digest, value } = said;
  const target = said.id === undefined ? 'document' : targetOf(reader, said.id);
  refuseTakenOut(target, signature, plan);
  const outs = takenOut(target, plan.without, signature, reader.signatures);
  const out = outs.length === 0 ? 'nothing' : plan.without === 'all-signatures' ? 'all' : signature.at;
  return {
    ...{ plan, digest, value, target },
    isProperties: type === SIGNED_PROPERTIES,
    isContent: isContent(signature, target),
    coverage: coverageOf(reader, signature, target, said),
    wanted: {
      key: JSON.stringify({ id: said.id, out, how: plan.canonicalization }),
      of: target,
      without: outs.map(({ element }) => element),
      how: plan.canonicalization,
      as: digest,
    },
  };
}

// Inside the signature only an object holds content: not its key, its properties, or a list of yet other references,
// which are not looked at.
function isContent({ line }: Signature, target: Reference['target']): boolean {
  const places = target === 'document' ? [] : lineOf(target);
  if (target === 'document' || !isInLine(line, places)) return true;
  const part = places[line.length];
  if (!part || !isNamed(part, 'ds:Object') || namedAmong(part, 'xades:QualifyingProperties').length)
    return false;
  return namedAmong(part, 'ds:Manifest').length === 0;
}

function targetOf({ identified, pathOf }: Reader, id: string): XmlElement {
  const [found, another] = identified(id);
  if (!found) throw new NotAccepted('XmlDSigCoreValidationFailed', `The signed element ${id} is missing.`);
  if (!another) return found;
  throw new NotAccepted(
    'XmlDSigCoreValidationFailed',
    `Two elements have the signed identifier ${id}: ${pathOf(found)} and ${pathOf(another)}. Which was signed cannot be told.`,
  );
}

// What stands inside a signature that is taken out would be signed as nothing.
function refuseTakenOut(target: Reference['target'], { line }: Signature, { without }: Plan): void {
  if (target === 'document' || without === 'nothing') return;
  const isGone = without === 'all-signatures' ? isInSignature(target) : isInLine(line, lineOf(target));
  if (isGone)
    throw new NotAccepted(
      'XmlDSigCoreValidationFailed',
      'A reference names an element inside a signature and takes that signature out.',
    );
}

function coverageOf(
  { pathOf, commentsIn, tree }: Reader,
  { line }: Signature,
  target: Reference['target'],
  { plan: { without }, type }: Said,
): Coverage {
  const comments = commentsIn(target);
  if (target === 'document') return { kind: 'document', path: '/', isRoot: true, without, comments };
  const isOther = type === COUNTERSIGNED || isInSignature(target);
  return {
    kind: isInLine(line, lineOf(target)) ? 'own-part' : isOther ? 'signature' : 'element',
    path: pathOf(target),
    isRoot: target.isSameNode(tree.root),
    without,
    comments,
  };
}
