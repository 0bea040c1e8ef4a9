import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { errors } from '../../errors.ts';
import { contentHashOf, hashOfContent } from '../../files/domain/content-hash.ts';
import { type ReceivedFile, receiveFile } from '../../files/domain/receive-file.ts';
import { hasSignature, markPdf } from '../../pdf/domain/marks.ts';
import { receiveVisual } from '../../pdf/domain/visual.ts';
import { isCmsSignature } from '../../signatures/domain/existing-cms.ts';
import { elementOption, placeOption } from '../../signatures/domain/xml-options.ts';
import type {
  CadesSignaturePostRequestV3,
  PadesSignaturePostRequestV2,
  XmlElementSignaturePostRequest,
} from '../contract.ts';
import { refuseTooLargeInside } from './complete.ts';
import { startEarlier } from './start.ts';

type File = z.output<typeof PadesSignaturePostRequestV2>['pdfToSign'];

/** A file that an operation has as base64 alone, and answers so. */
export function inline(content: string) {
  refuseTooLargeInside(Buffer.byteLength(content, 'base64'));
  return { content };
}

const CERTIFICATION = {
  NotCertified: undefined,
  CertifiedFormFilling: 2,
  CertifiedFormFillingAndAnnotations: 3,
  CertifiedNoChangesAllowed: 1,
} as const;

export async function startPades(
  caller: Caller,
  request: z.output<typeof PadesSignaturePostRequestV2>,
  nowMs: number,
) {
  const { pdfToSign, customSignatureFieldName, certificationLevel, reason } = request;
  const certify = CERTIFICATION[certificationLevel ?? 'NotCertified'];
  const pades = {
    ...(customSignatureFieldName && { field: customSignatureFieldName }),
    ...(certify && { certify }),
    ...(reason && { reason }),
  };
  const received = await receiveFile(caller, pdfToSign, nowMs);
  const visual = await receiveVisual(caller, request, nowMs);
  const file = { ...received, bytes: await markedPdf(caller, received.bytes, request, nowMs) };
  const task = { file, options: { pades }, visual };
  return startEarlier(caller, { kind: 'PadesSignature', common: request, ...task }, nowMs);
}

type Marking = Omit<z.output<typeof PadesSignaturePostRequestV2>, 'pdfToSign'>;

async function markedPdf(caller: Caller, pdf: Buffer, request: Marking, nowMs: number): Promise<Buffer> {
  const { pdfMarks: marks, bypassMarksIfSigned } = request;
  if (!marks?.length || (bypassMarksIfSigned && (await hasSignature(pdf)))) return pdf;
  return markPdf(caller, pdf, { ...request, marks }, nowMs);
}

type InlineCades = {
  readonly contentToSign?: string | null | undefined;
  readonly cmsToCoSign?: string | null | undefined;
};

/** The first versions have content and signature as base64. */
export const inlineCades = <Request extends InlineCades>({
  contentToSign,
  cmsToCoSign,
  ...request
}: Request) => ({
  ...request,
  fileToSign: contentToSign ? { content: contentToSign } : null,
  cmsToCoSign: cmsToCoSign ? { content: cmsToCoSign } : null,
});

/** Refuses content that the first version cannot answer inside its signature. */
export function fittingCades<Request extends InlineCades & Pick<CadesRequest, 'encapsulateContent'>>(
  request: Request,
): Request {
  if (request.cmsToCoSign) inline(request.cmsToCoSign);
  if (request.contentToSign && request.encapsulateContent !== false) inline(request.contentToSign);
  return request;
}

type CadesRequest = z.output<typeof CadesSignaturePostRequestV3>;

export async function startCades(caller: Caller, request: CadesRequest, nowMs: number) {
  const read = (file: File | null | undefined) => (file ? receiveFile(caller, file, nowMs) : undefined);
  const [content, cms] = [await read(request.fileToSign), await read(request.cmsToCoSign)];
  const { dataHashes } = request;
  const named = dataHashes?.length ? contentHashOf(dataHashes, content?.bytes) : undefined;
  const given = content ? hashOfContent(content.bytes) : named;
  if (!cms && given === undefined)
    throw errors.refuse('InvalidRequest', undefined, {
      fields: [{ field: 'content', message: 'is required: what is to be signed, or its dataHashes' }],
    });
  if (cms) await refuseOtherThanCms(cms);
  // The content of a signature that is added to another comes as its hash: the file is the other then.
  const contentHash = cms || !content ? given : undefined;
  const detached = !(request.encapsulateContent ?? true);
  const cades = { detached, ...(contentHash !== undefined && { contentHash }) };
  const task = { file: cms ?? content, isCoSigned: cms !== undefined, options: { cades } };
  return startEarlier(caller, { kind: 'CadesSignature', common: request, ...task }, nowMs);
}

async function refuseOtherThanCms({ bytes }: ReceivedFile): Promise<void> {
  if (!(await isCmsSignature(bytes))) throw errors.refuse('InvalidCades', { field: 'cmsToCoSign' });
}

type XmlRequest = Omit<z.output<typeof XmlElementSignaturePostRequest>, 'elementToSignId'> & {
  readonly elementToSignId?: string;
};

export async function startXml(caller: Caller, request: XmlRequest, nowMs: number) {
  const file = await receiveFile(caller, inline(request.xml), nowMs);
  const xades = {
    ...elementOption(request.elementToSignId),
    ...placeOption(request.signatureElementLocation),
    ...idOption(request.idResolutionTable),
  };
  return startEarlier(caller, { kind: 'XmlSignature', common: request, file, options: { xades } }, nowMs);
}

/** The names of identifiers, whatever the element. An identifier that two elements have is refused anyway. */
function idOption(table: XmlRequest['idResolutionTable']): { readonly idAttributes?: readonly string[] } {
  if (!table) return {};
  const byElement = (table.elementIdAttributes ?? []).map(({ attribute }) => attribute);
  const attributes = [...byElement, ...(table.globalIdAttributes ?? [])];
  const other = attributes.find(({ namespace }) => namespace);
  if (other)
    throw errors.refuse('OptionNotSupported', { option: 'idResolutionTable', namespace: other.namespace });
  const names = attributes.map(({ localName }) => localName);
  const all = table.includeXmlIdAttribute === false ? names : [...names, 'xml:id'];
  return names.length > 0 ? { idAttributes: [...new Set(all)] } : {};
}
