import { randomUUID } from 'node:crypto';
import type { XmlElement } from 'libxml2-wasm';
import type { Certificate } from '../../pki/certificate.ts';
import type { Prepared } from '../cms/signer-info.ts';
import { hashOf, type SigningDigest } from '../digest.ts';
import { SigningRefused } from '../errors.ts';
import { checkKey } from '../key.ts';
import type { SignaturePolicy } from '../policy.ts';
import { refuseInsideSignature, refuseToBreakEarlier } from './earlier.ts';
import { XmlRefused } from './errors.ts';
import { remove, takenOut } from './take-out.ts';
import { filled, partIds, signatureTemplate, type Template } from './template.ts';
import { refuseTooManySignatures } from './too-many.ts';
import { required } from './verify/dom.ts';
import { canonicalBytes, canonicalDigest } from './xml/canonical.ts';
import { elementAtPath, elementById, ID_ATTRIBUTES, isWithin, ordinalsOf } from './xml/places.ts';
import { endOf, type Gap, splice } from './xml/splice.ts';
import { openXml, type Tree } from './xml/tree.ts';

/** An element by its identifier, or by a path of names such as `/a/n:b[2]` or `//n:b`. */
export type Place =
  | { readonly id: string }
  | { readonly path: string; readonly namespaces?: Readonly<Record<string, string>> };

export type XadesOptions = {
  /** SHA-256 when not given. */
  readonly digest?: SigningDigest | undefined;
  /** What the signer claims. */
  readonly signingTimeMs: number;
  readonly policy?: SignaturePolicy | undefined;
  /** The element that is signed; it must carry an identifier. Without it the whole document is signed. */
  readonly element?: Place | undefined;
  /** The element at whose end the signature stands: the signed element when not given. */
  readonly placedIn?: Place | undefined;
  /** Which attributes are identifiers: Id, ID, id and xml:id when not given. */
  readonly idAttributes?: readonly string[] | undefined;
  /**
   * Signs the element without any signature in it, and not only without its own, so that others can sign the same
   * later. It needs a transform (XPath Filter 2.0) that some verifiers refuse, .NET's among them.
   */
  readonly leaveRoom?: boolean | undefined;
  readonly canonicalization?: Template['canonicalization'] | undefined;
  readonly mimeType?: string | undefined;
};

export type Signer = { readonly certificate: Certificate; readonly chain: readonly Certificate[] };

/** JSON of a few kilobytes, whatever the document's size. */
export type XadesState = {
  readonly digest: SigningDigest;
  readonly id: string;
  /** Base64 of DER. */
  readonly certificate: string;
  /** Base64 of the canonical SignedInfo. */
  readonly toSign: string;
  /** The signature, whole but for its value. */
  readonly signature: string;
  readonly gap: Gap;
  /** SHA-256 of the document, which is given again to complete. */
  readonly document: string;
};

const ALLOWED = new Set<string>(['sha256', 'sha384', 'sha512']);

/**
 * The first step: the hash that the signer's key must sign, and what to keep until it has.
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
  const xml = openXml(document);
  const { gap, uri, without } = xml.parsed((tree) => {
    refuseTooManySignatures(xml, tree);
    const { ordinals, ...rest } = chosen(tree, options);
    return { ...rest, gap: endOf(xml.source, ordinals) };
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
  };
  const { toSign, signature } = digested(
    splice(xml.source, gap, signatureTemplate(template)),
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

type Chosen = Pick<Template, 'uri' | 'without'> & { readonly ordinals: readonly number[] };

function chosen(tree: Tree, options: XadesOptions): Chosen {
  const ids = options.idAttributes ?? ID_ATTRIBUTES;
  const element = options.element && placeOf(tree, options.element, ids);
  const place = options.placedIn ? placeOf(tree, options.placedIn, ids) : (element ?? tree.root);
  for (const part of [element, place]) if (part) refuseInsideSignature(part);
  refuseToBreakEarlier(tree, place, ids);
  const encloses = isWithin(place, element ?? tree.root);
  return {
    uri: element ? `#${identifierOf(tree, element, ids)}` : '',
    without: options.leaveRoom ? 'all-signatures' : encloses ? 'this-signature' : 'nothing',
    ordinals: ordinalsOf(place),
  };
}

const placeOf = (tree: Tree, place: Place, ids: readonly string[]): XmlElement =>
  'id' in place ? elementById(tree, place.id, ids) : elementAtPath(tree, place.path, place.namespaces ?? {});

function identifierOf(tree: Tree, element: XmlElement, ids: readonly string[]): string {
  const found = element.attrs.find(({ prefix, name }) => ids.includes(prefix ? `${prefix}:${name}` : name));
  if (!found)
    throw new XmlRefused(
      'element-not-found',
      `The element ${element.name} has no identifier to sign it by: give it one of the attributes ${ids.join(', ')}.`,
    );
  elementById(tree, found.value, ids); // refuses one that another element has too
  return found.value;
}

// The digests are taken from the document as it will be, by the same steps a verifier takes: what is about to be
// signed is known to verify before a key is asked for.
function digested(
  bytes: Buffer,
  template: Template,
  { idAttributes: ids = ID_ATTRIBUTES }: XadesOptions,
): { toSign: Buffer; signature: string } {
  const xml = openXml(bytes);
  const how = { kind: template.canonicalization, withComments: false };
  return xml.parsed((tree) => {
    const signature = elementById(tree, template.id, ['Id']);
    const properties = elementById(tree, partIds(template.id).properties, ['Id']);
    const signedInfo = required(signature, 'ds:SignedInfo');
    const propertiesDigest = canonicalDigest(tree, properties, how, template.digest);
    const unfilled = canonicalBytes(tree, signedInfo, how).toString('utf8');
    const target = template.uri === '' ? 'document' : elementById(tree, template.uri.slice(1), ids);
    remove(takenOut(tree, template.without, signature));
    const digests = [canonicalDigest(tree, target, how, template.digest), propertiesDigest];
    return {
      toSign: Buffer.from(filled(unfilled, 'ds:DigestValue', digests)),
      signature: filled(signatureTemplate(template), 'ds:DigestValue', digests),
    };
  });
}
