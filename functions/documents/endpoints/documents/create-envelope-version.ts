import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { NewEnvelopeVersion } from '../../contract/create-document.ts';
import { DocumentParams } from '../../contract/documents.ts';
import { createEnvelopeVersion } from '../../domain/creating/create-version.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/{id}/envelope/versions',
    can: 'documents.send',
    summary: 'Replace the files of an envelope and restart its flow',
    description:
      'The new files take the place of the old ones, and every action must be done again. A mark that is not given again stays on the file at its position, where that has its page.',
    params: DocumentParams,
    body: jsonBody(NewEnvelopeVersion),
    answers: { 200: EMPTY },
    refuses: [
      'DocumentNotFound',
      'DocumentIsNoEnvelope',
      'EnvelopePartNotUsable',
      'InvalidDocumentStatus',
      'InvalidExpirationDate',
      'UploadNotFound',
      'UploadIncomplete',
      'UploadAlreadyUsed',
      'FormNotFillable',
      'InvalidFlowAction',
      'SealRequired',
      'FactorNotOffered',
      'PhoneRequired',
      'ElectronicSignatureImpossible',
    ],
  },
  async ({ params, body, caller, deadlineAtMs, hangUp }) => {
    const filling = { now: Date.now, deadlineAtMs, hangUp };
    await createEnvelopeVersion(caller, params.id, body, Date.now(), filling);
    return empty(200);
  },
);
