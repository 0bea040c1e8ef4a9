import { dayOf, isoDate } from '../calendar.ts';
import { type Attachment, type Document, type Observer, stateAt } from '../document/document.ts';
import { documentStates } from '../document/document-states.ts';
import type { DocumentLocation } from '../document/location.ts';
import { commonFields, shownAuthor } from '../document/notifications.ts';
import { observerIdOf } from '../document/observers.ts';
import { derivedGuid } from '../guids.ts';
import { renderAction, renderPerson } from './render-action.ts';

/** A document as lists show it. */
export function renderListItem(document: Document, location: DocumentLocation, nowMs: number) {
  const { folder } = commonFields(document, location);
  const { original, expiresAtMs } = document;
  return {
    id: document.id,
    name: document.name,
    filename: original.name,
    fileSize: original.size,
    mimeType: original.contentType,
    hasSignature: document.signed !== null,
    status: stateAt(document, nowMs),
    isConcluded: document.state === 'Concluded',
    folder,
    creationDate: isoDate(document.createdAtMs),
    updateDate: isoDate(document.updatedAtMs),
    expirationDate: expiresAtMs === null ? null : isoDate(expiresAtMs),
    expirationDateWithoutTime: expiresAtMs === null ? null : dayOf(expiresAtMs),
    createdBy: shownAuthor(document.createdBy),
    description: document.description,
    type: null,
    tags: document.tags.map((tag, index) => ({
      id: derivedGuid('tag', document.id, String(index)),
      ...tag,
    })),
    flowActions: document.flow.map((action) => renderAction(action, document.createdAtMs, document.parts)),
  };
}

/** A document as GET /api/documents/{id} shows it. */
export function renderDocument(document: Document, location: DocumentLocation, nowMs: number) {
  return {
    ...renderListItem(document, location, nowMs),
    key: document.code,
    checksumMd5: document.original.md5,
    isDeleted: false,
    organization: commonFields(document, location).organization,
    additionalInfo: document.additionalInfo,
    forceCadesSignature: document.forceCadesSignature,
    isScanned: false,
    isEnvelope: document.parts !== undefined,
    parts: document.parts ? [...document.parts] : [],
    statusUpdatedBy: document.statusUpdatedBy && shownAuthor(document.statusUpdatedBy),
    statusUpdateReason: document.statusUpdateReason,
    hideDownloadOptionForPendingDocuments: false as const,
    signatureType: 'None' as const,
    securityContext: null,
    language: document.language ?? null,
    disableNotifications: document.silence === 'all',
    disablePendingActionNotifications: document.silence !== undefined,
    observers: document.observers.map((observer, index) => renderObserver(document.id, observer, index)),
    flowEdits: (document.flowEdits ?? []).map(({ by, atMs, ...edit }) => ({
      ...{ date: isoDate(atMs), by: shownAuthor(by) },
      ...edit,
    })),
    changes: (document.changes ?? []).map(({ kind, by, atMs, folderName = null }) => ({
      ...{ kind, date: isoDate(atMs), by: shownAuthor(by), folderName },
    })),
    attachments: document.attachments.map((attachment) => renderAttachment(document, attachment)),
    notifiedEmails: [...document.notifiedEmails],
    permissions: { move: true, editFlow: documentStates.accepts(stateAt(document, nowMs), 'edited') },
  };
}

/** An observer of a document, or of a stored flow. */
export function renderObserver(
  documentId: string,
  { id, phone = null, observerId, ...observer }: Observer,
  index: number,
) {
  const { name, identifier, emailAddress } = observer;
  const userId = id ?? derivedGuid('observer', emailAddress.toLowerCase());
  return {
    id: observerIdOf(documentId, { observerId }, index),
    user: renderPerson({ id: userId, name, identifier, emailAddress, phone }),
    ...observer,
    email: emailAddress,
  };
}

/** An attachment under the names of its own, and under those that a document has. */
function renderAttachment({ createdAtMs, createdBy }: Document, attachment: Attachment) {
  const { id, displayName, name, contentType, size, isPrivate = false } = attachment;
  const date = isoDate(createdAtMs);
  return {
    ...{ id, displayName, name, filename: name, contentType, mimeType: contentType, size, fileSize: size },
    ...{ creationDate: date, updateDate: date, createdBy: shownAuthor(createdBy), isPrivate },
  };
}
