import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import type { OpenSignatureRequest } from '../contract.ts';
import { openSignature } from './inspection-models.ts';

/** The signatures of XML, as the earlier generation names their parts. */
export async function openXmlSignature(
  caller: Caller,
  request: z.output<typeof OpenSignatureRequest>,
  nowMs: number,
) {
  const { signers, auditPackage, bStamp } = await openSignature(caller, 'XAdES', request, nowMs);
  const signatures = signers.map((signer) => ({
    ...signer,
    type: signer.xmlSignedEntityType ?? ('FullXml' as const),
    signedElement: signer.xmlSignedElement,
  }));
  return { signatures, auditPackage, bStamp };
}
