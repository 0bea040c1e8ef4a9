import { parentPort } from 'node:worker_threads';
import { takeLowPriority } from '../../../../../shared/async/low-priority.ts';
import { addMarks } from '../../../../../shared/signing/pades/marks/add-marks.ts';
import { sourceOf } from '../../../../../shared/signing/pades/pdf/source.ts';
import { PdfRefused } from '../../../../../shared/signing/pades/refused.ts';
import type { Marked, MarkingRequest } from './mark-in-thread.ts';

takeLowPriority();

// mark-in-thread.ts starts this thread.
parentPort?.on('message', (request: MarkingRequest) => parentPort?.postMessage(mark(request)));

function mark({ pdf, marks, paper }: MarkingRequest): Marked {
  try {
    const source = sourceOf(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength));
    return { bytes: Buffer.concat(addMarks(source, marks, paper).pieces) };
  } catch (error) {
    if (!(error instanceof PdfRefused)) throw error;
    return { refused: { reason: error.reason, message: error.message } };
  }
}
