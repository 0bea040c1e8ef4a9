import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { hashSecret, matchesSecret, newSecret } from '../../../../shared/access/secrets.ts';
import type { RangeRequest } from '../../../../shared/files/get.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { formatOfKind } from '../../../../shared/signing/format-of.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { CreateDocuments } from '../../contract/create-document.ts';
import type { MarksSessionRequest, SentMarks } from '../../contract/marks-sessions.ts';
import { errors } from '../../errors.ts';
import { openStored } from '../downloads/stored-content.ts';
import { kindOf, type Mark } from '../flow/flow.ts';
import { isInScope, requireActiveOrganization, requireHomeOrganization } from '../places/organization.ts';
import { requireReceivedUpload } from '../uploads/take-or-collect.ts';
import { fileOf, type Upload } from '../uploads/upload.ts';
import { marksByAction, renderMark } from './placed-marks.ts';

type SessionRequest = MarksSessionRequest | CreateDocuments;

/** Marks to be placed on files before documents are created of them. Its page is opened by its ticket. */
export type MarksSession = {
  readonly id: string;
  readonly organizationId: string;
  readonly ticketHash: string;
  /** As it was parsed: it can be sent again as it is. */
  readonly request: SessionRequest;
  readonly files: readonly SessionFile[];
  /** By action, as they were placed last. */
  readonly placed?: readonly (readonly Mark[])[];
  readonly expiresAtMs: number;
};

type SessionFile = {
  readonly id: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
};

const KEPT_MS = 3_600_000;

const sessions = collection<MarksSession, string>({
  service: 'documents',
  name: 'marks session',
  id: ({ id }) => id,
  key: (id) => ({ pk: `MARKS-SESSION#${id}`, sk: 'MARKS-SESSION' }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) }),
});

// An item of the table holds 400 KB: the request, and the marks that are placed, up to 50 of each action.
const MAX_REQUEST_BYTES = 120_000;

/** Begins a session for the files and actions of a request. The uploads stay with whoever creates documents of them. */
export async function createMarksSession(caller: Caller, request: SessionRequest, nowMs: number) {
  if (Buffer.byteLength(JSON.stringify(request)) > MAX_REQUEST_BYTES)
    throw errors.refuse('InvalidRequest', {
      field: 'flowActions',
      reason: 'are too large together to be stored',
    });
  const organizationId = await requireHomeOrganization(caller);
  const uploads = await Promise.all(request.files.map(({ id }) => requireReceivedUpload(id, organizationId)));
  const files = uploads.map(({ id, name, contentType, size, kind }, index) => ({
    id,
    name: request.files[index]?.displayName ?? name ?? 'document',
    // The bytes decide over the sender.
    contentType: isPdf({ kind, contentType }) ? 'application/pdf' : contentType,
    size,
  }));
  const [id, ticket] = [randomUUID(), newSecret()];
  const expiresAtMs = nowMs + KEPT_MS;
  await sessions.create({ id, organizationId, ticketHash: hashSecret(ticket), request, files, expiresAtMs });
  const base = `${commonSettings['Http:PublicUrl']}/documents/api/marks-sessions`;
  return { id, embedUrl: `${base}/${id}/embed?ticket=${ticket}` };
}

const isPdf = ({ kind = 'other', contentType }: Pick<Upload, 'kind' | 'contentType'>): boolean =>
  formatOfKind(kind, { contentType, forceCades: false }) === 'PAdES';

/** The request of a session with the marks that were placed. One of another organization does not exist. */
export async function getMarksSession(caller: Caller, id: string, nowMs: number) {
  const session = await sessions.get(id);
  if (!session || session.expiresAtMs <= nowMs || !isInScope(caller, session.organizationId))
    throw errors.refuse('MarksSessionNotFound', { resourceName: 'MarksSession', resourceId: id });
  return {
    id,
    files: session.files.map((file) => ({ id: file.id, location: `/api/uploads/${file.id}/content` })),
    isPlaced: session.placed !== undefined,
    data: {
      ...session.request,
      flowActions: session.request.flowActions.map((action, index) => ({
        ...action,
        prePositionedMarks: marksOf(session, index).map(renderMark),
      })),
    },
  };
}

/** The marks of an action: as placed last, or as the request has them. */
export const marksOf = ({ placed, request }: MarksSession, action: number): readonly Mark[] =>
  placed?.[action] ?? request.flowActions[action]?.prePositionedMarks ?? [];

/** The session that a ticket opens. */
export async function openMarksSession(
  id: string,
  ticket: string,
  nowMs: number,
): Promise<Stored<MarksSession>> {
  const session = await sessions.get(id);
  if (session && session.expiresAtMs > nowMs && matchesSecret(session.ticketHash, ticket)) return session;
  throw errors.refuse('InvalidTicket');
}

/** The same with its organization, whose pages may show it in a frame. */
export async function openMarksPage(id: string, ticket: string, nowMs: number) {
  const session = await openMarksSession(id, ticket, nowMs);
  return { session, organization: await requireActiveOrganization(session.organizationId) };
}

type FileRequest = {
  readonly id: string;
  readonly ticket: string;
  readonly fileId: string;
  readonly partOf: RangeRequest;
};

/** Opens a file of a session, or a part of it, for the holder of its ticket. */
export async function openSessionFile({ id, ticket, fileId, partOf }: FileRequest, nowMs: number) {
  const { files, organizationId } = await openMarksSession(id, ticket, nowMs);
  const file = files.find((each) => each.id === fileId);
  if (!file) throw errors.refuse('UploadNotFound', { uploadId: fileId });
  const upload = await requireReceivedUpload(fileId, organizationId);
  return openStored({ ...file, key: fileOf(upload) }, partOf(file.size));
}

/** Records the marks of the page, in place of those before. The last of two pages decides. */
export const placeMarks = (
  { id, ticket, marks }: { readonly id: string; readonly ticket: string; readonly marks: SentMarks },
  nowMs: number,
): Promise<void> =>
  retryOnConflict(async () => {
    const session = await openMarksSession(id, ticket, nowMs);
    const { request, files } = session;
    const placed = marksByAction(
      marks,
      request.flowActions.length,
      files.map((file) => file.id),
    );
    await sessions.change(session, { placed });
  });

/** The actions as the page names them. */
export const placedActionsOf = ({ request }: MarksSession) =>
  request.flowActions.map(({ type, user, title, ruleName, signatureInitialsMode }) => ({
    name: user?.name ?? ruleName ?? title ?? '',
    kind: kindOf({ type }),
    hasInitials: signatureInitialsMode !== null && signatureInitialsMode !== 'None',
  }));
