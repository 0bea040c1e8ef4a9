import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { safeFileName } from '../../../../shared/files/safe-name.ts';
import { settings } from '../../settings.ts';
import { callPlatform, PlatformUnreachable } from './platform-call.ts';

/** Who signs, as the platform is told. */
export type Signer = { readonly name: string; readonly cpf: string; readonly email: string };

const Upload = z.object({ id: z.string() });
const Created = z.tuple([z.object({ documentId: z.string().min(1) })]).rest(z.unknown());
const Started = z.object({
  success: z.boolean(),
  token: z.string().nullish(),
  toSignHash: z.base64().nullish(),
  digestAlgorithm: z.string().nullish(),
});
const Completed = z.object({ success: z.boolean() });
const Status = z.object({ status: z.string() });
const Tag = z.object({ label: z.string(), value: z.string().nullish() });
const Listed = z.object({
  items: z.array(z.object({ id: z.string(), tags: z.array(Tag).nullish() })),
  nextCursor: z.string().nullish(),
});

function shaped<S extends z.ZodType>(shape: S, answer: unknown): z.output<S> {
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

type File = { readonly pdf: Uint8Array; readonly fileName: string; readonly deadlineAtMs: number };

/** Hands a file over, to wait for a document. */
export async function uploadFile({ pdf, fileName, deadlineAtMs }: File): Promise<string> {
  const body = form(pdf, fileName);
  return shaped(Upload, await callPlatform({ method: 'POST', path: '/api/uploads', body, deadlineAtMs })).id;
}

type Wish = {
  readonly uploadId: string;
  readonly fileName: string;
  readonly signer: Signer;
  /** Tags the document, so that one whose id was lost with this process is found again. */
  readonly dispatchId: string;
  readonly deadlineAtMs: number;
};

/** Makes a document of it, with one signer. */
export async function createDocument(wish: Wish): Promise<string> {
  const { uploadId, fileName, signer, dispatchId, deadlineAtMs } = wish;
  const { name, cpf, email } = signer;
  // A platform refuses names with characters that are not seen; the file is signed all the same.
  const title = safeFileName(fileName);
  const request = {
    files: [{ id: uploadId, displayName: title, name: title, contentType: 'application/pdf' }],
    flowActions: [{ type: 'Signer', step: 1, user: { name, identifier: cpf, email } }],
    folderId: settings['Signer:FolderId'] ?? null,
    tags: [{ label: DISPATCH_TAG, value: dispatchId }],
    disablePendingActionNotifications: true,
  };
  const answer = await callPlatform({
    method: 'POST',
    path: '/api/documents',
    body: json(request),
    deadlineAtMs,
  });
  return shaped(Created, answer)[0].documentId;
}

const DISPATCH_TAG = 'session-dispatch';
const at = (documentId: string, rest = ''): string =>
  `/api/documents/${encodeURIComponent(documentId)}${rest}`;

export type ToSign = { readonly token: string; readonly hash: Buffer };

/** Announces the certificate; gives what its key must sign, or nothing where the platform does not take it. */
export async function startSignature(
  documentId: string,
  certificate: Uint8Array,
  deadlineAtMs: number,
): Promise<ToSign | undefined> {
  const body = json({ certificate: Buffer.from(certificate).toString('base64') });
  const answer = await callPlatform({
    method: 'POST',
    path: at(documentId, '/signature/certificate'),
    body,
    deadlineAtMs,
  });
  const { success, token, toSignHash, digestAlgorithm } = shaped(Started, answer);
  if (!success || !token || !toSignHash) return undefined;
  if (digestAlgorithm && !/^sha-?256$/i.test(digestAlgorithm))
    throw new PlatformUnreachable(
      `The signature service asks for a digest we do not sign: ${digestAlgorithm}.`,
    );
  return { token, hash: Buffer.from(toSignHash, 'base64') };
}

export async function completeSignature(
  documentId: string,
  token: string,
  signature: Buffer,
  deadlineAtMs: number,
): Promise<boolean> {
  const body = json({ token, signature: signature.toString('base64') });
  const answer = await callPlatform({
    method: 'POST',
    path: at(documentId, '/signature'),
    body,
    deadlineAtMs,
  });
  return shaped(Completed, answer).success;
}

export async function cancelDocument(documentId: string, reason: string): Promise<void> {
  const deadlineAtMs = Date.now() + settings['Signing:SignerCancelBudget'] * 1000;
  await callPlatform({
    method: 'POST',
    path: at(documentId, '/cancellation'),
    body: json({ reason }),
    deadlineAtMs,
  });
}

export async function statusOf(documentId: string, deadlineAtMs: number): Promise<string> {
  return shaped(Status, await callPlatform({ method: 'GET', path: at(documentId), deadlineAtMs })).status;
}

/** Whether a document of this status has its signed version. */
export const isConcluded = (status: string): boolean => status === 'Concluded' || status === 'FlowConcluded';

// A holder has few documents that wait, and a search gives at most a page of them at a time.
const MAX_PAGES = 20;

/** The documents that carry this dispatch's tag and still wait: none, or the one whose id was lost. */
export async function findDispatched(
  { id, cpf }: { readonly id: string; readonly cpf: string },
  deadlineAtMs: number,
): Promise<readonly string[]> {
  let cursor: string | null | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = new URLSearchParams({ status: 'Pending', q: cpf, limit: '50', ...(cursor && { cursor }) });
    const answer = await callPlatform({ method: 'GET', path: `/api/documents?${query}`, deadlineAtMs });
    const { items, nextCursor } = shaped(Listed, answer);
    const found = items.filter(({ tags }) =>
      tags?.some(({ label, value }) => label === DISPATCH_TAG && value === id),
    );
    if (found.length > 0 || !nextCursor) return found.map((item) => item.id);
    cursor = nextCursor;
  }
  throw new PlatformUnreachable(
    'The signature service lists more documents of the holder than can be looked at.',
  );
}
