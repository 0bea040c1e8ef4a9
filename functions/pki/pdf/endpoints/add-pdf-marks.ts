import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { answerFile, earlierFileModel } from '../../files/domain/answer-file.ts';
import { receiveFile } from '../../files/domain/receive-file.ts';
import { maxFileJsonBytes } from '../../files/limits.ts';
import { pki, SIGNATURES } from '../../service.ts';
import { AddMarksRequest, MarkedFileModel } from '../contract/marks.ts';
import { markPdf } from '../domain/marks.ts';
import { LOOK_CODES } from '../domain/refusals.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /Api/Pdf/AddMarks',
    summary: 'Draw text, images and codes into a PDF',
    description:
      'Draws marks into pages, over what is there. A signed PDF, certified or not, is refused: a mark would change what was signed.',
    body: jsonBody(AddMarksRequest),
    maxBodyBytes: maxFileJsonBytes,
    answers: { 200: MarkedFileModel },
    refuses: [
      ...(['OptionNotSupported', 'CannotApplyPdfMarks', 'InvalidPdf', 'ProtectedPdfError'] as const),
      ...(['EmptyDocument', 'InvalidToken'] as const),
      ...LOOK_CODES.filter((code) => code !== 'PadesPositionNotFilled'),
    ],
    permission: SIGNATURES,
  },
  async ({ caller, body }) => {
    const nowMs = Date.now();
    const received = await receiveFile(caller, body.file, nowMs);
    const bytes = await markPdf(caller, received.bytes, body, nowMs);
    const made = { bytes, name: received.name, contentType: 'application/pdf' };
    return { file: earlierFileModel(await answerFile(caller, made, body.forceBlobResult, nowMs)) };
  },
);
