import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { LOOKED_AT_BYTES } from '../../../../shared/signing/format.ts';
import { formatOf, type SignatureFormat } from '../../../../shared/signing/format-of.ts';
import type { SignatureOptions } from '../../../../shared/signing/two-step/options.ts';
import { errors } from '../../errors.ts';
import { type ReceivedFile, receiveFile } from '../../files/domain/receive-file.ts';
import type { PrepareSignatureRequest } from '../contract.ts';
import { contentHashOf, hashOfContent } from './content-hash.ts';
import { isCmsSignature } from './existing-cms.ts';
import { elementOption, placeOption } from './xml-options.ts';

type Request = z.output<typeof PrepareSignatureRequest>;

export type SigningTask = {
  readonly format: SignatureFormat;
  readonly file: ReceivedFile | undefined;
  readonly isCoSigned: boolean;
  readonly options: SignatureOptions;
};

const FORMATS = { Pdf: 'PAdES', Cms: 'CAdES', Xml: 'XAdES' } as const;

/** What a request asks to be signed, and how. */
export async function signingTaskOf(caller: Caller, request: Request, nowMs: number): Promise<SigningTask> {
  const file = request.file ? await receiveFile(caller, request.file, nowMs) : undefined;
  const format = request.signatureType
    ? FORMATS[request.signatureType]
    : request.cmsSignatureOptions || !file
      ? 'CAdES'
      : formatOf({
          contentType: file.contentType,
          firstBytes: file.bytes.subarray(0, LOOKED_AT_BYTES),
          forceCades: false,
        });
  if (format === 'CAdES') return cmsTask(caller, { ...request, file }, nowMs);
  if (!file) throw missingFile();
  const task = { format, file, isCoSigned: false };
  return { ...task, options: format === 'XAdES' ? { xades: xmlOptions(request) } : {} };
}

type CmsRequest = Pick<Request, 'cmsSignatureOptions'> & { readonly file: ReceivedFile | undefined };

async function cmsTask(
  caller: Caller,
  { cmsSignatureOptions: asked, file }: CmsRequest,
  nowMs: number,
): Promise<SigningTask> {
  const { dataFile, dataHashes } = asked ?? {};
  const data = dataFile ? await receiveFile(caller, dataFile, nowMs) : undefined;
  const given = data ? hashOfContent(data.bytes) : dataHashes?.length ? contentHashOf(dataHashes) : undefined;
  if (!file && given === undefined) throw missingFile();
  const isCoSigned = file !== undefined && (await isCmsSignature(file.bytes));
  // The file is the content then, and cannot have another.
  if (file && !isCoSigned && given !== undefined && given !== hashOfContent(file.bytes))
    throw errors.refuse('BadDigest', { file: 'is not the content of dataFile or dataHashes' });
  const contentHash = file && !isCoSigned ? undefined : given;
  const cades = { detached: asked?.detached ?? false, ...(contentHash !== undefined && { contentHash }) };
  return { format: 'CAdES', file, isCoSigned, options: { cades } };
}

function xmlOptions({ xmlSignatureOptions: asked }: Request): SignatureOptions['xades'] {
  const isElement = asked?.type ? asked.type === 'XmlElement' : Boolean(asked?.elementToSignId);
  if (isElement !== Boolean(asked?.elementToSignId))
    throw errors.refuse('InvalidRequest', undefined, {
      fields: [
        {
          field: 'xmlSignatureOptions.elementToSignId',
          message: isElement ? 'is required to sign an element' : 'is for the type XmlElement',
        },
      ],
    });
  return { ...elementOption(asked?.elementToSignId), ...placeOption(asked?.signatureElementLocation) };
}

const missingFile = () =>
  errors.refuse('InvalidRequest', undefined, { fields: [{ field: 'file', message: 'is required' }] });
