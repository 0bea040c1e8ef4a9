import { unlessThrown } from '../../../../shared/errors/expected.ts';
import { digestByUri } from '../../../../shared/signing/xades/algorithms.ts';
import { signaturesOf } from '../../../../shared/signing/xades/signatures.ts';
import {
  algorithmOf,
  base64Of,
  findChildren,
  NotAccepted,
  requireChild,
  requirePath,
} from '../../../../shared/signing/xades/verify/dom.ts';
import { openXml } from '../../../../shared/signing/xades/xml/tree.ts';
import type { SignatureValues } from './values.ts';

type Element = Parameters<typeof requirePath>[0];

/** The values of every signature of an XML document. The digest is that of its first reference. */
export const readXmlValues = (bytes: Buffer): SignatureValues[] =>
  openXml(bytes).parsed((tree) =>
    signaturesOf(tree).map(({ element }) => ({
      field: undefined,
      messageDigest: unlessThrown(NotAccepted, () => readDigest(element)),
      value: unlessThrown(NotAccepted, () => base64Of(requireChild(element, 'ds:SignatureValue'))) ?? EMPTY,
    })),
  );

const EMPTY = Buffer.alloc(0);

function readDigest(element: Element): SignatureValues['messageDigest'] {
  const [reference] = findChildren(requirePath(element, 'ds:SignedInfo'), 'ds:Reference');
  const digest = reference && digestByUri(algorithmOf(requireChild(reference, 'ds:DigestMethod')));
  return digest && { digest, hash: base64Of(requireChild(reference, 'ds:DigestValue')) };
}
