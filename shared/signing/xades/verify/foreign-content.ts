import type { XmlElement, XmlNode } from 'libxml2-wasm';
import { errorFinding, type Finding } from '../../../pki/findings/validation-results.ts';
import type { Signature } from '../signatures.ts';
import { isIdentifier } from '../xml/identifiers.ts';
import { writtenName } from '../xml/path.ts';
import { childNodes, isElement, isInstruction, isWritten } from '../xml/tree.ts';
import { type Around, aroundSignature, inContent, namespacesIn } from './around.ts';
import { elementsIn, isNamed, SIGNATURE_NAMESPACES } from './dom.ts';
import { isInPlace, mayHoldText } from './places.ts';
import { olderQualifyingOf, qualifyingOf } from './properties.ts';
import type { Reader } from './reader.ts';
import type { Reference } from './references.ts';

export type ForeignInput = {
  readonly signature: Signature;
  readonly references: readonly Reference[];
  /** Whether a reference could not be read. It may be over any of the signature's objects. */
  readonly hasUnread: boolean;
};

const MAX_FINDINGS = 3;

// WS-Security: KeyInfo points to a certificate in the header by an element of the header's own namespace. It is unsigned
// content as any other, and no attack.
const WSSE = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd';

const KNOWN = Object.values(SIGNATURE_NAMESPACES);

/**
 * Content injection: a signature does not sign its own KeyInfo, unsigned properties and unsigned objects, and the
 * enveloped-signature transform removes it wherever it stands. Moved in front of the content, with a forged `<pay>` in
 * it, it makes readers that search by name read the forged one. So every element that a signature does not sign must be
 * one of the schemas, in its place. What it does sign may be anything but of the document's own namespaces.
 */
export function foreignFindings(reader: Reader, input: ForeignInput): Finding[] {
  const { strays, signed, unsigned } = walkSignature(reader, input);
  const around = aroundSignature(reader, input.signature);
  const content = inContent(input.references, input.signature);
  const isTaken = (part: XmlElement): boolean =>
    namespacesIn(reader, part, [WSSE]).some(
      ({ namespaceUri: uri }) => around.hasNamespace(uri) || content.hasNamespace(uri),
    );
  return [
    ...strays
      .slice(0, MAX_FINDINGS)
      .map(({ path, element }) => strayFinding(path, element !== undefined && isTaken(element))),
    ...sameNameFindings(reader, unsigned),
    ...signedFindings(reader, input.signature, signed, around),
    ...identifierFindings(reader, unsigned, [around, content]),
    ...attributeFindings(reader, unsigned, around),
  ].slice(0, MAX_FINDINGS);
}

type Walk = {
  /** Whatever has no place in the unsigned parts: the element, or the one that holds a text or an instruction. */
  readonly strays: { readonly path: string; readonly element?: XmlElement }[];
  /** The parts that the signature does sign. */
  readonly signed: XmlElement[];
  /** The elements of the unsigned parts. Nothing signs their attributes either. */
  readonly unsigned: XmlElement[];
};

function walkSignature({ pathOf }: Reader, { signature, references, hasUnread }: ForeignInput): Walk {
  const walk: Walk = { strays: [], signed: [], unsigned: [signature.element] };
  const properties = qualifyingOf(signature.element);
  const older = olderQualifyingOf(signature.element);
  const isSigned = (element: XmlElement): boolean =>
    isNamed(element, 'ds:SignedInfo') ||
    isNamed(element, 'xades:SignedProperties') ||
    references.some(({ target }) => target !== 'document' && target.isSameNode(element));

  const enter = (element: XmlElement): void => {
    walk.unsigned.push(element);
    // A reference that could not be read may be over the object.
    if (hasUnread && isNamed(element, 'ds:Object')) enterProperties(element);
    else for (const node of childNodes(element)) visit(element, node);
  };
  const enterProperties = (object: XmlElement): void => {
    if (properties?.parent?.isSameNode(object)) enter(properties);
  };
  const visit = (parent: XmlElement, node: XmlNode): void => {
    if (isElement(node)) visitElement(parent, node);
    else if (isWritten(node) && !mayHoldText(parent))
      walk.strays.push({ path: `a text in ${pathOf(parent)}` });
    else if (isInstruction(node)) walk.strays.push({ path: `an instruction in ${pathOf(parent)}` });
  };
  const visitElement = (parent: XmlElement, element: XmlElement): void => {
    const isOwn = isInPlace(parent, element);
    if (isSigned(element)) walk.signed.push(element);
    else if (older?.isSameNode(element))
      return; // such a signature is never valid
    else if (!isOwn) walk.strays.push({ path: pathOf(element), element });
    else if (!isNamed(element, 'ds:Signature')) enter(element); // a countersignature is judged by itself
  };

  for (const part of elementsIn(signature.element)) {
    if (isSigned(part)) walk.signed.push(part);
    else enter(part);
  }
  return walk;
}

const strayFinding = (path: string, isTaken: boolean): Finding =>
  isTaken
    ? errorFinding(
        'XmlDSigCoreValidationFailed',
        `The signature carries ${path}, which it does not sign and which a reader could take for the document.`,
      )
    : errorFinding(
        'UnknownUnsignedAttributesPresent',
        `The signature carries ${path}, which it does not sign.`,
      );

// The names of keys and certificates, which every signature has, and documents such as the metadata of SAML too. Whoever
// reads a certificate by its name alone takes any that is there.
const KEY_NAMES =
  /^(?:KeyInfo|KeyValue|RSAKeyValue|Modulus|Exponent|ECKeyValue|NamedCurve|PublicKey|X509(?:Data|Certificate|CRL)|(?:Canonicalization|Digest)Method|Transforms?|RetrievalMethod|InclusiveNamespaces)$/;

// Content injection into a document that has elements of the signature's own schemas: one in its place is a forged one to a
// reader that searches by name.
function sameNameFindings({ hasOutside, pathOf }: Reader, parts: readonly XmlElement[]): Finding[] {
  const named = new Map(parts.map((part) => [`${part.namespaceUri} ${part.name}`, part]));
  return [...named.values()]
    .filter((part) => !KEY_NAMES.test(part.name) && hasOutside(part))
    .map((part) =>
      errorFinding(
        'UnknownUnsignedAttributesPresent',
        `The signature carries ${pathOf(part)}, which it does not sign and which has the name of an element of the document.`,
      ),
    );
}

// The signer's own word, and all the same no part of the document: a reader that searches by name takes it for one.
function signedFindings(
  reader: Reader,
  { line }: Signature,
  signed: readonly XmlElement[],
  around: Around,
): Finding[] {
  if (line.length === 1) return []; // enveloping: no document is around
  return signed
    .flatMap((part) => namespacesIn(reader, part, KNOWN))
    .filter(({ namespaceUri }) => around.hasNamespace(namespaceUri))
    .map((element) =>
      errorFinding(
        'UnknownSignedAttributesPresent',
        `The signature carries ${reader.pathOf(element)}, which a reader could take for the document around it.`,
      ),
    );
}

// Duplicate identifiers: a reader that looks an element up by its identifier finds the unsigned part.
function identifierFindings(
  { identified, idAttributes, pathOf }: Reader,
  parts: readonly XmlElement[],
  documents: readonly Around[],
): Finding[] {
  return parts.flatMap((part) =>
    part.attrs
      .filter((attribute) => isIdentifier(attribute, idAttributes))
      .flatMap(({ value }) => {
        const other = identified(value).find((one) => documents.some((document) => document.has(one)));
        return other
          ? [
              errorFinding(
                'XmlDSigCoreValidationFailed',
                `Two elements have the identifier ${value}: ${pathOf(other)}, and ${pathOf(part)}, which the signature does not sign.`,
              ),
            ]
          : [];
      }),
  );
}

// Attributes of these namespaces say how an element is read, and not what it says.
const OF_ANY_DOCUMENT = [
  '',
  'http://www.w3.org/XML/1998/namespace',
  'http://www.w3.org/2001/XMLSchema-instance',
  'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd',
];

const attributeFindings = ({ pathOf }: Reader, parts: readonly XmlElement[], around: Around): Finding[] =>
  parts.flatMap((part) =>
    part.attrs
      .filter(({ namespaceUri: uri }) => !OF_ANY_DOCUMENT.includes(uri) && around.hasNamespace(uri))
      .map((attribute) => strayFinding(`${pathOf(part)}/@${writtenName(attribute)}`, true)),
  );
