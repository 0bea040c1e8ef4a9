import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pki } from '../../service.ts';
import { BioPageParams, JudgedCapture, SubmitCapture } from '../contract/page.ts';
import { judgeCapture } from '../domain/judge-capture.ts';

// Ten frames and a picture of a document, in base64, stay below it, and it below what Lambda takes.
const MAX_BODY_BYTES = 4_194_304;
const MAX_VALUES = 100;

const decode = (picture: string): Buffer => Buffer.from(picture, 'base64');

export const handler = pki.endpoint(
  {
    route: 'POST /bio/sessions/{sessionId}/captures/current',
    summary: 'What a try captured, sent by the session page to be judged',
    params: BioPageParams,
    body: jsonBody(SubmitCapture, { maxValues: MAX_VALUES }),
    answers: { 200: JudgedCapture },
    refuses: [
      'BadBioSessionToken',
      'BadBioSessionOperation',
      'BioSessionExpired',
      'BiometricProviderUnavailable',
    ],
    access: 'public',
    maxBodyBytes: () => MAX_BODY_BYTES,
    undocumented: true,
  },
  async ({ params, body: { token, frames, document } }) =>
    judgeCapture(
      { ...params, token },
      { frames: frames.map(decode), ...(document && { document: decode(document) }) },
      Date.now(),
    ),
);
