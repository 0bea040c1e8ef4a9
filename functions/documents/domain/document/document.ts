import type { Caller } from '../../../../shared/access/caller.ts';
import type { SignatureFormat } from '../../../../shared/signing/format-of.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import type { StateOf } from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';
import type { Flow } from '../flow/flow.ts';
import { isInScope } from '../places/organization.ts';
import type { documentStates } from './document-states.ts';
import { type DocumentLocation, locateOpen } from './location.ts';

export type DocumentState = StateOf<typeof documentStates>;

/** A user or an application that did something. */
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

export type Attachment = StoredFile & { readonly id: string; readonly displayName: string };

/** A document with its flow: one item, so that no action is ever out of step with its document. */
export type Document = {
  readonly id: string;
  readonly organizationId: string;
  readonly folderId: string | null;
  readonly state: DocumentState;
  readonly name: string;
  readonly original: StoredFile;
  /** The newest signed file. Its revision grows with every signature, so that none is made over an older one. */
  readonly signed: { readonly key: string; readonly size: number; readonly revision: number } | null;
  readonly format: SignatureFormat;
  readonly forceCadesSignature: boolean;
  /** Counts new versions of the file; each resets the flow. */
  readonly round: number;
  readonly flow: Flow;
  readonly description: string | null;
  readonly additionalInfo: string | null;
  readonly tags: readonly {
    readonly label: string;
    readonly value: string | null;
    readonly color: string | null;
  }[];
  readonly notifiedEmails: readonly string[];
  readonly observers: readonly {
    readonly name: string;
    readonly emailAddress: string;
    readonly identifier: string | null;
  }[];
  readonly attachments: readonly Attachment[];
  readonly createdBy: Author;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly expiresAtMs: number | null;
  readonly statusUpdatedBy: Author | null;
  readonly statusUpdateReason: string | null;
  /** The secret half of the document's key, which the links to act on it carry. It opens nothing without a ticket. */
  readonly keySecret: string;
  /** The creation that made it. While that goes on, it may make the document again. */
  readonly creationId?: string;
};

export const documentItems = collection<Document, string>({
  service: 'documents',
  name: 'document',
  id: ({ id }) => id,
  key: (id) => ({ pk: `DOCUMENT#${id}`, sk: 'DOCUMENT' }),
});

export const authorOf = ({ application }: Pick<Caller, 'application'>): Author => ({
  id: application,
  name: application,
  type: 'Application',
});

/** A document outside the key's scope, or in a place that was deleted, is one that does not exist. */
export async function findLocatedDocument(
  id: string,
  caller: Pick<Caller, 'registered'>,
): Promise<{ readonly document: Stored<Document>; readonly surroundings: DocumentLocation }> {
  const document = await documentItems.get(id);
  const isTheirs = document && isInScope(document.organizationId, caller);
  const surroundings = isTheirs ? await locateOpen(document) : undefined;
  if (document && surroundings) return { document, surroundings };
  throw documentNotFound(id);
}

export const findDocument = async (
  id: string,
  caller: Pick<Caller, 'registered'>,
): Promise<Stored<Document>> => (await findLocatedDocument(id, caller)).document;

/** Whether a document still exists for whoever has a link to it: its organization and every folder above are open. */
export const isReachable = async (document: Document): Promise<boolean> =>
  (await locateOpen(document)) !== undefined;

// A date that is over counts before anyone has come to write that down.
export const isExpired = ({ expiresAtMs }: Pick<Document, 'expiresAtMs'>, nowMs: number): boolean =>
  expiresAtMs !== null && expiresAtMs <= nowMs;

/** The state that a document is in at a moment, its date considered. */
export const stateAt = (document: Pick<Document, 'state' | 'expiresAtMs'>, nowMs: number): DocumentState =>
  document.state === 'Pending' && isExpired(document, nowMs) ? 'Expired' : document.state;

export const documentNotFound = (id: string) =>
  errors.refuse('DocumentNotFound', { resourceName: 'Document', resourceId: id });
