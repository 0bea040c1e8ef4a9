import type { XmlElement } from 'libxml2-wasm';
import { chargeTime } from '../../../bounds/budget.ts';
import { DS } from '../algorithms.ts';
import type { Signature } from '../signatures.ts';
import { type Comments, commentsIn, splitByCData, splitsText } from '../split-text.ts';
import { type Identified, identify } from '../xml/identifiers.ts';
import { pathsIn } from '../xml/path.ts';
import type { Tree } from '../xml/tree.ts';
import { searchUnits } from '../xml/units.ts';

/** Lookups in one tree that all its signatures share, each done once. */
export type Reader = {
  readonly tree: Tree;
  readonly signatures: readonly Signature[];
  readonly identified: Identified;
  readonly idAttributes: readonly string[];
  readonly pathOf: (element: XmlElement) => string;
  /** Whether a signature stands in a text that is not its own. */
  readonly splitsText: (signature: Signature) => boolean;
  readonly commentsIn: (target: XmlElement | 'document') => Comments;
  /** An element whose text a CDATA section splits. */
  readonly splitByCData: (target: XmlElement | 'document') => XmlElement | undefined;
  /** Whether the document has an element of this name outside of its signatures. */
  readonly hasOutside: (element: XmlElement) => boolean;
};

type ReaderOptions = Pick<Reader, 'idAttributes'> & {
  /** The identifiers that a signature references; undefined among them is the whole document. */
  readonly idsOf: (signature: Signature) => readonly (string | undefined)[];
};

export function createReader(
  tree: Tree,
  signatures: readonly Signature[],
  ids: Iterable<string>,
  { idAttributes, idsOf }: ReaderOptions,
): Reader {
  const identified = identify(tree, ids, idAttributes);
  const splitting = new Map<Signature, boolean>();
  let inDocument: Comments | undefined;
  let cDataInDocument: { readonly split: XmlElement | undefined } | undefined;
  const outside = new Map<string, boolean>();
  // Asked once for a document: a schema of signatures has few names.
  const isOutside = (uri: string, name: string): boolean => {
    const known = outside.get(`${uri} ${name}`);
    if (known !== undefined) return known;
    // One look for each of a dozen schemas is part of reading the document.
    if (name !== '*') chargeTime(tree.budget, searchUnits(tree.cost.totals));
    const path = `boolean(descendant-or-self::one:${name}[count(ancestor-or-self::ds:Signature) = 0])`;
    const found = tree.root.eval(path, { one: uri, ds: DS }) === true;
    outside.set(`${uri} ${name}`, found);
    return found;
  };
  return {
    tree,
    signatures,
    identified,
    idAttributes,
    pathOf: pathsIn(tree),
    splitsText: (signature) => {
      const isTarget = (parent: XmlElement): boolean =>
        idsOf(signature).some((id) =>
          id === undefined ? parent.isSameNode(tree.root) : identified(id)[0]?.isSameNode(parent),
        );
      const known = splitting.get(signature) ?? splitsText(tree, signature.element, isTarget);
      splitting.set(signature, known);
      return known;
    },
    commentsIn: (target) => {
      if (target !== 'document') return commentsIn(tree, target);
      inDocument ??= commentsIn(tree, tree.root);
      return inDocument;
    },
    splitByCData: (target) => {
      if (target !== 'document') return splitByCData(tree, target);
      cDataInDocument ??= { split: splitByCData(tree, tree.root) };
      return cDataInDocument.split;
    },
    hasOutside: ({ name, namespaceUri }) => isOutside(namespaceUri, '*') && isOutside(namespaceUri, name),
  };
}
