import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { DocumentParams } from '../../contract/documents.ts';
import { FlowEdited, FlowEditRequest } from '../../contract/flows/flow-edit.ts';
import { editRunningFlow } from '../../domain/flows/edit-running-flow.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/{id}/flow',
    can: 'documents.change',
    summary: 'Edit the flow of a pending document',
    description:
      'Adds, changes and removes actions and observers, all or nothing. An action in which somebody has acted stays as it is. Links of people who are removed, or get another address, open nothing from then on; people whose turn it is now are told. Where nobody is left to act, the document is concluded.',
    params: DocumentParams,
    body: jsonBody(FlowEditRequest),
    answers: { 200: FlowEdited },
    refuses: [
      'DocumentNotFound',
      'InvalidDocumentStatus',
      'InvalidFlowAction',
      'UploadNotFound',
      'OptionNotSupported',
      'SealRequired',
      'FactorNotOffered',
      'PhoneRequired',
      'ElectronicSignatureImpossible',
    ],
    once: true,
  },
  async ({ params, body, caller, once }) =>
    once({ params, body }, () => editRunningFlow(caller, params.id, body, Date.now())),
);
