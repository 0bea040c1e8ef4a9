import { randomBytes, randomUUID } from 'node:crypto';
import { CreateDocuments } from '../../../functions/documents/contract/create-document.ts';
import { storing } from '../../../functions/documents/domain/billing/usage.ts';
import { createDocuments } from '../../../functions/documents/domain/creating/create-documents.ts';
import { storedBytes } from '../../../functions/documents/domain/creating/creating-document.ts';
import { type Document, documentItems } from '../../../functions/documents/domain/document/document.ts';
import { listing } from '../../../functions/documents/domain/document/document-lists.ts';
import { receiveUpload } from '../../../functions/documents/domain/uploads/receive-upload.ts';
import type { Caller } from '../../../shared/access/caller.ts';

/** A caller whose key is scoped to these organizations. */
export const callerFor = (...organizations: string[]): Caller => ({
  application: 'test',
  keyId: 'test',
  permissions: [],
  registered: { organizations },
});

/** Uploads a file of random bytes. Answers its id. */
export async function anUpload(organizationId: string, name = 'contrato.bin', bytes = 100): Promise<string> {
  const content = randomBytes(bytes);
  const contentType = 'application/octet-stream';
  return (await receiveUpload({ organizationId, name, contentType, content }, Date.now())).id;
}

type SampleOptions = {
  readonly names?: readonly string[];
  readonly attachments?: number;
  readonly nowMs?: number;
} & Record<string, unknown>;

export const SIGNER = { type: 'Signer', user: { name: 'Ana Prado', identifier: '52998224725' } };
export const APPROVER = { type: 'Approver', user: { name: 'Bia Lima', email: 'bia@example.com' } };

/** Creates documents as POST /api/documents does, one for each name, all in one call. Answers their ids. */
export async function someDocuments(
  organizationId: string,
  { names = ['contrato.bin'], attachments = 0, nowMs = Date.now(), ...options }: SampleOptions = {},
): Promise<string[]> {
  const files = [];
  for (const name of names) files.push({ id: await anUpload(organizationId, name) });
  const attached = [];
  for (let n = 0; n < attachments; n++)
    attached.push({ id: await anUpload(organizationId, `anexo-${n}.bin`) });
  const request = { files, attachments: attached, flowActions: [SIGNER], ...options };
  const made = await createDocuments(callerFor(organizationId), CreateDocuments.parse(request), nowMs);
  return made.map(({ documentId }) => documentId);
}

const MADE_AT_ONCE = 10;

/** Creates many copies of a document, a millisecond apart, the oldest first. Quick: their files do not exist. */
export async function manyLike(
  id: string,
  count: number,
  more: (n: number) => Partial<Document> = () => ({}),
): Promise<string[]> {
  const sample = await documentItems.get(id);
  if (!sample) throw new Error(`There is no document ${id}.`);
  const { version: _, ...like } = sample;
  const made = Array.from({ length: count }, (_, n): Document => {
    const createdAtMs = like.createdAtMs + 1 + n;
    const original = { ...like.original, key: `uploads/${randomUUID()}` };
    return { ...like, id: randomUUID(), original, createdAtMs, ...more(n) };
  });
  for (let from = 0; from < made.length; from += MADE_AT_ONCE) {
    const some = made.slice(from, from + MADE_AT_ONCE);
    await Promise.all(
      some.map((each) =>
        documentItems.create(each, {
          also: [...listing(undefined, each), storing(each.organizationId, storedBytes(each))],
        }),
      ),
    );
  }
  return made.map((document) => document.id);
}
