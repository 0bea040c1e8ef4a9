import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { safeFileName } from '../../../../shared/files/safe-name.ts';
import { settings } from '../../settings.ts';
import { type Deadline, deadlineIn } from '../deadline.ts';
import type { Pdf } from './incoming.ts';
import { callPlatform, PlatformUnreachable } from './platform-call.ts';

/** The signer of a document, as the platform knows people. */
export type Signer = { readonly name: string; readonly cpf: string; readonly email: string };

const UploadAnswer = z.object({ id: z.string() });
const Created = z.tuple([z.object({ documentId: z.string().min(1) })]).rest(z.unknown());
const Started = z.object({
  success: z.boolean(),
  token: z.string().nullish(),
  toSignHash: z.base64().nullish(),
  digestAlgorithm: z.string().nullish(),
});
const Completed = z.object({ success: z.boolean() });
const Status = z.object({ status: z.string() });

/** The answer in its shape. Another shape means that the platform does not speak our protocol. */
export function requireShape<S extends z.ZodType>(shape: S, answer: unknown): z.output<S> {
  const read = shape.safeParse(answer);
  if (read.success) return read.data;
  throw new PlatformUnreachable(
    `The signature service answered in another shape: ${z.prettifyError(read.error)}`,
  );
}

const json = (value: unknown) => ({ contentType: 'application/json', bytes: JSON.stringify(value) });

/** A form with one file, as multipart/form-data. */
function form(bytes: Uint8Array, fileName: string): { contentType: string; bytes: Buffer } {
  const boundary = `sinete-${randomUUID()}`;
  const quoted = fileName.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${quoted}"\r\ncontent-type: application/pdf\r\n\r\n`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

/** A file at the platform, from which a document can be created. */
export type Upload = { readonly uploadId: string; readonly fileName: string };

export async function uploadFile({ bytes, fileName }: Pdf, deadline: Deadline): Promise<Upload> {
  const body = form(bytes, fileName);
  const answer = await callPlatform({ method: 'POST', path: '/api/uploads', body, deadline });
  return { uploadId: requireShape(UploadAnswer, answer).id, fileName };
}

type CreateDocumentRequest = Upload & {
  readonly signer: Signer;
  /** Tags the document, so that it is found again when its id was lost with this process. */
  readonly dispatchId: string;
};

/** Creates a document with one signer. Returns its id. */
export async function createDocument(request: CreateDocumentRequest, deadline: Deadline): Promise<string> {
  const { uploadId, fileName, signer, dispatchId } = request;
  const { name, cpf, email } = signer;
  // A platform may refuse names with invisible characters; that must not stop the signature.
  const title = safeFileName(fileName);
  const body = json({
    files: [{ id: uploadId, displayName: title, name: title, contentType: 'application/pdf' }],
    flowActions: [{ type: 'Signer', step: 1, user: { name, identifier: cpf, email } }],
    folderId: settings['Signer:FolderId'] ?? null,
    tags: [{ label: DISPATCH_TAG, value: dispatchId }],
    disablePendingActionNotifications: true,
  });
  const answer = await callPlatform({ method: 'POST', path: '/api/documents', body, deadline });
  return requireShape(Created, answer)[0].documentId;
}

/** The label of the tag that names a document's dispatch. */
export const DISPATCH_TAG = 'session-dispatch';
const pathOf = (documentId: string, rest = ''): string =>
  `/api/documents/${encodeURIComponent(documentId)}${rest}`;

export type ToSign = { readonly token: string; readonly hash: Buffer };

/** Announces the certificate. Returns the hash to sign, or nothing where the platform does not accept the certificate. */
export async function startSignature(
  documentId: string,
  certificate: Uint8Array,
  deadline: Deadline,
): Promise<ToSign | undefined> {
  const body = json({ certificate: Buffer.from(certificate).toString('base64') });
  const path = pathOf(documentId, '/signature/certificate');
  const answer = await callPlatform({ method: 'POST', path, body, deadline });
  const { success, token, toSignHash, digestAlgorithm } = requireShape(Started, answer);
  if (!success || !token || !toSignHash) return undefined;
  if (digestAlgorithm && !/^sha-?256$/i.test(digestAlgorithm))
    throw new PlatformUnreachable(
      `The signature service asks for a digest we do not sign: ${digestAlgorithm}.`,
    );
  return { token, hash: Buffer.from(toSignHash, 'base64') };
}

/** Delivers the signature. Returns whether the platform accepted it. */
export async function completeSignature(
  documentId: string,
  { token, signature }: { readonly token: string; readonly signature: Buffer },
  deadline: Deadline,
): Promise<boolean> {
  const body = json({ token, signature: signature.toString('base64') });
  const path = pathOf(documentId, '/signature');
  const answer = await callPlatform({ method: 'POST', path, body, deadline });
  return requireShape(Completed, answer).success;
}

/** Has a budget of its own: it runs when the time of the call is over. */
export async function cancelDocument(documentId: string, reason: string, now: () => number): Promise<void> {
  const deadline = deadlineIn(settings['Signing:SignerCancelBudget'] * 1000, now);
  const path = pathOf(documentId, '/cancellation');
  await callPlatform({ method: 'POST', path, body: json({ reason }), deadline });
}

export async function statusOf(documentId: string, deadline: Deadline): Promise<string> {
  const answer = await callPlatform({ method: 'GET', path: pathOf(documentId), deadline });
  return requireShape(Status, answer).status;
}

/** Whether a document of this status has its signed version. */
export const isConcluded = (status: string): boolean => status === 'Concluded' || status === 'FlowConcluded';
