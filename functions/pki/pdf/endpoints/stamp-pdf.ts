import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { answerFile } from '../../files/domain/answer-file.ts';
import { receiveFile } from '../../files/domain/receive-file.ts';
import { maxFileJsonBytes } from '../../files/limits.ts';
import { pki, SIGNATURES } from '../../service.ts';
import { StampedFileModel, StampPdfRequest } from '../contract/marks.ts';
import { stampPdf } from '../domain/stamp.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /api/pdf/stamp',
    summary: 'Put a timestamp over a PDF',
    description:
      'Appends a document timestamp of the authority that the operator named. It is not shown on a page: over a signature that would be a change of the document.',
    body: jsonBody(StampPdfRequest),
    maxBodyBytes: maxFileJsonBytes,
    answers: { 200: StampedFileModel },
    refuses: [
      ...(['OptionNotSupported', 'TimestampingUnavailable', 'InvalidPdf', 'ProtectedPdfError'] as const),
      ...(['EmptyDocument', 'InvalidToken', 'FileDownloadFailed'] as const),
    ],
    permission: SIGNATURES,
  },
  async ({ caller, body }) => {
    const nowMs = Date.now();
    const { bytes, name } = await receiveFile(caller, body.file, nowMs);
    const made = { bytes: await stampPdf(bytes, body), name, contentType: 'application/pdf' };
    return { file: await answerFile(caller, made, body.forceBlobResult, nowMs) };
  },
);
