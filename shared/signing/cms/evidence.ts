import { childrenOf, type Element, expectTag, readOid } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { CmsMalformed } from '../errors.ts';
import { readElement } from './ber-or-der.ts';
import type { Evidence } from './judge.ts';

/** RFC 5940: id-ri-ocsp-response, the format of an OCSP response among the CRLs of a SignedData. */
export const OCSP_RESPONSE = '1.3.6.1.5.5.7.16.2';

/** The revocation data in a SignedData: CRLs, and OCSP responses under a tag of their own. Other formats are skipped. */
export const readEvidence = (elements: readonly Buffer[]): Required<Evidence> => ({
  crls: elements.filter((raw) => raw[0] === TAG.SEQUENCE),
  ocspResponses: elements.filter((raw) => raw[0] === context(1)).flatMap(readOcspResponse),
});

function readOcspResponse(raw: Buffer): Buffer[] {
  try {
    return readElement(raw, readOtherRevocationInfo);
  } catch (error) {
    if (error instanceof CmsMalformed) return [];
    throw error;
  }
}

function readOtherRevocationInfo(element: Element): Buffer[] {
  const [kind, response] = childrenOf(element, context(1));
  return readOid(kind) === OCSP_RESPONSE ? [expectTag(response, TAG.SEQUENCE).raw] : [];
}
