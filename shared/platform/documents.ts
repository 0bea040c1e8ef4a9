import * as z from 'zod';
import type { Deadline } from '../async/deadline.ts';
import { removeInvisibleCharacters, safeFileName } from '../files/safe-name.ts';
import { call, json, type Platform, pathOf, requireShape } from './call.ts';
import { PlatformRefused } from './errors.ts';
import { DocumentShape, type PlatformDocument, type Tag } from './shapes.ts';
import { Name, Text } from './text.ts';
import type { Upload } from './uploads.ts';

export type CreateDocumentRequest = {
  readonly upload: Upload;
  /** The name that people read. Left out, it is that of the file. */
  readonly title?: string;
  readonly contentType: string;
  /** Those of one step sign side by side. */
  readonly signers: readonly {
    readonly name: string;
    readonly cpf: string;
    readonly email: string;
    readonly step: number;
    /** Where a PDF shows the signature, in points from the lower left corner. */
    readonly mark?: { page: number; x: number; y: number; width: number; height: number };
  }[];
  /** None: at the root. */
  readonly folderId?: string | undefined;
  /** Finds the document again when its id was lost with the process. */
  readonly tag: Tag;
  readonly expiresAtMs?: number | undefined;
  readonly forceCadesSignature?: boolean | undefined;
  readonly disableNotifications: boolean;
};

const Created = z.tuple([z.object({ documentId: z.string().min(1) })]).rest(z.unknown());
const Status = z.object({ status: Text });
const Folder = z.object({ id: z.string(), name: Name });

const documentPath = (documentId: string, after = ''): string => pathOf('/api/documents', documentId, after);

/** The calls about one document or one folder. */
export const documentCalls = (platform: Platform) => {
  const read = (path: string, deadline: Deadline) => call(platform, { method: 'GET', path, deadline });
  return {
    /** Creates a document. Returns its id. */
    async createDocument(request: CreateDocumentRequest, deadline: Deadline): Promise<string> {
      const { file, ...fields } = creationOf(request, request.upload.fileName);
      const body = json({ files: [{ id: request.upload.uploadId, ...file }], ...fields });
      const answer = await call(platform, { method: 'POST', path: '/api/documents', body, deadline });
      return requireShape(Created, answer)[0].documentId;
    },

    async readDocument(documentId: string, deadline: Deadline): Promise<PlatformDocument> {
      return requireShape(DocumentShape, await read(documentPath(documentId), deadline));
    },

    async statusOf(documentId: string, deadline: Deadline): Promise<string> {
      return requireShape(Status, await read(documentPath(documentId), deadline)).status;
    },

    async cancelDocument(documentId: string, reason: string, deadline: Deadline): Promise<void> {
      const path = documentPath(documentId, '/cancellation');
      await call(platform, { method: 'POST', path, body: json({ reason }), deadline });
    },

    /** The folder, or undefined where none by this id is open to the key. */
    async readFolder(folderId: string, deadline: Deadline): Promise<z.output<typeof Folder> | undefined> {
      try {
        return requireShape(Folder, await read(pathOf('/api/folders', folderId, '/details'), deadline));
      } catch (error) {
        if (isNoFolder(error)) return undefined;
        throw error;
      }
    },
  };
};

const isNoFolder = (error: unknown): boolean =>
  error instanceof PlatformRefused && (error.status === 404 || error.code === 'FolderNotFound');

/** The fields of a request that creates a document, and those of its file. */
export function creationOf(
  { contentType, signers, ...request }: Omit<CreateDocumentRequest, 'upload'>,
  name: string,
) {
  // A platform may refuse names with invisible characters; that must not stop the signature.
  const fileName = safeFileName(name);
  const title = request.title === undefined ? fileName : safeTitle(request.title);
  const { folderId, tag, expiresAtMs, forceCadesSignature, disableNotifications } = request;
  return {
    file: { displayName: title, name: fileName, contentType },
    flowActions: signers.map(({ name, cpf, email, step, mark }) => ({
      ...(mark && { prePositionedMarks: [mark] }),
      type: 'Signer',
      step,
      user: { name, identifier: cpf, email },
    })),
    folderId: folderId ?? null,
    tags: [tag],
    disablePendingActionNotifications: disableNotifications,
    ...(expiresAtMs !== undefined && { expirationDate: new Date(expiresAtMs).toISOString() }),
    ...(forceCadesSignature !== undefined && { forceCadesSignature }),
  };
}

// The platform takes names of so many characters.
const MAX_TITLE_CHARACTERS = 255;

/** A title on one line, without invisible characters, of a length that the platform takes. */
const safeTitle = (title: string): string =>
  removeInvisibleCharacters(title.replace(/\s+/g, ' '))
    .trim()
    .slice(0, MAX_TITLE_CHARACTERS)
    .toWellFormed() || 'document';

/** Whether a document of this status has its signed version. */
export const isConcluded = (status: string): boolean => status === 'Concluded' || status === 'FlowConcluded';
