import { setTimeout as wait } from 'node:timers/promises';
import type { Pause, Platform, PlatformAccess } from './call.ts';
import { documentCalls } from './documents.ts';
import { downloadCalls } from './downloads.ts';
import { searchCalls } from './search.ts';
import { signatureCalls } from './signatures.ts';
import { startedDocumentCalls } from './started-documents.ts';
import { uploadCalls } from './uploads.ts';

/**
 * A client of a document-signature platform. Every call takes the deadline by which it must be over, and throws
 * PlatformRefused or PlatformUnreachable.
 * @example const platform = platformClient(platformAccessOf(settings));
 *          const status = await platform.statusOf(documentId, deadlineIn(10_000, Date.now));
 */
export const platformClient = (access: PlatformAccess, pause: Pause = (ms) => wait(ms)) => {
  const platform: Platform = { access, pause };
  return {
    ...uploadCalls(platform),
    ...documentCalls(platform),
    ...searchCalls(platform),
    ...signatureCalls(platform),
    ...startedDocumentCalls(platform),
    ...downloadCalls(platform),
  };
};

export type PlatformClient = ReturnType<typeof platformClient>;
