import { createHash, randomUUID } from 'node:crypto';
import { FlowActionRequest } from '../../../../../functions/documents/contract/flows/flow-actions.ts';
import { newKeySecret } from '../../../../../functions/documents/domain/document/action-link.ts';
import { type Document, documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { listing } from '../../../../../functions/documents/domain/document/document-lists.ts';
import {
  documentIdOfCode,
  newCode,
} from '../../../../../functions/documents/domain/document/verification-code.ts';
import { planFlow, startFlow } from '../../../../../functions/documents/domain/flow/new-flow.ts';
import { files } from '../../../../../shared/files/files.ts';
import { formatOf } from '../../../../../shared/signing/format-of.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';

type PendingDocumentOptions = {
  readonly organizationId: string;
  readonly bytes: Uint8Array;
  readonly name?: string;
  readonly contentType?: string;
  readonly forceCades?: boolean;
  /** As POST /api/documents takes them. */
  readonly flow: readonly unknown[];
  readonly more?: Partial<Document>;
};

/** A document right after its creation. */
export async function pendingDocument({
  organizationId,
  bytes,
  name = 'contrato.pdf',
  contentType = 'application/octet-stream',
  forceCades = false,
  flow,
  more = {},
}: PendingDocumentOptions): Promise<Stored<Document>> {
  const code = newCode();
  const [id, key, nowMs] = [documentIdOfCode(code), `uploads/${randomUUID()}`, Date.now()];
  await files('documents').put(key, bytes, { contentType });
  const asked = flow.map((action) => FlowActionRequest.parse(action));
  const document: Document = {
    id,
    organizationId,
    folderId: null,
    state: 'Pending',
    name,
    original: {
      key,
      name,
      contentType,
      size: bytes.length,
      md5: createHash('md5').update(bytes).digest('hex'),
    },
    signed: null,
    format: formatOf({ contentType, firstBytes: bytes.subarray(0, 1024), forceCades }),
    forceCadesSignature: forceCades,
    round: 0,
    flow: startFlow(planFlow(asked, organizationId), id, 0, nowMs),
    description: null,
    additionalInfo: null,
    tags: [],
    notifiedEmails: [],
    observers: [],
    attachments: [],
    createdBy: { id: 'test', name: 'test', type: 'Application' },
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    expiresAtMs: null,
    statusUpdatedBy: null,
    statusUpdateReason: null,
    keySecret: newKeySecret(),
    code,
    ...more,
  };
  return documentItems.create(document, { also: listing(undefined, document) });
}

/** The document as it is now. */
export async function current({ id }: Pick<Document, 'id'>): Promise<Stored<Document>> {
  const found = await documentItems.get(id);
  if (!found) throw new Error(`There is no document ${id}.`);
  return found;
}

/** The bytes of its newest signed file. */
export async function signedBytes(document: Pick<Document, 'id'>): Promise<Buffer> {
  const { signed } = await current(document);
  const bytes = signed && (await files('documents').read(signed.key, 100_000_000));
  if (!bytes) throw new Error('It has no signed file.');
  return bytes;
}

export const signer = (identifier: string | null, more: object = {}) => ({
  type: 'Signer',
  user: { name: `Signer ${identifier ?? 'without a CPF'}`, identifier },
  ...more,
});

export const approver = (email: string, more: object = {}) => ({
  type: 'Approver',
  user: { name: `Approver ${email}`, email },
  ...more,
});
