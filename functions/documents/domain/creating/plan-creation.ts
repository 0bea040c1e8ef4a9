import type { Caller } from '../../../../shared/access/caller.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import type { Write } from '../../../../shared/store/write.ts';
import type { CreateDocuments } from '../../contract/create-document.ts';
import { errors } from '../../errors.ts';
import { deadlineOf } from '../calendar.ts';
import { authorOf } from '../document/document.ts';
import { type DocumentLocation, locate } from '../document/location.ts';
import { planFlow, requireMarkedFiles } from '../flow/new-flow.ts';
import { placeMarks } from '../flow/part-marks.ts';
import { requireXml } from '../flow/xml-options.ts';
import { creatingFolder } from '../places/create-folder.ts';
import { findFolder } from '../places/folder.ts';
import { homeOrganizationOf, isActiveOrganization, organizationNotFound } from '../places/organization.ts';
import { copyUploads } from '../uploads/copy-uploads.ts';
import { type TakenUploads, taking, takingUploads } from '../uploads/take-or-collect.ts';
import type { Upload } from '../uploads/upload.ts';
import type { NewDocuments } from './creating-document.ts';
import { type FillOptions, fillFiles } from './fill-files.ts';
import { mergeEnvelope } from './merge-envelope.ts';
import { buildDocument, shownName } from './new-document.ts';
import { requireElectronicPossible } from './require-electronic.ts';
import { requireSignable } from './require-signable.ts';

/** A call that creates documents. */
export type CreationRequest = Omit<CreateDocuments, 'envelopeName'> &
  Partial<Pick<CreateDocuments, 'envelopeName'>>;

/** The documents of a call before they are created. */
export type Plan = NewDocuments & {
  readonly destination: Destination;
  /** The writes that take the uploads and create a new folder, and those that another operation adds. */
  readonly writes: readonly Write[];
  readonly mailDelaySeconds?: number;
  /** Whether values were written into the files. */
  readonly isFilled: boolean;
};

export type PlanOptions = Partial<FillOptions> & {
  /** The files that the call itself has uploaded. */
  readonly uploaded?: readonly Stored<Upload>[];
  /** Merges the files of an envelope; once, where a call is planned again after a conflict. */
  readonly merge?: typeof mergeEnvelope;
  /** The verification code of its only document, where that is known before. */
  readonly code?: string;
};

// A call whose endpoint says nothing of its deadline has this long to fill its files.
const FILLING_MS = 20_000;

/** Plans the documents of a call. */
export async function planCreation(
  caller: Caller,
  request: CreationRequest,
  nowMs: number,
  { uploaded = [], merge = mergeEnvelope, code, ...filling }: PlanOptions = {},
): Promise<Plan> {
  const expiresAtMs = expiryOf(request, nowMs);
  const resolving = resolveDestination(caller, request, nowMs);
  const uploadIds = [...request.files, ...(request.attachments ?? [])].map(({ id }) => id);
  const [destination, taken] = await Promise.all([
    resolving,
    takingUploads(
      uploadIds,
      resolving.then(({ organizationId }) => organizationId),
      uploaded,
    ),
  ]);
  const common = commonOf(caller, request, { ...destination, expiresAtMs, nowMs });
  refuseTooLarge(common);
  requireMarkedFiles(
    common.flow,
    request.files.map(({ id }) => id),
  );
  const options = { now: () => nowMs, deadlineAtMs: nowMs + FILLING_MS, ...filling };
  const requireXmlIn = (documents: Plan['documents']): void =>
    requireXml(common.flow, {
      formats: documents.map(({ format }) => format),
      namespaces: common.xmlNamespaces ?? {},
    });
  if (request.isEnvelope) {
    const plan = await planEnvelope(request, { common, destination, taken }, (envelope) =>
      merge(envelope, options),
    );
    await requireElectronicPossible(common.flow, destination.organizationId, plan.documents, nowMs);
    requireXmlIn(plan.documents);
    return plan;
  }
  const found = (refs: readonly { readonly id: string }[]) =>
    refs.flatMap(({ id }) => taken.uploads.get(id) ?? []);
  const filled = await fillFiles(found(request.files), request.additionalInfo, options);
  const copies = await copyUploads(found(request.attachments ?? []), request.files.length - 1, nowMs);
  const ready = new Map([...taken.uploads, ...filled.uploads]);
  const documents = request.files.map((file, index) => {
    const uploads = new Map([...ready, ...(copies[index - 1] ?? [])]);
    return buildDocument(file, { request, uploads, code });
  });
  await requireElectronicPossible(common.flow, destination.organizationId, documents, nowMs);
  // A call that uploads has made the file, or signs it at once.
  if (uploaded.length === 0)
    await requireSignable(
      common.flow,
      documents.map((each) => ({ ...each, upload: ready.get(each.uploadId) })),
    );
  requireXmlIn(documents);
  const copied = copies.flatMap((each) => [...each.values()].map(taking));
  const writes = [...taken.writes, ...filled.writes, ...copied, ...destination.writes];
  return { common, documents, destination, writes, isFilled: filled.uploads.size > 0 };
}

type Envelopes = {
  readonly common: NewDocuments['common'];
  readonly destination: Destination;
  readonly taken: TakenUploads;
};

/** Plans the one document of an envelope, with its marks on the pages that its parts have there. */
async function planEnvelope(
  request: CreationRequest,
  { common, destination, taken }: Envelopes,
  merge: (envelope: Parameters<typeof mergeEnvelope>[0]) => ReturnType<typeof mergeEnvelope>,
): Promise<Plan> {
  const given = request.files.flatMap((ref) => {
    const upload = taken.uploads.get(ref.id);
    return upload ? [{ upload, name: shownName(ref, upload) }] : [];
  });
  const name = request.envelopeName ?? given[0]?.name ?? 'envelope';
  const { upload, parts, writes } = await merge({ name, parts: given, values: request.additionalInfo });
  const marked = { ...common, flow: placeMarks(common.flow, parts) };
  refuseTooLarge(marked);
  const uploads = new Map([...taken.uploads, [upload.id, upload]]);
  const file = { id: upload.id, displayName: name, name: null, contentType: 'application/pdf' };
  const document = buildDocument(file, { request, uploads }, parts);
  const all = [...taken.writes, ...writes, ...destination.writes];
  return { common: marked, documents: [document], destination, writes: all, isFilled: false };
}

// An item of the table holds 400 KB: the flow, and the completions that it will record.
const MAX_COMMON_BYTES = 120_000;

function refuseTooLarge(common: NewDocuments['common']): void {
  if (Buffer.byteLength(JSON.stringify(common)) > MAX_COMMON_BYTES)
    throw errors.refuse('InvalidRequest', {
      field: 'flowActions',
      reason: 'are too large together to be stored as one document',
    });
}

/** The moment at which the documents of a request expire. */
export function expiryOf(
  { expirationDate }: Pick<CreationRequest, 'expirationDate'>,
  nowMs: number,
): number | null {
  const expiresAtMs = expirationDate === null ? null : deadlineOf(expirationDate);
  if (expiresAtMs !== null && expiresAtMs <= nowMs) throw errors.refuse('InvalidExpirationDate');
  return expiresAtMs;
}

type Where = Pick<Destination, 'organizationId' | 'folderId'>;
type When = { readonly expiresAtMs: number | null; readonly nowMs: number };

const commonOf = (
  caller: Caller,
  request: CreationRequest,
  { organizationId, folderId, expiresAtMs, nowMs }: Where & When,
): NewDocuments['common'] => ({
  organizationId,
  folderId,
  signed: null,
  forceCadesSignature: request.forceCadesSignature ?? false,
  round: 1,
  flow: planFlow(request.flowActions, organizationId),
  ...namespacesOf(request),
  description: request.description || null,
  additionalInfo: request.additionalInfo || null,
  tags: request.tags ?? [],
  notifiedEmails: request.notifiedEmails ?? [],
  observers: request.observers ?? [],
  createdBy: authorOf(caller),
  createdAtMs: nowMs,
  updatedAtMs: nowMs,
  expiresAtMs,
  statusUpdatedBy: null,
  statusUpdateReason: null,
  ...silenceOf(request),
  ...(request.language && { language: request.language }),
});

const namespacesOf = ({ xmlNamespaces }: CreationRequest): Pick<NewDocuments['common'], 'xmlNamespaces'> =>
  xmlNamespaces?.length
    ? { xmlNamespaces: Object.fromEntries(xmlNamespaces.map(({ prefix, uri }) => [prefix, uri])) }
    : {};

const silenceOf = ({
  disableNotifications,
  disablePendingActionNotifications,
}: Pick<CreateDocuments, 'disableNotifications' | 'disablePendingActionNotifications'>): Pick<
  NewDocuments['common'],
  'silence'
> =>
  disableNotifications ? { silence: 'all' } : disablePendingActionNotifications ? { silence: 'pending' } : {};

/** The location of new documents, and the writes that it needs. */
type Destination = {
  readonly organizationId: string;
  readonly folderId: string | null;
  readonly location: DocumentLocation;
  readonly writes: readonly Write[];
};

/** The folder that the request names, a new folder in it, or the root of the organization. */
export async function resolveDestination(
  caller: Caller,
  { folderId, newFolderName }: Pick<CreateDocuments, 'folderId' | 'newFolderName'>,
  nowMs: number,
): Promise<Destination> {
  const parent = folderId === null ? null : await findFolder(caller, folderId);
  const organizationId = parent?.organizationId ?? homeOrganizationOf(caller);
  const { organization, webhooks } = await locate({ folderId: null, organizationId });
  if (!isActiveOrganization(organization)) throw organizationNotFound(organizationId);
  if (newFolderName === null) {
    const location = { folder: parent ?? undefined, organization, webhooks };
    return { organizationId, folderId, location, writes: [] };
  }
  const { folder, writes } = await creatingFolder({ name: newFolderName, parent, organizationId }, nowMs);
  return { organizationId, folderId: folder.id, location: { folder, organization, webhooks }, writes };
}
