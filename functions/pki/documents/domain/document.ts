import type { Caller } from '../../../../shared/access/caller.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import type { SignatureFormat } from '../../../../shared/signing/format-of.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { removingLater } from '../../domain/tasks.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { type KeyChoice, keyForDocument, type Metadata } from './document-keys.ts';

export type DocumentFile = {
  readonly key: string;
  readonly size: number;
  readonly name: string | null;
  readonly contentType: string;
};

/** A signed document. It is made when it is signed, and is gone after its time. */
export type SignedDocument = {
  readonly id: string;
  readonly application: string;
  readonly documentKey: string;
  readonly format: SignatureFormat;
  /** Null where only its hash was given. */
  readonly original: DocumentFile | null;
  readonly signed: DocumentFile;
  /** The folder of both files, and of no other document's. */
  readonly folder: string;
  /** The signer's certificate as base64 of DER. */
  readonly signer: string;
  readonly signedAtMs: number;
  readonly metadata: Metadata;
  readonly availableUntilMs: number;
};

export const documents = collection<SignedDocument, string>({
  service: 'pki',
  name: 'document',
  id: ({ id }) => id,
  key: (id) => ({ pk: `DOCUMENT#${id}`, sk: 'DOCUMENT' }),
  indexed: ({ availableUntilMs }) => ({ ttl: Math.ceil(availableUntilMs / 1000) }),
});

type NewDocument = Omit<
  SignedDocument,
  'documentKey' | 'signed' | 'signer' | 'signedAtMs' | 'metadata' | 'availableUntilMs'
> & {
  readonly certificate: Certificate;
  readonly documentKey: KeyChoice;
  /** Takes the place of what its key has, name by name. */
  readonly metadata?: Metadata | undefined;
};

// Links that were given out in the last second work until they end.
const REMOVED_AFTER_MS = 3_600_000;

/**
 * A document with its key and the removal of its files, as writes of the change that signs it. Its file is made when the
 * key is known to be free.
 */
export async function creatingDocument(
  { certificate, documentKey, metadata, ...parts }: NewDocument,
  makeFile: () => Promise<DocumentFile>,
  nowMs: number,
): Promise<{ readonly document: SignedDocument; readonly writes: readonly Write[] }> {
  const availableUntilMs = nowMs + settings['Documents:KeptFor'] * 1_000;
  const given = await keyForDocument(parts, documentKey, availableUntilMs);
  const document: SignedDocument = {
    ...parts,
    documentKey: given.key,
    signed: await makeFile(),
    signer: certificate.der.toString('base64'),
    signedAtMs: nowMs,
    metadata: { ...given.metadata, ...metadata },
    availableUntilMs,
  };
  const removal = removingLater(parts.folder, availableUntilMs + REMOVED_AFTER_MS);
  return { document, writes: [documents.creating(document), removal, ...given.writes] };
}

/** A document of the caller that can still be fetched. */
export async function findDocument(
  { application }: Pick<Caller, 'application'>,
  id: string,
  nowMs: number,
): Promise<Stored<SignedDocument>> {
  const found = await documents.get(id);
  if (found?.application !== application || nowMs >= found.availableUntilMs)
    throw errors.refuse('DocumentNotFound', { documentId: id });
  return found;
}
