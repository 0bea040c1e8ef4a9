import type { XmlElement } from 'libxml2-wasm';
import type { ValidationItemType } from '../../../pki/findings/validation-results.ts';
import {
  DS,
  DS_11,
  EVIDENCE_RECORDS,
  EXCLUSIVE,
  MORE,
  MORE_2007,
  XADES,
  XADES_111,
  XADES_122,
  XADES_141,
  XADES_EVIDENCE,
  XPATH_FILTER,
} from '../algorithms.ts';
import { childNodes, isElement, isText } from '../xml/tree.ts';

/** A malformed or forbidden signature. Its report shows this as a finding. */
export class NotAccepted extends Error {
  override readonly name = 'NotAccepted';
  readonly type: ValidationItemType;

  constructor(type: ValidationItemType, message: string) {
    super(message);
    this.type = type;
  }
}

/** An algorithm or kind of reference that is not supported here. The covered bytes are then neither intact nor broken. */
export class Unsupported extends NotAccepted {}

/** The result of `read`, or the Unsupported that it threw. Other errors propagate. */
export function orUnsupported<T>(read: () => T): T | Unsupported {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unsupported) return error;
    throw error;
  }
}

/** The result of `read`, or the reason why the part of the signature is malformed. For parts that nothing signs. */
export function orMalformed<T>(read: () => T): T | NotAccepted {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotAccepted) return error;
    throw error;
  }
}

/** Separates results from the Unsupported among them. */
export const partition = <T>(results: readonly (T | Unsupported)[]) => ({
  read: results.flatMap((one) => (one instanceof Unsupported ? [] : [one])),
  unsupported: results.flatMap((one) => (one instanceof Unsupported ? [one] : [])),
});

const refuseMalformed = (message: string): never => {
  throw new NotAccepted('InvalidXmlSignatureSchema', message);
};

const refuseLarge = ({ name }: XmlElement): never => {
  throw new Unsupported(
    'AlgorithmNotAllowed',
    `${name} holds more than the ${MAX_NODES} parts that are read here: the signature was not checked.`,
  );
};

const NAMESPACES = {
  ds: DS,
  ds11: DS_11,
  xades: XADES,
  xades111: XADES_111,
  xades122: XADES_122,
  xades141: XADES_141,
  xen: XADES_EVIDENCE,
  ers: EVIDENCE_RECORDS,
  more: MORE,
  pss: MORE_2007,
  ec: EXCLUSIVE,
  filter: XPATH_FILTER,
} as const;
/** The namespaces of signatures, by prefix. */
export const SIGNATURE_NAMESPACES: Readonly<Record<string, string>> = NAMESPACES;
const PREFIXES = new Map<string, string>(Object.entries(NAMESPACES).map(([prefix, uri]) => [uri, prefix]));
export type Name = `${keyof typeof NAMESPACES}:${string}`;

/** @example isNamed(element, 'ds:Signature') */
export function isNamed(element: XmlElement, name: Name): boolean {
  const [prefix, local] = name.split(':') as [keyof typeof NAMESPACES, string];
  return element.name === local && element.namespaceUri === NAMESPACES[prefix];
}

/** The name of an element of a signature, whatever its prefix; undefined for one of another namespace. */
export function nameOf({ name, namespaceUri }: XmlElement): string | undefined {
  const prefix = PREFIXES.get(namespaceUri);
  return prefix && `${prefix}:${name}`;
}

/** The children of this name in an element that may hold anything, such as a ds:Object with signed content. */
export function findChildren(parent: XmlElement, name: Name): XmlElement[] {
  const [prefix, local] = name.split(':') as [keyof typeof NAMESPACES, string];
  return parent.find(`one:${local}`, { one: NAMESPACES[prefix] }).filter(isElement);
}

// A cache: many functions read the same elements. A tree is read before any of its nodes moves.
const known = new WeakMap<XmlElement, readonly XmlElement[]>();

// A signature's parts have a few dozen nodes, white space included, and each is visited several times.
const MAX_NODES = 1000;

/** The child elements, in order. Text and instructions are skipped: `foreignFindings` reports those that nothing signs. */
export function elementsIn(parent: XmlElement): readonly XmlElement[] {
  const before = known.get(parent);
  if (before) return before;
  const found: XmlElement[] = [];
  let left = MAX_NODES;
  for (const node of childNodes(parent)) {
    if (left-- <= 0) refuseLarge(parent);
    if (isElement(node)) found.push(node);
  }
  known.set(parent, found);
  return found;
}

export const filterByName = (elements: readonly XmlElement[], name: Name): XmlElement[] =>
  elements.filter((element) => isNamed(element, name));

/** The only child of this name, if there is one. Parser differential: of two, one reader takes the first, another the last. */
export function optionalChild(parent: XmlElement, name: Name): XmlElement | undefined {
  const [found, another] = filterByName(elementsIn(parent), name);
  if (another) refuseMalformed(`${parent.name} holds ${name} twice.`);
  return found;
}

export const requireChild = (parent: XmlElement, name: Name): XmlElement =>
  optionalChild(parent, name) ?? refuseMalformed(`${parent.name} holds no ${name}.`);

/** The descendant at the end of a path of children, each of which must exist exactly once. */
export const requirePath = (from: XmlElement, ...names: readonly Name[]): XmlElement =>
  names.reduce((at, name) => requireChild(at, name), from);

/**
 * The text of an element that holds nothing else. Comment injection (CVE-2025-29775 in a DigestValue): a comment splits
 * the text for readers that take its first node only, and the canonical form leaves the comment out.
 */
export function textOf(element: XmlElement): string {
  let text = '';
  for (const node of childNodes(element))
    text += isText(node) ? node.content : refuseMalformed(`${element.name} holds more than text.`);
  return text.trim();
}

/** Base64 in its one canonical spelling, white space aside. Malleability: two texts must not stand for the same bytes. */
export function base64Of(element: XmlElement): Buffer {
  const text = textOf(element).replace(/[ \t\r\n]+/g, '');
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : refuseMalformed(`${element.name} is not Base64.`);
}

/** An attribute without a namespace. */
export const attributeOf = (element: XmlElement, name: string): string | undefined =>
  element.attr(name)?.value;

export const algorithmOf = (element: XmlElement): string =>
  attributeOf(element, 'Algorithm') ?? refuseMalformed(`${element.name} names no algorithm.`);
