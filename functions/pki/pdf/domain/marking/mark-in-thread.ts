import {
  runInThread,
  ThreadEnded,
  ThreadsBusy,
  threadPool,
} from '../../../../../shared/async/thread-pool.ts';
import type { Paper } from '../../../../../shared/signing/pades/appearance/place.ts';
import type { Mark } from '../../../../../shared/signing/pades/marks/mark.ts';
import { type PdfRefusal, PdfRefused, tooComplex } from '../../../../../shared/signing/pades/refused.ts';
import { errors } from '../../../errors.ts';

export type MarkingRequest = {
  readonly pdf: Uint8Array;
  readonly marks: readonly Mark[];
  readonly paper?: Paper | undefined;
};
export type Marked =
  | { readonly bytes: Uint8Array }
  | { readonly refused: { readonly reason: PdfRefusal; readonly message: string } };

// The source of the thread. In a bundle it is in a folder beside that of any function or chunk.
const isSource = import.meta.url.endsWith('.ts');
const source = new URL(isSource ? './thread.ts' : '../pki.threads/marking.mjs', import.meta.url);

// One application keeps one thread busy at most, and the other is for all others.
const marking = threadPool('marking', {
  source,
  workerData: {},
  limits: { slots: 2, maxWaiting: 12, share: 1 },
});

// The caller's gateway waits 29 s, and the file is still to be stored.
const MARKING_MS = 10_000;
const MAX_WAIT_MS = 10_000;

/**
 * The PDF with the marks in it. Images are unpacked and codes are drawn for as long as a request makes them: in a thread,
 * so that nobody else waits. Throws PdfRefused, and refuses with TooManyRequests.
 * @example const marked = await markInThread(caller.application, { pdf, marks })
 */
export async function markInThread(application: string, request: MarkingRequest): Promise<Buffer> {
  const marked = await runInThread<Marked>(
    marking,
    {
      ...{ request, bytes: request.pdf.length, isReusable: () => true },
      ...{ usualMs: 0, timeoutMs: () => MARKING_MS },
    },
    { organizationId: application, deadlineAtMs: Date.now() + MAX_WAIT_MS, now: Date.now },
  ).catch(refuseUnfinished);
  if ('bytes' in marked)
    return Buffer.from(marked.bytes.buffer, marked.bytes.byteOffset, marked.bytes.length);
  throw new PdfRefused(marked.refused.reason, marked.refused.message);
}

function refuseUnfinished(error: unknown): never {
  if (error instanceof ThreadsBusy)
    throw errors.refuse(
      'TooManyRequests',
      { reason: 'too many files are being marked' },
      { headers: { 'retry-after': '5' } },
    );
  if (error instanceof ThreadEnded) return tooComplex('Its marks take too long to draw.');
  throw error;
}
