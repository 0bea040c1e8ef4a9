import { randomUUID } from 'node:crypto';
import type { XmlElement } from 'libxml2-wasm';
import type { Certificate } from '../../pki/certificate/certificate.ts';
import type { SignaturePolicy } from '../cms/policy.ts';
import type { Prepared } from '../cms/signer-info.ts';
import { hashOf, type SigningDigest } from '../digest.ts';
import { SigningRefused } from '../errors.ts';
import { checkKey } from '../key.ts';
import { refuseInsideSignature, refuseSplitText, refuseToBreakEarlier } from './earlier.ts';
import { XmlRefused } from './errors.ts';
import { type Insertion, isSibling } from './insertions.ts';
import { signaturesOf, signaturesToExclude } from './signatures.ts';
import { fillElements, signatureTemplate, type Template } from './template.ts';
import { attributeOf, type Name, requirePath } from './verify/dom.ts';
import { createXmlBudget } from './xml/budget.ts';
import { elementById, ID_ATTRIBUTES, isIdentifier } from './xml/identifiers.ts';
import { elementAtPath, isInLine, lineOf, ordinalsOf } from './xml/path.ts';
import { requireForm } from './xml/sink.ts';
import { type Gap, gapBy, splice } from './xml/splice.ts';
import { takeForms } from './xml/take-forms.ts';
import type { FormRequest } from './xml/task.ts';
import { openXml, reopenXml, type Tree, type Xml } from './xml/tree.ts';
import { valuePrefixes } from './xml/value-prefixes.ts';

/** An element by its identifier, or by a path of names such as `/a/n:b[2]` or `//n:b`. */
export type Place =
  | { readonly id: string }
  | { readonly path: string; readonly namespaces?: Readonly<Record<string, string>> };

export type XadesOptions = {
  /** The default is SHA-256. */
  readonly digest?: SigningDigest | undefined;
  /** The signer's claim. */
  readonly signingTimeMs: number;
  readonly policy?: SignaturePolicy | undefined;
  /** The element to sign, which must have an identifier. The default is the whole document. */
  readonly element?: Place | undefined;
  /** The element by which the signature is placed. The default is the signed element. */
  readonly placedIn?: Place | undefined;
  /** Where by that element. The default is its end. */
  readonly insertion?: Insertion | undefined;
  /** Attributes that are identifiers. The default is Id, ID, id and xml:id. */
  readonly idAttributes?: readonly string[] | undefined;
  /**
   * Excludes every signature in the element, and not only its own, so that others can sign the same element later. It
   * needs a transform (XPath Filter 2.0) that some verifiers refuse, .NET's among them.
   */
  readonly leaveRoom?: boolean | undefined;
  /** The default is exclusive, and inclusive for the content where that is the whole document. */
  readonly canonicalization?: Template['canonicalization'] | undefined;
  readonly mimeType?: string | undefined;
};

export type Signer = { readonly certificate: Certificate; readonly chain: readonly Certificate[] };

/** JSON of a few kilobytes, for a document of any size. */
export type XadesState = {
  readonly digest: SigningDigest;
  readonly id: string;
  /** Base64 of DER. */
  readonly certificate: string;
  /** Base64 of the canonical SignedInfo. */
  readonly toSign: string;
  /** The signature without its value. */
  readonly signature: string;
  readonly gap: Gap;
  /** SHA-256 of the document, which completeXades receives again. */
  readonly document: string;
};

// A document is read to find the place of the signature, and again with the signature in it.
const SIGNING_TIMES = 1.5;

const ALLOWED = new Set<string>(['sha256', 'sha384', 'sha512']);

/**
 * The first step: the hash that the signer's key must sign, and the state to keep until then.
 * @example const { hash, digest, state } = await prepareXades(xml, { certificate, chain, signingTimeMs: now() });
 */
export async function prepareXades(
  document: Uint8Array,
  options: XadesOptions & Signer,
): Promise<Prepared<XadesState>> {
  const { certificate, digest = 'sha256' } = options;
  if (!ALLOWED.has(digest))
    throw new SigningRefused(
      'digest-not-allowed',
      `${digest} makes no new signatures: use SHA-256 or longer.`,
    );
  checkKey(certificate.publicKey);
  const budget = createXmlBudget(document.length, SIGNING_TIMES);
  const xml = openXml(document, budget);
  const { gap, uri, without, content } = xml.parsed((tree) => {
    const { ordinals, ...rest } = locateSignature(tree, options);
    return { ...rest, gap: gapBy(xml.source, ordinals, options.insertion ?? 'AppendChild') };
  });
  const id = `signature-${randomUUID()}`;
  const template: Template = {
    id,
    certificate,
    chain: options.chain,
    digest,
    signingTimeMs: options.signingTimeMs,
    policy: options.policy,
    mimeType: options.mimeType ?? 'text/xml',
    canonicalization: options.canonicalization ?? 'exclusive',
    uri,
    without,
    content,
  };
  const { toSign, signature } = computeDigests(
    reopenXml(splice(xml.source, gap, signatureTemplate(template)), xml, budget),
    template,
    options,
  );
  return {
    digest,
    hash: hashOf(digest, toSign),
    toSign,
    state: {
      digest,
      id,
      certificate: certificate.der.toString('base64'),
      toSign: toSign.toString('base64'),
      signature,
      gap,
      document: hashOf('sha256', xml.source.bytes).toString('base64'),
    },
  };
}

type SignatureLocation = Pick<Template, 'uri' | 'without' | 'content'> & {
  readonly ordinals: readonly number[];
};

function locateSignature(tree: Tree, options: XadesOptions): SignatureLocation {
  const ids = options.idAttributes ?? ID_ATTRIBUTES;
  const element = options.element && findPlace(tree, options.element, ids);
  const by = options.placedIn ? findPlace(tree, options.placedIn, ids) : (element ?? tree.root);
  for (const part of [element, by]) if (part) refuseInsideSignature(tree, part);
  const position = positionBy(by, options.insertion ?? 'AppendChild');
  refuseToBreakEarlier(tree, position.parent, ids);
  refuseSplitText(tree, element ?? tree.root, position);
  const encloses = isInLine(lineOf(element ?? tree.root), lineOf(position.parent));
  return {
    uri: element ? `#${identifierOf(tree, element, ids)}` : '',
    without: options.leaveRoom ? 'all-signatures' : encloses ? 'this-signature' : 'nothing',
    ordinals: ordinalsOf(by),
    content: canonicalizationOf(tree, element, options),
  };
}

function positionBy(by: XmlElement, insertion: Insertion) {
  const parent = isSibling(insertion) ? by.parent : by;
  if (!parent)
    throw new XmlRefused(
      'outside-root',
      `Beside the root element ${by.name} there is no place for a signature: XML has one root. Place it in the element.`,
    );
  const { prev, next, firstChild, lastChild } = by;
  const around = {
    AppendChild: { prev: lastChild, next: null },
    PrependChild: { prev: null, next: firstChild },
    AppendSibling: { prev: by, next },
    PrependSibling: { prev, next: by },
  };
  return { parent, ...around[insertion] };
}

// Verifiers here take 16 prefixes, each of which costs them a lookup for every element.
const MAX_PREFIXES = 16;

// A prefix in a value, as in xsi:type="t:Monthly", must be signed with what it stands for. Inclusive canonicalisation
// signs every namespace in scope. That is right for a document, which has nothing around it. An element may be moved into
// another document (a signed part of a degree is), which brings other namespaces into scope: so it is exclusive, and lists
// the prefixes that stand in its values.
function canonicalizationOf(
  tree: Tree,
  element: XmlElement | undefined,
  { canonicalization: chosen }: XadesOptions,
): Template['content'] {
  if (chosen === 'inclusive' || (!element && chosen === undefined)) return { kind: 'inclusive' };
  const prefixes = valuePrefixes(tree, element ?? tree.root);
  if (prefixes.length > MAX_PREFIXES) return { kind: 'inclusive' };
  return { kind: 'exclusive', ...(prefixes.length > 0 && { prefixes }) };
}

export const findPlace = (tree: Tree, place: Place, ids: readonly string[]): XmlElement =>
  'id' in place ? elementById(tree, place.id, ids) : elementAtPath(tree, place.path, place.namespaces ?? {});

/** The identifier that an element is signed by. */
export function identifierOf(tree: Tree, element: XmlElement, ids: readonly string[]): string {
  const found = element.attrs.find((attribute) => isIdentifier(attribute, ids));
  if (!found)
    throw new XmlRefused(
      'element-not-found',
      `The element ${element.name} has no identifier to sign it by: give it one of the attributes ${ids.join(', ')}.`,
    );
  elementById(tree, found.value, ids); // refuses one that another element has too
  return found.value;
}

// The digests come from the document with the signature in it, by the steps of the verifier. So the result is known to
// verify before a key is used.
function computeDigests(
  xml: Xml,
  template: Template,
  { idAttributes: ids = ID_ATTRIBUTES }: XadesOptions,
): { toSign: Buffer; signature: string } {
  const { digest: as, uri, canonicalization, content } = template;
  const how = { kind: canonicalization, withComments: false };
  const { kind, prefixes } = content ?? { kind: canonicalization };
  const howContent = { kind, withComments: false, ...(prefixes && { prefixes }) };
  const { first, formOf } = takeForms(xml, (tree) => {
    const signatures = signaturesOf(tree);
    const signature = signatures.find(({ element }) => attributeOf(element, 'Id') === template.id);
    if (!signature) throw new XmlRefused('malformed', 'The document does not read the same way twice.');
    const target = uri === '' ? 'document' : elementById(tree, uri.slice(1), ids);
    const excluded = signaturesToExclude(target, template.without, signature, signatures);
    const part = (...names: readonly Name[]): XmlElement => requirePath(signature.element, ...names);
    const properties = part('ds:Object', 'xades:QualifyingProperties', 'xades:SignedProperties');
    const requests: FormRequest[] = [
      { key: 'signed info', of: part('ds:SignedInfo'), without: [], how, as: 'bytes' },
      { key: 'content', of: target, without: excluded.map(({ element }) => element), how: howContent, as },
      { key: 'properties', of: properties, without: [], how, as },
    ];
    return { requests };
  });
  const [signedInfo = Buffer.alloc(0), ...digests] = first.requests.map((request) =>
    requireForm(formOf(request)),
  );
  return {
    toSign: Buffer.from(fillElements(signedInfo.toString('utf8'), 'ds:DigestValue', digests)),
    signature: fillElements(signatureTemplate(template), 'ds:DigestValue', digests),
  };
}
