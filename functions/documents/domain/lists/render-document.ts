import { dayOf, isoDate } from '../calendar.ts';
import { type Document, stateAt } from '../document/document.ts';
import type { DocumentLocation } from '../document/location.ts';
import { commonFields, shownAuthor } from '../document/notifications.ts';
import type { FlowAction, Person } from '../flow/flow.ts';
import { shownId } from '../guids.ts';

const isRule = ({ type }: FlowAction): boolean => type.endsWith('Rule');

/** A person, with the address under both names that clients know. */
const renderPerson = (person: Person) => ({
  ...person,
  id: shownId('person', person.id),
  email: person.emailAddress,
});

/** An action as responses show it. */
const renderAction = (action: FlowAction) => ({
  id: action.id,
  type: action.type,
  status: action.state,
  step: action.step,
  title: action.title,
  user: isRule(action) ? null : (action.people.map(renderPerson)[0] ?? null),
  ruleName: action.ruleName,
  numberRequiredSignatures: isRule(action) ? action.required : null,
  signRuleUsers: isRule(action) ? action.people.map(renderPerson) : [],
  requiredCompanyIdentifier: action.requiredCompanyIdentifier,
  requiredCertificateTypeToSign: action.requiredCertificateType,
  requireCompanyCertificate: action.requiredHolderType === 'Company',
  requiredCertificateHolderTypeToSign: action.requiredHolderType ?? null,
  prePositionedMarks: action.mark ? [action.mark] : [],
  pendingDate: action.pendingSinceMs === null ? null : isoDate(action.pendingSinceMs),
  completedBy: action.completions.map(({ by, atMs, certificate }) => ({
    ...renderPerson(by),
    date: isoDate(atMs),
    certificate,
  })),
  refusalReason: action.refusal?.reason ?? null,
});

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
    tags: [...document.tags],
    flowActions: document.flow.map(renderAction),
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
    isEnvelope: false,
    statusUpdatedBy: document.statusUpdatedBy && shownAuthor(document.statusUpdatedBy),
    statusUpdateReason: document.statusUpdateReason,
    observers: document.observers.map((observer) => ({ ...observer, email: observer.emailAddress })),
    attachments: document.attachments.map(({ id, displayName, name, contentType, size }) => ({
      id,
      displayName,
      name,
      contentType,
      size,
    })),
    notifiedEmails: [...document.notifiedEmails],
    permissions: { move: true, editFlow: false },
  };
}
