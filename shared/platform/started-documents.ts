import * as z from 'zod';
import type { Deadline } from '../async/deadline.ts';
import { call, json, type Platform, requireShape } from './call.ts';
import { type CreateDocumentRequest, creationOf } from './documents.ts';
import { PlatformRefused, PlatformUnreachable } from './errors.ts';
import { Started, type ToSign, toSignOf } from './signatures.ts';

export type CreateStartedRequest = Omit<CreateDocumentRequest, 'upload'> & {
  readonly file: { readonly bytes: Uint8Array; readonly fileName: string };
  readonly certificateDer: Uint8Array;
};

export type StartedDocument = { readonly documentId: string; readonly toSign: ToSign };

const CreatedStarted = z.object({
  document: z.object({ documentId: z.string().min(1) }).nullable(),
  signature: Started,
});

// AWS Lambda takes a request of 6 MB. The file is in base64 there, and so is the request around it.
const MAX_FILE_BYTES = 3 * 1024 * 1024;

// The operation is Sinete's own, beside the contract. Another platform has no such route: 404, 405 or 501, or 403 from a
// gateway. Nothing was created then, whatever the body says.
const NOT_OFFERED: ReadonlySet<number | undefined> = new Set([403, 404, 405, 501]);

// A platform that is being updated may have it later.
const ASK_AGAIN_AFTER_MS = 600_000;

/** The call that uploads a file, creates its document and starts a signature at once. */
export const startedDocumentCalls = (platform: Platform) => {
  let notOffered = { at: '', untilMs: 0 };
  return {
    /**
     * The new document and the hash to sign. Undefined where nothing was created, so that the separate calls may follow:
     * the platform does not have the operation, refuses the request, or does not accept the certificate.
     */
    async createStarted(
      request: CreateStartedRequest,
      deadline: Deadline,
    ): Promise<StartedDocument | undefined> {
      const { file, certificateDer, ...document } = request;
      const { address } = platform.access;
      const isKnown = notOffered.at === address && deadline.now() < notOffered.untilMs;
      if (isKnown || file.bytes.length > MAX_FILE_BYTES) return undefined;
      const { file: names, ...fields } = creationOf(document, file.fileName);
      const body = json({
        file: { ...names, bytes: Buffer.from(file.bytes).toString('base64') },
        ...fields,
        signature: { certificate: Buffer.from(certificateDer).toString('base64') },
      });
      try {
        const path = '/api/documents/started';
        const answer = await call(platform, { method: 'POST', path, body, deadline });
        const { document: made, signature } = requireShape(CreatedStarted, answer);
        const toSign = toSignOf(signature);
        return made && toSign.isAccepted ? { documentId: made.documentId, toSign } : undefined;
      } catch (error) {
        const isRefused = error instanceof PlatformRefused;
        const status = isRefused || error instanceof PlatformUnreachable ? error.status : undefined;
        const isNotOffered = NOT_OFFERED.has(status);
        if (isNotOffered) notOffered = { at: address, untilMs: deadline.now() + ASK_AGAIN_AFTER_MS };
        if (isNotOffered || isRefused) return undefined;
        throw error;
      }
    },
  };
};
