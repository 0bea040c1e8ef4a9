// A static import: the library has a top-level await and import cycles. A bundle that loads this file on demand must keep
// it in a separate chunk, as the build does; inside one file, import() would never resolve.
import {
  type NamespaceMap,
  ParseOption,
  XmlCData,
  XmlComment,
  XmlDocument,
  XmlElement,
  type XmlNode,
  XmlText,
  XmlTreeNode,
} from 'libxml2-wasm';
import { type Budget, chargeTime } from '../../../bounds/budget.ts';
import { XmlRefused } from '../errors.ts';
import { createXmlBudget } from './budget.ts';
import { type Cost, measure } from './cost.ts';
import { readSource, type Source } from './source.ts';
import { readUnits, searchUnits, writeUnits } from './units.ts';

/** A parsed document. It lives in WebAssembly's memory and only while `parsed` runs. */
export type Tree = {
  readonly document: XmlDocument;
  readonly root: XmlElement;
  readonly cost: Cost;
  readonly budget: Budget;
};

/** A document that may be parsed, any number of times. */
export type Xml = {
  readonly source: Source;
  readonly cost: Cost;
  /** Parses, uses the tree and frees it. The result of `use` must not hold nodes. */
  parsed<T>(use: (tree: Tree) => T): T;
};

// XXE and SSRF: no external entities, no network.
const PARSE_OPTIONS =
  ParseOption.XML_PARSE_NO_XXE |
  ParseOption.XML_PARSE_NONET |
  ParseOption.XML_PARSE_COMPACT |
  ParseOption.XML_PARSE_SKIP_IDS |
  // Texts over 10 MB are files in Base64. This option also lifts the limit on depth, which `measure` enforces instead.
  ParseOption.XML_PARSE_HUGE;

/**
 * Measures a document before it is parsed. A hostile document is refused here, before the parser sees it.
 * @example const name = openXml(bytes).parsed(({ root }) => root.name);
 */
export function openXml(bytes: Uint8Array, budget: Budget = createXmlBudget(bytes.length)): Xml {
  const source = readSource(bytes);
  const cost = measure(source);
  // Every document is parsed and canonicalised at least once.
  chargeTime({ ...budget }, readUnits(cost.totals) + writeUnits(cost.totals, 0));
  return createXml(source, cost, budget);
}

/** The same for a measured document with one more signature of ours. */
export const reopenXml = (bytes: Uint8Array, { cost }: Xml, budget: Budget): Xml =>
  createXml(readSource(bytes), cost, budget);

function createXml(source: Source, cost: Cost, budget: Budget): Xml {
  return {
    source,
    cost,
    parsed: (use) => {
      chargeTime(budget, readUnits(cost.totals));
      const document = parse(source);
      try {
        if (document.dtd) throw new XmlRefused('doctype', 'The document has a document type declaration.');
        return use({ document, root: document.root, cost, budget });
      } finally {
        document.dispose();
      }
    },
  };
}

export const isElement = (node: XmlNode | null): node is XmlElement => node instanceof XmlElement;

/** The elements that an XPath expression selects. An expression from outside must be validated first. @example elementsAt(tree, '//ds:Signature', { ds: DS }) */
export function elementsAt(tree: Tree, path: string, namespaces: NamespaceMap = {}): XmlElement[] {
  const steps = path.split('/').filter(Boolean).length;
  chargeTime(tree.budget, steps * searchUnits(tree.cost.totals));
  return tree.document.find(path, namespaces).filter(isElement);
}

export const isText = (node: XmlNode | null): node is XmlText => node instanceof XmlText;
export const isComment = (node: XmlNode | null): node is XmlComment => node instanceof XmlComment;

/** A text, in a CDATA section or not: readers and the canonical form make no difference. */
export const isCharacters = (node: XmlNode | null): node is XmlText | XmlCData =>
  node instanceof XmlText || node instanceof XmlCData;

/** A text that is more than white space. */
export const isWritten = (node: XmlNode | null): boolean => isCharacters(node) && node.content.trim() !== '';

export const isInstruction = (node: XmlNode): boolean => !(node instanceof XmlTreeNode);

/**
 * The children of an element. The library's processing instructions have no `next`: a loop over siblings would end at one
 * and take what follows for absent, so the rest is searched for.
 */
export function* childNodes(parent: XmlElement): Generator<XmlNode> {
  let count = 0;
  for (let node: XmlNode | null = parent.firstChild; node; count++) {
    if (!(node instanceof XmlTreeNode)) return yield* parent.find('node()').slice(count);
    yield node;
    node = node.next;
  }
}

const MESSAGE_CHARACTERS = 200; // the first error, without the document's own text after it

function parse({ bytes, encoding }: Source): XmlDocument {
  try {
    return XmlDocument.fromBuffer(bytes, { option: PARSE_OPTIONS, encoding });
  } catch (cause) {
    const [first = ''] = cause instanceof Error ? cause.message.split('\n') : [];
    throw new XmlRefused(
      'malformed',
      `The document is not well-formed XML: ${first.slice(0, MESSAGE_CHARACTERS) || 'it cannot be read'}.`,
      { cause },
    );
  }
}
