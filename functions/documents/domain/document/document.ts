import type { Caller } from '../../../../shared/access/caller.ts';
import type { SignatureFormat } from '../../../../shared/signing/format-of.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import type { StateOf } from '../../../../shared/store/state-machine.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { errors } from '../../errors.ts';
import type { EditedPart } from '../flow/edit.ts';
import type { Flow } from '../flow/flow.ts';
import type { XmlNamespaces } from '../flow/xml-options.ts';
import { isInScope } from '../places/organization.ts';
import { documentStates } from './document-states.ts';
import { type DocumentLocation, locateOpen } from './location.ts';

export type DocumentState = StateOf<typeof documentStates>;

/** The user or application that did something, as a document records it. */
export type Author = {
  readonly id: string;
  readonly name: string;
  readonly type: 'User' | 'Application';
};

/** A file in the service's bucket. */
export type StoredFile = {
  readonly key: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  readonly md5: string;
};

/** Values of form fields, and of the document information, by their names. */
export type PdfValues = {
  readonly fields: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
};

/** One of the PDFs that an envelope was made of, as it was uploaded. */
export type Part = {
  readonly uploadId: string;
  readonly name: string;
  /** Of the envelope, from 1. */
  readonly startPage: number;
  readonly pages: number;
  readonly size: number;
  readonly sha256: string;
};

export type Attachment = StoredFile & {
  readonly id: string;
  readonly displayName: string;
  /** For the organization alone. Those older than this option have none written. */
  readonly isPrivate?: boolean;
};

/** Somebody who is told of a document, and has no part in its flow. */
export type Observer = {
  /** By `observerIdOf`. Written when the flow is edited. */
  readonly observerId?: string;
  readonly name: string;
  readonly emailAddress: string;
  readonly identifier: string | null;
  /** Named by the caller. Observers older than these have neither written. */
  readonly id?: string | null;
  readonly phone?: string | null;
};

/** The record of an edit of the flow: it is evidence, and shown with it. */
export type FlowEdit = {
  readonly by: Author;
  readonly atMs: number;
  readonly added: readonly EditedPart[];
  readonly changed: readonly EditedPart[];
  readonly removed: readonly EditedPart[];
};

/** The record of what happened to a document beside its flow: it went to a folder, or got a new file. */
export type DocumentChangeRecord = {
  readonly kind: 'Moved' | 'Versioned';
  readonly by: Author;
  readonly atMs: number;
  /** Of the folder that it went to, as it was called then; null for the root. */
  readonly folderName?: string | null;
};

// An item of the table holds 400 KB; whoever moves one more often sees the last ones.
const MAX_CHANGES = 50;

/** The records of a document with one more. */
export const withChange = (
  { changes = [] }: Pick<Document, 'changes'>,
  change: DocumentChangeRecord,
): Pick<Document, 'changes'> => ({ changes: [...changes, change].slice(-MAX_CHANGES) });

/** A document with its flow. Both are one item, so an action never disagrees with its document. */
export type Document = {
  readonly id: string;
  readonly organizationId: string;
  readonly folderId: string | null;
  readonly state: DocumentState;
  readonly name: string;
  readonly original: StoredFile;
  /** Of an envelope alone: the files that `original` was made of, in its order. */
  readonly parts?: readonly Part[];
  /** The newest signed file. Its revision grows with every signature, so none is made over an older file. */
  readonly signed: { readonly key: string; readonly size: number; readonly revision: number } | null;
  readonly format: SignatureFormat;
  readonly forceCadesSignature: boolean;
  /** Of the paths in its flow. */
  readonly xmlNamespaces?: XmlNamespaces;
  /** Grows with every new version of the file; each version resets the flow. */
  readonly round: number;
  readonly flow: Flow;
  /** Of this round. */
  readonly flowEdits?: readonly FlowEdit[];
  /** Of all rounds, the last ones. */
  readonly changes?: readonly DocumentChangeRecord[];
  readonly description: string | null;
  /** A text of the caller, or the values that were written into the PDF. */
  readonly additionalInfo: string | PdfValues | null;
  readonly tags: readonly {
    readonly label: string | null;
    readonly value: string | null;
    readonly color: string | null;
  }[];
  readonly notifiedEmails: readonly string[];
  readonly observers: readonly Observer[];
  readonly attachments: readonly Attachment[];
  readonly createdBy: Author;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly expiresAtMs: number | null;
  readonly statusUpdatedBy: Author | null;
  readonly statusUpdateReason: string | null;
  /** The secret half of the document's key, which action URLs carry. It opens nothing without a ticket. */
  readonly keySecret: string;
  /** The code that is printed on its evidence. The id is derived from it (verification-code.ts). */
  readonly code: string;
  /** The last evidence of its electronic signatures; every one holds the hash of the one before. */
  readonly evidence?: { readonly sequence: number; readonly sha256: string };
  /** The messages that participants do not get: none at all, or no invitations. */
  readonly silence?: 'all' | 'pending';
  /** Of its mail and links. Left out: that of its organization. */
  readonly language?: Language;
  /** The creation that made the document. Until it is finished, it may make the document again. */
  readonly creationId?: string;
};

/** The partition of a document and of everything that is deleted with it. */
export const documentPartition = (id: string): string => `DOCUMENT#${id}`;

export const documentItems = collection<Document, string>({
  service: 'documents',
  name: 'document',
  id: ({ id }) => id,
  key: (id) => ({ pk: documentPartition(id), sk: 'DOCUMENT' }),
});

export const authorOf = ({ application, person }: Pick<Caller, 'application' | 'person'>): Author =>
  person ? { ...person, type: 'User' } : { id: application, name: application, type: 'Application' };

type Scope = Pick<Caller, 'registered'>;

export type LocatedDocument = {
  readonly document: Stored<Document>;
  readonly location: DocumentLocation;
};

/** Finds a document with its location. One outside the key's scope, or in a deleted place, does not exist. */
export const findLocatedDocument = async (caller: Scope, id: string): Promise<LocatedDocument> =>
  requireVisible(caller, id, await documentItems.get(id));

/** The document that was read by this id, where the caller may see it. */
export async function requireVisible(
  caller: Scope,
  id: string,
  document: Stored<Document> | undefined,
): Promise<LocatedDocument> {
  const isVisible = document && isInScope(caller, document.organizationId);
  const location = isVisible ? await locateOpen(document) : undefined;
  if (document && location) return { document, location };
  throw errors.refuse('DocumentNotFound', { resourceName: 'Document', resourceId: id });
}

export const findDocument = async (caller: Scope, id: string): Promise<Stored<Document>> =>
  (await findLocatedDocument(caller, id)).document;

/** Whether a document exists for the holder of a link: its organization and every folder above it are open. */
export const isReachable = async (document: Document): Promise<boolean> =>
  (await locateOpen(document)) !== undefined;

/** Whether the expiration date has passed, even before the state is changed to Expired. */
export const isExpired = ({ expiresAtMs }: Pick<Document, 'expiresAtMs'>, nowMs: number): boolean =>
  expiresAtMs !== null && expiresAtMs <= nowMs;

/** The state of a document at this time, with the expiration date applied. */
export const stateAt = (document: Pick<Document, 'state' | 'expiresAtMs'>, nowMs: number): DocumentState =>
  (isExpired(document, nowMs) && documentStates.next(document.state, 'expired')) || document.state;
