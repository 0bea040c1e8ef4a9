import type { Caller } from '../../../../shared/access/caller.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import type { Write } from '../../../../shared/store/write.ts';
import type { CreateDocuments } from '../../contract/create-document.ts';
import { errors } from '../../errors.ts';
import { deadlineOf } from '../calendar.ts';
import { authorOf } from '../document/document.ts';
import type { DocumentLocation } from '../document/location.ts';
import { planFlow, requireMarkedFiles } from '../flow/new-flow.ts';
import { creatingFolder } from '../places/create-folder.ts';
import { findFolder } from '../places/folder.ts';
import { homeOrganizationOf, requireActiveOrganization } from '../places/organization.ts';
import { copyUploads } from '../uploads/copy-uploads.ts';
import { taking, takingUploads } from '../uploads/take-or-collect.ts';
import type { Upload } from '../uploads/upload.ts';
import type { NewDocuments } from './creating-document.ts';
import { type FillOptions, fillFiles } from './fill-files.ts';
import { buildDocument } from './new-document.ts';

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
};

// A call whose endpoint says nothing of its deadline has this long to fill its files.
const FILLING_MS = 20_000;

/** Plans the documents of a call. */
export async function planCreation(
  caller: Caller,
  request: CreateDocuments,
  nowMs: number,
  { uploaded = [], ...filling }: PlanOptions = {},
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
  const found = (refs: readonly { readonly id: string }[]) =>
    refs.flatMap(({ id }) => taken.uploads.get(id) ?? []);
  const options = { now: () => nowMs, deadlineAtMs: nowMs + FILLING_MS, ...filling };
  const filled = await fillFiles(found(request.files), request.additionalInfo, options);
  const copies = await copyUploads(found(request.attachments ?? []), request.files.length - 1, nowMs);
  const documents = request.files.map((file, index) => {
    const uploads = new Map([...taken.uploads, ...filled.uploads, ...(copies[index - 1] ?? [])]);
    return buildDocument(file, { request, uploads });
  });
  const copied = copies.flatMap((each) => [...each.values()].map(taking));
  const writes = [...taken.writes, ...filled.writes, ...copied, ...destination.writes];
  return { common, documents, destination, writes, isFilled: filled.uploads.size > 0 };
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

function expiryOf({ expirationDate }: CreateDocuments, nowMs: number): number | null {
  const expiresAtMs = expirationDate === null ? null : deadlineOf(expirationDate);
  if (expiresAtMs !== null && expiresAtMs <= nowMs) throw errors.refuse('InvalidExpirationDate');
  return expiresAtMs;
}

type Where = Pick<Destination, 'organizationId' | 'folderId'>;
type When = { readonly expiresAtMs: number | null; readonly nowMs: number };

const commonOf = (
  caller: Caller,
  request: CreateDocuments,
  { organizationId, folderId, expiresAtMs, nowMs }: Where & When,
): NewDocuments['common'] => ({
  organizationId,
  folderId,
  signed: null,
  forceCadesSignature: request.forceCadesSignature ?? false,
  round: 1,
  flow: planFlow(request.flowActions, organizationId),
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
});

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
async function resolveDestination(
  caller: Caller,
  { folderId, newFolderName }: Pick<CreateDocuments, 'folderId' | 'newFolderName'>,
  nowMs: number,
): Promise<Destination> {
  const parent = folderId === null ? null : await findFolder(caller, folderId);
  const organizationId = parent?.organizationId ?? homeOrganizationOf(caller);
  const organization = await requireActiveOrganization(organizationId);
  if (newFolderName === null) {
    const location = { folder: parent ?? undefined, organization };
    return { organizationId, folderId, location, writes: [] };
  }
  const { folder, writes } = await creatingFolder({ name: newFolderName, parent, organizationId }, nowMs);
  return { organizationId, folderId: folder.id, location: { folder, organization }, writes };
}
