import type { XmlElement } from 'libxml2-wasm';
import { type Budget, chargeTime } from '../../../bounds/budget.ts';
import type { Digest } from '../../digest.ts';
import {
  canonicalizationByUri,
  DEFAULT_CANONICALIZATION,
  DS,
  digestByUri,
  EXCLUSIVE,
  TRANSFORM,
  XPATH_FILTER,
} from '../algorithms.ts';
import type { Template } from '../template.ts';
import type { Canonicalization } from '../xml/canonical.ts';
import { childNodes, isText } from '../xml/tree.ts';

import { algorithmOf, attributeOf, elementsIn, isNamed, NotAccepted, textOf, Unsupported } from './dom.ts';

/** How a referenced element is transformed before it is hashed. */
export type TransformPlan = {
  readonly without: Template['without'];
  /** Whether the enveloped-signature transform is among the steps. */
  readonly isEnveloped: boolean;
  /** 'nodes' where no step canonicalises them; 'base64' where the element's text is decoded. */
  readonly output: 'nodes' | 'canonical' | 'base64';
  readonly canonicalization: Canonicalization;
};

// Denial of service by transforms (XML Signature Best Practices): real signatures have two or three.
const MAX_TRANSFORMS = 5;
const MAX_PREFIXES = 16; // each one is looked up for every element

/**
 * Reads a chain of transforms against a fixed list: those that remove signatures, then one canonicalisation. Transform
 * abuse: XSLT runs code (B. Hill, 2007) and a free XPath can drop any part from the digest, so neither is evaluated.
 */
export function readTransforms(transforms: XmlElement | undefined): TransformPlan {
  const steps = transforms ? elementsIn(transforms) : [];
  if (steps.length > MAX_TRANSFORMS || steps.some((step) => !isNamed(step, 'ds:Transform')))
    throw new NotAccepted('InvalidXmlSignatureSchema', 'A reference has transforms that cannot be read.');
  const last = steps.at(-1);
  // Base64 stands alone: a signature to remove would be markup inside the text.
  if (steps.length === 1 && last && isBase64(last))
    return {
      without: 'nothing',
      isEnveloped: false,
      output: 'base64',
      canonicalization: DEFAULT_CANONICALIZATION,
    };
  const canonicalization = last && readCanonicalization(last);
  const before = (canonicalization ? steps.slice(0, -1) : steps).map((step) => readExclusion(step));
  return {
    without: before.find((kind) => kind === 'all-signatures') ?? before[0] ?? 'nothing',
    isEnveloped: before.includes('this-signature'),
    output: canonicalization ? 'canonical' : 'nodes',
    canonicalization: canonicalization ?? DEFAULT_CANONICALIZATION,
  };
}

const isBase64 = (step: XmlElement): boolean =>
  algorithmOf(step) === TRANSFORM.base64 && elementsIn(step).length === 0;

/** A canonicalisation method or transform, with the InclusiveNamespaces prefixes of an exclusive one. */
export function readCanonicalization(element: XmlElement): Canonicalization | undefined {
  const how = canonicalizationByUri(algorithmOf(element));
  if (!how) return undefined;
  const [parameters, ...more] = elementsIn(element);
  if (!parameters) return how;
  const prefixes = attributeOf(parameters, 'PrefixList');
  const isPrefixList = parameters.name === 'InclusiveNamespaces' && parameters.namespaceUri === EXCLUSIVE;
  const list = prefixes?.split(/[ \t\r\n]+/).filter(Boolean) ?? [];
  if (how.kind !== 'exclusive' || !isPrefixList || more.length || list.length > MAX_PREFIXES)
    throw new NotAccepted('InvalidXmlSignatureSchema', 'A canonicalisation has parameters it cannot have.');
  return { ...how, prefixes: list };
}

// The enveloped-signature transform (XML Signature, 6.6.4), or one of two known expressions. Every other transform is
// Unsupported, so the signature is neither intact nor broken.
function readExclusion(step: XmlElement): TransformPlan['without'] {
  const algorithm = algorithmOf(step);
  const [expression, ...more] = elementsIn(step);
  if (algorithm === TRANSFORM.enveloped && !expression) return 'this-signature';
  if (expression && more.length === 0 && isAllSignatures(algorithm, expression)) return 'all-signatures';
  throw new Unsupported(
    'AlgorithmNotAllowed',
    `The transform ${algorithm.slice(0, 100)} is not supported as it stands here: it could make the signature cover something else than it seems to.`,
  );
}

const FILTER = /^\/descendant::([A-Za-z_][\w.-]*):Signature$/;
const XPATH = /^not\(ancestor-or-self::([A-Za-z_][\w.-]*):Signature\)$/;

// The two expressions in common use for parallel signatures, compared as text. No expression is evaluated.
function isAllSignatures(algorithm: string, expression: XmlElement): boolean {
  const isFilter = algorithm === TRANSFORM.xpathFilter && expression.namespaceUri === XPATH_FILTER;
  const isXPath = algorithm === TRANSFORM.xpath && expression.namespaceUri === DS;
  if (expression.name !== 'XPath' || (!isFilter && !isXPath)) return false;
  if (isFilter && attributeOf(expression, 'Filter') !== 'subtract') return false;
  const prefix = (isFilter ? FILTER : XPATH).exec(textOf(expression))?.[1];
  return prefix !== undefined && expression.namespaceForPrefix(prefix) === DS;
}

/** A digest method that is supported. */
export function readDigest(element: XmlElement): Digest {
  const uri = algorithmOf(element);
  const digest = digestByUri(uri);
  if (!digest)
    throw new Unsupported('AlgorithmNotAllowed', `The digest ${uri.slice(0, 100)} is not supported.`);
  return digest;
}

// The text is copied out of the parser, stripped, decoded, and encoded again to compare.
const CHARACTER_UNITS = 12;

/**
 * The decoded text of an element (XML Signature, 6.6.2). Content injection: the transform ignores markup, so a reader
 * could see elements or comments here that the digest does not cover. An element with markup is refused.
 */
export function base64Content(element: XmlElement, path: string, budget: Budget): Buffer {
  // The cost is counted before the text is read. Base64 has one byte to a character.
  chargeTime(budget, CHARACTER_UNITS * Number(element.eval('string-length()')));
  const parts: string[] = [];
  for (const node of childNodes(element)) {
    if (!isText(node))
      throw new NotAccepted(
        'XmlDSigCoreValidationFailed',
        `The element ${path} is signed as Base64 and holds markup, which is not signed.`,
      );
    parts.push(node.content);
  }
  const text = parts.join('').replace(/[ \t\r\n]+/g, '');
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') === text) return bytes;
  throw new NotAccepted(
    'XmlDSigCoreValidationFailed',
    `The element ${path} is signed as Base64 and is none.`,
  );
}
