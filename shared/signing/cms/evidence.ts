import { type Element, expectTag, readOid } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { CmsMalformed } from '../errors.ts';
import { partsOf, readElement } from './ber-or-der.ts';
import type { Evidence } from './judge.ts';

/** RFC 5940: the format of an OCSP response among the CRLs of a SignedData. */
export const OCSP_RESPONSE = '1.3.6.1.5.5.7.16.2';

/** The revocation data in a SignedData: CRLs, and OCSP responses under a tag of their own. Others are passed over. */
export const evidenceIn = (elements: readonly Buffer[]): Required<Evidence> => ({
  crls: elements.filter((raw) => raw[0] === TAG.SEQUENCE),
  ocspResponses: elements.filter((raw) => raw[0] === context(1)).flatMap(ocspIn),
});

function ocspIn(raw: Buffer): Buffer[] {
  try {
    return readElement(raw, readOther);
  } catch (error) {
    if (error instanceof CmsMalformed) return [];
    throw error;
  }
}

function readOther(element: Element): Buffer[] {
  const [kind, response] = partsOf(element, context(1));
  return readOid(kind) === OCSP_RESPONSE ? [expectTag(response, TAG.SEQUENCE).raw] : [];
}
