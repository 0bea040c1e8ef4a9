import type { XmlElement } from 'libxml2-wasm';
import type { Digest } from '../../digest.ts';
import { SIGNED_PROPERTIES } from '../namespaces.ts';
import { isInSignature, type Signature, signaturesToExclude } from '../signatures.ts';
import type { Template } from '../template.ts';
import { isInLine, lineOf } from '../xml/line.ts';
import type { FormRequest } from '../xml/task.ts';
import {
  attributeOf,
  base64Of,
  findChildren,
  isNamed,
  NotAccepted,
  optionalChild,
  requireChild,
  Unsupported,
} from './dom.ts';
import type { Reader } from './reader.ts';
import { base64Content, readDigest, readTransforms, type TransformPlan } from './transforms.ts';

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
  /** Only the bytes that the element's text spells are covered: not its name, not its attributes. */
  readonly isTextOnly: boolean;
};

/** What a reference says, before anything is looked up. */
export type ParsedReference = {
  /** Undefined for the whole document. */
  readonly id: string | undefined;
  readonly type: string | undefined;
  readonly plan: TransformPlan;
  readonly digest: Digest;
  readonly value: Buffer;
};

export type Reference = Pick<ParsedReference, 'plan' | 'digest' | 'value'> & {
  readonly isProperties: boolean;
  /** Whether it is of something to sign, and not only of the signature's own parts. */
  readonly isContent: boolean;
  readonly target: XmlElement | 'document';
  /** Where the signature stands, when it takes itself out of what it references. */
  readonly enveloped: 'inside' | 'beside' | 'elsewhere' | undefined;
  readonly excluded: readonly Signature[];
  readonly coverage: Coverage;
  /** The bytes whose digest `value` must be: a canonical form, or decoded text. */
  readonly input: FormRequest | Buffer;
};

/** Reads a reference. Only to the document itself and to its elements is it allowed to point. */
export function parseReference(reference: XmlElement): ParsedReference {
  const { canonicalization, ...plan } = readTransforms(optionalChild(reference, 'ds:Transforms'));
  return {
    id: readUri(attributeOf(reference, 'URI')),
    type: attributeOf(reference, 'Type'),
    // Comments are never part of what a same-document reference names (XML Signature, 4.4.3.3).
    plan: { ...plan, canonicalization: { ...canonicalization, withComments: false } },
    digest: readDigest(requireChild(reference, 'ds:DigestMethod')),
    value: base64Of(requireChild(reference, 'ds:DigestValue')),
  };
}

function readUri(uri: string | undefined): string | undefined {
  if (uri === '') return undefined;
  const id = uri?.startsWith('#') ? uri.slice(1) : undefined;
  if (id !== undefined && !id.startsWith('xpointer(')) return id;
  throw new Unsupported(
    'XmlDSigCoreValidationFailed',
    `A reference points to ${uri === undefined ? 'nothing' : uri.slice(0, 100)}. Only the document itself and its elements by identifier are looked at.`,
  );
}

/** Finds the one element that a reference means, and tells what it covers. */
export function resolveReference(reader: Reader, signature: Signature, parsed: ParsedReference): Reference {
  const { type, plan, digest, value } = parsed;
  const target = parsed.id === undefined ? 'document' : targetOf(reader, parsed.id);
  const excluded = signaturesToExclude(target, plan.without, signature, reader.signatures);
  refuseExcludedTarget(target, signature, plan, excluded);
  return {
    ...{ plan, digest, value, target, excluded },
    isProperties: type === SIGNED_PROPERTIES,
    isContent: isContent(signature, target),
    enveloped: plan.isEnveloped ? envelopedPlaceOf(signature, target) : undefined,
    coverage: coverageOf(reader, signature, target, parsed),
    input: inputOf(reader, signature, parsed, { target, excluded }),
  };
}

function inputOf(
  reader: Reader,
  signature: Signature,
  { id, plan, digest }: ParsedReference,
  { target, excluded }: Pick<Reference, 'target' | 'excluded'>,
): FormRequest | Buffer {
  if (plan.output === 'base64') {
    if (target !== 'document') return base64Content(target, reader.pathOf(target), reader.tree.work);
    throw new Unsupported('AlgorithmNotAllowed', 'The text of a whole document is not decoded as Base64.');
  }
  const out = excluded.length === 0 ? 'nothing' : plan.without === 'all-signatures' ? 'all' : signature.at;
  return {
    key: JSON.stringify({ id, out, how: plan.canonicalization }),
    of: target,
    without: excluded.map(({ element }) => element),
    how: plan.canonicalization,
    as: digest,
  };
}

// Inside the signature only an object holds content: not its key, its properties, or a list of yet other references,
// which are not looked at. And only where the signature is the root (enveloping): pasted into a document, it covers
// nothing of that document.
function isContent({ line }: Signature, target: Reference['target']): boolean {
  const places = target === 'document' ? [] : lineOf(target);
  if (target === 'document' || !isInLine(line, places)) return true;
  const part = places[line.length];
  if (!part || line.length > 1 || !isNamed(part, 'ds:Object')) return false;
  return !(['xades:QualifyingProperties', 'ds:Manifest'] as const).some(
    (name) => findChildren(part, name).length,
  );
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
function refuseExcludedTarget(
  target: Reference['target'],
  { line }: Signature,
  { without }: TransformPlan,
  excluded: readonly Signature[],
): void {
  if (without === 'nothing') return;
  if (target === 'document') {
    if (excluded.every((out) => out.line.length > 1)) return;
    throw new NotAccepted(
      'XmlDSigCoreValidationFailed',
      'A reference names the document and takes out its root, so that nothing is left.',
    );
  }
  const isGone = without === 'all-signatures' ? isInSignature(target) : isInLine(line, lineOf(target));
  if (isGone)
    throw new NotAccepted(
      'XmlDSigCoreValidationFailed',
      'A reference names an element inside a signature and takes that signature out.',
    );
}

function envelopedPlaceOf({ line }: Signature, target: Reference['target']): Reference['enveloped'] {
  if (target === 'document' || isInLine(lineOf(target), line)) return 'inside';
  return isInLine(lineOf(target).slice(0, -1), line.slice(0, -1)) && line.length === lineOf(target).length
    ? 'beside'
    : 'elsewhere';
}

function coverageOf(
  { pathOf, commentsIn, tree }: Reader,
  { line }: Signature,
  target: Reference['target'],
  { plan: { without, output } }: ParsedReference,
): Coverage {
  const comments = commentsIn(target);
  const isTextOnly = output === 'base64';
  if (target === 'document')
    return { kind: 'document', path: '/', isRoot: true, without, comments, isTextOnly };
  const isOwn = isInLine(line, lineOf(target));
  return {
    kind: isOwn ? 'own-part' : isInSignature(target) ? 'signature' : 'element',
    path: pathOf(target),
    isRoot: target.isSameNode(tree.root),
    without,
    comments,
    isTextOnly,
  };
}
