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

/** The values of every signature of an XML document. The digest is that of its first reference. */
export const readXmlValues = (bytes: Buffer): SignatureValues[] =>
  openXml(bytes).parsed((tree) => {
    const signatures = signaturesOf(tree).map(({ element }) => ({ element, ids: identifiersIn(element) }));
    const describe = createDescriber(
      tree,
      signatures.flatMap(({ ids }) => ids),
    );
    return signatures.map(({ element, ids }) => ({
      field: undefined,
      messageDigest: unlessThrown(NotAccepted, () => readDigest(element)),
      value: unlessThrown(NotAccepted, () => base64Of(requireChild(element, 'ds:SignatureValue'))) ?? EMPTY,
      elements: ids.flatMap(describe),
    }));
  });

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

/** Describes the element with an identifier. Two with the same are none: which of them was signed cannot be told. */
function createDescriber(tree: Tree, ids: readonly string[]): (id: string) => SignedElement[] {
  const identified = identify(tree, ids, ID_ATTRIBUTES);
  const pathOf = pathsIn(tree);
  return (id) => {
    const [element, another] = identified(id);
    if (!element || another) return [];
    const attributes = element.attrs.map(({ name, namespaceUri, value }) => ({
      ...{ localName: name, namespaceUri: namespaceUri || null, value },
    }));
    const { name: localName, namespaceUri } = element;
    return [{ path: pathOf(element), localName, namespaceUri: namespaceUri || null, attributes }];
  };
}
