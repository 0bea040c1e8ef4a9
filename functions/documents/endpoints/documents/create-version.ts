import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { NewVersion } from '../../contract/create-document.ts';
import { DocumentParams } from '../../contract/documents.ts';
import { createVersion } from '../../domain/creating/create-version.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/{id}/versions',
    can: 'documents.send',
    summary: 'Replace the file of a document and restart its flow',
    description:
      'The new file takes the place of the old one, and every action must be done again. Without `flowActions` the flow stays as it was.',
    params: DocumentParams,
    body: jsonBody(NewVersion),
    answers: { 200: EMPTY },
    refuses: [
      'DocumentNotFound',
      'DocumentIsEnvelope',
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
      'DocumentNotSignable',
    ],
  },
  async ({ params, body, caller, deadlineAtMs, hangUp }) => {
    await createVersion(caller, params.id, body, Date.now(), { now: Date.now, deadlineAtMs, hangUp });
    return empty(200);
  },
);
