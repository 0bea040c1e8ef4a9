import type { XmlElement } from 'libxml2-wasm';
import { chargeTime } from '../../../bounds/budget.ts';
import { DS } from '../algorithms.ts';
import type { Signature } from '../signatures.ts';
import { isInLine, lineOf } from '../xml/path.ts';
import { isElement } from '../xml/tree.ts';
import { searchUnits } from '../xml/units.ts';
import { isNamed } from './dom.ts';
import type { Reader } from './reader.ts';
import type { Reference } from './references.ts';

/** The document that a signature stands in, or that stands in it (enveloping): what a reader takes for the content. */
export type Around = {
  /** Whether the document has elements or attributes of this namespace. */
  hasNamespace(uri: string): boolean;
  has(element: XmlElement): boolean;
};

const LEVEL_UNITS = 60; // climbing one level to look for a signature
const PREFIXES = { ds: DS };

// A document inside an enveloping signature may have signatures of its own: those around it do not count.
const depthOf = ({ line }: Signature): number =>
  line.filter((one) => isNamed(one, 'ds:Signature')).length - 1;

/** The elements in fewer signatures than the parts of this one: the document that it stands in. */
export function aroundSignature({ tree }: Reader, signature: Signature): Around {
  const depth = depthOf(signature);
  const known = new Map<string, boolean>();
  const look = (uri: string): boolean => {
    chargeTime(tree.budget, searchUnits(tree.cost.totals) + LEVEL_UNITS * tree.cost.totals.levels);
    const outer = `[count(ancestor-or-self::ds:Signature) <= ${depth}]`;
    return tree.root.eval(`boolean(descendant-or-self::*${ofNamespace(uri)}${outer})`, namesOf(uri)) === true;
  };
  return {
    hasNamespace: (uri) => {
      const found = known.get(uri) ?? look(uri);
      known.set(uri, found);
      return found;
    },
    has: (element) => Number(element.eval('count(ancestor-or-self::ds:Signature)', PREFIXES)) <= depth,
  };
}

/** The content that an enveloping signature holds and signs. */
export function inContent(references: readonly Reference[], { line }: Signature): Around {
  const content = references.flatMap(({ isContent, target }) =>
    isContent && target !== 'document' && isInLine(line, lineOf(target)) ? [target] : [],
  );
  return {
    hasNamespace: (uri) =>
      content.some(
        (target) => target.eval(`boolean(descendant::*${ofNamespace(uri)})`, namesOf(uri)) === true,
      ),
    has: (element) => content.some((target) => isInLine(lineOf(target), lineOf(element))),
  };
}

const ofNamespace = (uri: string): string =>
  uri === '' ? "[namespace-uri()='']" : '[self::one:* or @one:*]';
const namesOf = (uri: string) => ({ ...PREFIXES, ...(uri && { one: uri }) });

const MAX_NAMESPACES = 8;
const NODE_UNITS = 100;

/** An element of every namespace in a part that is not among the known ones: the first of each. */
export function namespacesIn({ tree }: Reader, part: XmlElement, known: readonly string[]): XmlElement[] {
  const found: XmlElement[] = [];
  const nodes = Number(part.eval('count(descendant-or-self::*)'));
  while (found.length < MAX_NAMESPACES) {
    chargeTime(tree.budget, NODE_UNITS * nodes);
    const uris = [...known, ...found.map(({ namespaceUri }) => namespaceUri)];
    const names = Object.fromEntries(uris.filter(Boolean).map((uri, at) => [`n${at}`, uri]));
    const tests = [
      'false()',
      ...(uris.includes('') ? ["namespace-uri()=''"] : []),
      ...Object.keys(names).map((prefix) => `self::${prefix}:*`),
    ];
    const first = part.get(`descendant-or-self::*[not(${tests.join(' or ')})][1]`, names);
    if (!isElement(first)) break;
    found.push(first);
  }
  return found;
}
