import type { XmlElement } from 'libxml2-wasm';
import type { Digest } from '../../digest.ts';
import { SIGNED_PROPERTIES } from '../algorithms.ts';
import { isInSignature, type Signature, signaturesToExclude } from '../signatures.ts';
import type { Template } from '../template.ts';
import { isInLine, lineOf } from '../xml/path.ts';
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

/** The part that one reference of a signature covers. */
export type Coverage = {
  /**
   * 'document' is everything; 'element' is one element; 'own-part' is inside the signature itself; 'signature' is
   * inside another signature, as in a countersignature.
   */
  readonly kind: 'document' | 'element' | 'own-part' | 'signature';
  /** As a person reads it: `/lote/nota[2]`. Prefixes are the document's own. */
  readonly path: string;
  readonly isRoot: boolean;
  /** Signatures inside the element that are not covered with it. Each may hold anything. */
  readonly without: Template['without'];
  /** The number of comments inside, which are not covered (comment injection). */
  readonly comments: number;
  /** The path of an element whose text one of these comments splits. */
  readonly splitText: string | undefined;
  /** The path of an element whose text a CDATA section splits. The section is not covered, and what it holds is. */
  readonly splitByCData: string | undefined;
  /** Only the decoded text of the element is covered: not its name, not its attributes. */
  readonly isTextOnly: boolean;
};

/** A ds:Reference as written, before its target is looked up. */
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
  /** Whether it covers content, and not only the signature's own parts. */
  readonly isContent: boolean;
  readonly target: XmlElement | 'document';
  /** Where the signature stands relative to the target, if it has the enveloped-signature transform. */
  readonly enveloped: 'inside' | 'beside' | 'elsewhere' | undefined;
  readonly excluded: readonly Signature[];
  readonly coverage: Coverage;
  /** The bytes whose digest `value` must be: a canonical form, or decoded text. */
  readonly input: FormRequest | Buffer;
};

/** A detached signature: a reference points out of the document. */
export class ContentOutside extends Unsupported {}

/** Reads a reference. It may point to the document itself or to one of its elements, and nowhere else. */
export function parseReference(reference: XmlElement): ParsedReference {
  const id = readUri(attributeOf(reference, 'URI'));
  const { canonicalization, ...plan } = readTransforms(optionalChild(reference, 'ds:Transforms'));
  return {
    id,
    type: attributeOf(reference, 'Type'),
    // Comments are never part of what a same-document reference names (XML Signature, 4.4.3.3).
    plan: { ...plan, canonicalization: { ...canonicalization, withComments: false } },
    digest: readDigest(requireChild(reference, 'ds:DigestMethod')),
    value: base64Of(requireChild(reference, 'ds:DigestValue')),
  };
}

// External references: fetching a URI is request forgery (SSRF), and its content may change after verification. XPointer
// expressions can select different nodes in different readers. Neither is followed.
function readUri(uri: string | undefined): string | undefined {
  if (uri === '') return undefined;
  const id = uri?.startsWith('#') ? uri.slice(1) : undefined;
  if (id === undefined)
    throw new ContentOutside(
      'AlgorithmNotAllowed',
      `The signature covers ${uri === undefined ? 'content that it does not name' : uri.slice(0, 100)}, which is not in the document and was not looked at.`,
    );
  if (!id.startsWith('xpointer(')) return id;
  throw new Unsupported(
    'AlgorithmNotAllowed',
    `A reference points to ${uri?.slice(0, 100)}. Only the document itself and its elements by identifier are looked at.`,
  );
}

/** Finds the one element that a reference points to, and what it covers. */
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
    coverage: coverageOf(reader, signature, target, { ...parsed, isContent: isContent(signature, target) }),
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
    if (target !== 'document') return base64Content(target, reader.pathOf(target), reader.tree.budget);
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

// Inside the signature only a ds:Object holds content: not the key, not the properties, and not a ds:Manifest, which lists
// what is content. It counts only where the signature is the root (enveloping).
// Signature transplant: an enveloping signature that is pasted into a document covers nothing of that document.
function isContent({ line }: Signature, target: Reference['target']): boolean {
  const places = target === 'document' ? [] : lineOf(target);
  if (target === 'document' || !isInLine(line, places)) return true;
  const part = places[line.length];
  if (!part || line.length > 1 || !isNamed(part, 'ds:Object')) return false;
  return !(['xades:QualifyingProperties', 'ds:Manifest'] as const).some(
    (name) => findChildren(part, name).length,
  );
}

// Duplicate identifiers (signature wrapping): the verifier would digest one element and the application use the other.
function targetOf({ identified, pathOf }: Reader, id: string): XmlElement {
  const [found, another] = identified(id);
  if (!found) throw new NotAccepted('XmlDSigCoreValidationFailed', `The signed element ${id} is missing.`);
  if (!another) return found;
  throw new NotAccepted(
    'XmlDSigCoreValidationFailed',
    `Two elements have the signed identifier ${id}: ${pathOf(found)} and ${pathOf(another)}. Which was signed cannot be told.`,
  );
}

// Transform abuse: a target inside a signature that the transform removes has an empty canonical form. Its digest would
// match whatever the target holds.
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
  { pathOf, commentsIn, splitByCData, tree }: Reader,
  { line }: Signature,
  target: Reference['target'],
  { plan: { without, output }, isContent }: ParsedReference & { readonly isContent: boolean },
): Coverage {
  const { count: comments, splits } = isContent ? commentsIn(target) : NO_COMMENTS;
  const isTextOnly = output === 'base64';
  const split = isContent ? splitByCData(target) : undefined;
  const common = {
    ...{ without, comments, isTextOnly },
    splitText: splits && pathOf(splits),
    splitByCData: split && pathOf(split),
  };
  if (target === 'document') return { kind: 'document', path: '/', isRoot: true, ...common };
  const isOwn = isInLine(line, lineOf(target));
  return {
    kind: isOwn ? 'own-part' : isInSignature(target) ? 'signature' : 'element',
    path: pathOf(target),
    isRoot: target.isSameNode(tree.root),
    ...common,
  };
}

const NO_COMMENTS = { count: 0, splits: undefined };
