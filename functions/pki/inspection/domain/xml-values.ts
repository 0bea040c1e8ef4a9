import { unlessThrown } from '../../../../shared/errors/expected.ts';
import { digestByUri } from '../../../../shared/signing/xades/algorithms.ts';
import { signaturesOf } from '../../../../shared/signing/xades/signatures.ts';
import {
  algorithmOf,
  attributeOf,
  base64Of,
  findChildren,
  NotAccepted,
  requireChild,
  requirePath,
} from '../../../../shared/signing/xades/verify/dom.ts';
import { ID_ATTRIBUTES, identify } from '../../../../shared/signing/xades/xml/identifiers.ts';
import { pathsIn } from '../../../../shared/signing/xades/xml/path.ts';
import { openXml, type Tree } from '../../../../shared/signing/xades/xml/tree.ts';
import type { SignatureValues, SignedElement } from './values.ts';

type Element = Parameters<typeof requirePath>[0];

/**
 * The values of every signature of an XML document. The digest is that of its first reference. The element is the one at
 * the path that its verifier found covered, if any.
 */
export const readXmlValues = (bytes: Buffer, covered: readonly (string | undefined)[]): SignatureValues[] =>
  openXml(bytes).parsed((tree) => {
    // Denial of service: references are followed only where the verifier, which limits their number, has followed them.
    const signatures = signaturesOf(tree).map(({ element, at }) => ({
      ...{ element, path: covered[at] },
      ids: covered[at] === undefined ? [] : identifiersIn(element),
    }));
    const describe = createDescriber(
      tree,
      signatures.flatMap(({ ids }) => ids),
    );
    return signatures.map(({ element, path, ids }) => ({
      field: undefined,
      messageDigest: unlessThrown(NotAccepted, () => readDigest(element)),
      value: unlessThrown(NotAccepted, () => base64Of(requireChild(element, 'ds:SignatureValue'))) ?? EMPTY,
      element: path === undefined ? undefined : describe(ids, path),
    }));
  });

// Of all elements in one answer: Lambda answers with 6 MB at most. An attribute beyond it is left out.
const MAX_ELEMENT_CHARACTERS = 200_000;

const EMPTY = Buffer.alloc(0);

const referencesIn = (signature: Element): readonly Element[] =>
  findChildren(requirePath(signature, 'ds:SignedInfo'), 'ds:Reference');

function readDigest(element: Element): SignatureValues['messageDigest'] {
  const [reference] = referencesIn(element);
  const digest = reference && digestByUri(algorithmOf(requireChild(reference, 'ds:DigestMethod')));
  return digest && { digest, hash: base64Of(requireChild(reference, 'ds:DigestValue')) };
}

const identifiersIn = (signature: Element): readonly string[] =>
  unlessThrown(NotAccepted, () => referencesIn(signature))?.flatMap((reference) => {
    const uri = attributeOf(reference, 'URI');
    return uri?.startsWith('#') ? [uri.slice(1)] : [];
  }) ?? [];

/**
 * Describes the element at a path that one of these identifiers names. Two with the same are none: which of them was
 * signed cannot be told.
 */
function createDescriber(tree: Tree, ids: readonly string[]) {
  const identified = identify(tree, ids, ID_ATTRIBUTES);
  const pathOf = pathsIn(tree);
  const places = new Map(
    Array.from(new Set(ids), (id) => {
      const [element, another] = identified(id);
      return [id, element && !another ? { element, path: pathOf(element) } : undefined];
    }),
  );
  const known = new Map<string, SignedElement>();
  let left = MAX_ELEMENT_CHARACTERS;
  const fits = (...texts: readonly (string | null)[]): boolean => {
    const characters = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
    if (characters > left) return false;
    left -= characters;
    return true;
  };
  return (named: readonly string[], path: string): SignedElement | undefined => {
    const found = named.map((id) => places.get(id)).find((place) => place?.path === path);
    if (!found) return undefined;
    const element = known.get(path) ?? elementModel(found.element);
    known.set(path, element);
    if (!fits(element.localName, element.namespaceUri)) return undefined;
    return {
      ...element,
      attributes: element.attributes.filter(({ localName, namespaceUri, value }) =>
        fits(localName, namespaceUri, value),
      ),
    };
  };
}

const elementModel = ({ name, namespaceUri, attrs }: Element): SignedElement => ({
  ...{ localName: name, namespaceUri: namespaceUri || null },
  attributes: attrs.map((attribute) => ({
    ...{ localName: attribute.name, namespaceUri: attribute.namespaceUri || null, value: attribute.value },
  })),
});
