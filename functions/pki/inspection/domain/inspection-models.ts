import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { unlessThrown } from '../../../../shared/errors/expected.ts';
import { CONTENT } from '../../../../shared/signing/cms/oids.ts';
import { readSignedData } from '../../../../shared/signing/cms/read.ts';
import { CmsMalformed } from '../../../../shared/signing/errors.ts';
import { LOOKED_AT_BYTES } from '../../../../shared/signing/format.ts';
import type { SignatureFormat } from '../../../../shared/signing/format-of.ts';
import { detectFormat } from '../../../../shared/signing/verification/detect.ts';
import { nameOf } from '../../domain/digest-names.ts';
import { isOfIcpBrasil } from '../../domain/security-contexts.ts';
import { PADES_OF_ICP_BRASIL } from '../../domain/signature-policies.ts';
import { errors } from '../../errors.ts';
import { answerFile, answerFileWithLink, earlierFileModel } from '../../files/domain/answer-file.ts';
import { receiveFile } from '../../files/domain/receive-file.ts';
import type { InspectSignatureRequest, OpenSignatureRequest } from '../contract.ts';
import { type CmsContent, inspect } from './inspect.ts';

/** The newest way: any format, and a detached CMS without its data is an answer. */
export async function inspectSignature(
  caller: Caller,
  request: z.output<typeof InspectSignatureRequest>,
  nowMs: number,
) {
  const file = await receiveFile(caller, request.file, nowMs);
  const format = detectFormat(file.bytes.subarray(0, LOOKED_AT_BYTES));
  if (!format) throw errors.refuse('InvalidCades', { reason: 'not-a-signature' });
  const { signers, missingDataHash, content } = await inspect(caller, { ...request, format, file }, nowMs);
  const extracted = extractContent(request, content);
  return {
    success: missingDataHash === null,
    failure: missingDataHash === null ? null : ('DataFileRequired' as const),
    missingDataHash,
    signers,
    document: null,
    ...contentFields(content),
    encapsulatedContent: extracted && (await answerFile(caller, extracted, false, nowMs)),
  };
}

/** The content of a CMS where it is asked for. */
function extractContent(
  { extractEncapsulatedContent }: Pick<OpenRequest, 'extractEncapsulatedContent'>,
  content: CmsContent | undefined,
) {
  if (!extractEncapsulatedContent || !content?.bytes) return null;
  return { bytes: content.bytes, name: null, contentType: 'application/octet-stream' };
}

const TYPES: Readonly<Record<string, 'Data' | 'SignedData' | 'EnvelopedData' | 'TstInfo'>> = {
  [CONTENT.data]: 'Data',
  [CONTENT.envelopedData]: 'EnvelopedData',
};

const contentFields = (content: CmsContent | undefined) => ({
  hasEncapsulatedContent: content?.isEncapsulated ?? null,
  encapsulatedContentType: content ? (TYPES[content.type] ?? null) : null,
});

type OpenRequest = z.output<typeof OpenSignatureRequest>;

/** The earlier generation: a file of a known format. */
export async function openSignature(
  caller: Caller,
  format: SignatureFormat,
  request: OpenRequest,
  nowMs: number,
) {
  const { defaultSignaturePolicyId, securityContextId } = request;
  if (defaultSignaturePolicyId === PADES_OF_ICP_BRASIL && !isOfIcpBrasil(securityContextId))
    throw errors.refuse('OptionNotSupported', { option: 'defaultSignaturePolicyId', securityContextId });
  const file = await receiveFile(caller, request.file, nowMs);
  const { missingDataHash, signers, content } = await inspect(caller, { ...request, format, file }, nowMs);
  if (missingDataHash !== null) throw errors.refuse('MissingDataHash', { required: missingDataHash });
  const extracted = extractContent(request, content);
  return {
    signers,
    ...contentFields(content),
    encapsulatedContent: extracted && earlierFileModel(await answerFileWithLink(caller, extracted, nowMs)),
    auditPackage: null,
    bStamp: null,
  };
}

/** The names of the digests that the data of a detached CMS is needed by. */
export async function requiredHashes(caller: Caller, file: OpenRequest['file'], nowMs: number) {
  const { bytes } = await receiveFile(caller, file, nowMs);
  const data = unlessThrown(CmsMalformed, () => readSignedData(bytes));
  if (!data) throw errors.refuse('InvalidCades');
  const names = data.signers.flatMap(({ digest }) => (digest ? [nameOf(digest)] : []));
  return [...new Set(names)].filter((name) => name !== null);
}
