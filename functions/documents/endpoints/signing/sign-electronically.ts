import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { DocumentParams } from '../../contract/documents.ts';
import { ELECTRONIC_CODES } from '../../contract/refusals.ts';
import { SignElectronically } from '../../contract/signing/electronic.ts';
import { signForPerson } from '../../domain/electronic/signers.ts';
import { signatureIn } from '../../http/electronic-signature.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/{id}/electronic-signature',
    can: 'documents.change',
    summary: 'Sign a document electronically',
    description:
      'Signs without a certificate, in the name of a person whom the application has identified. The evidence says so. Codes that the action requires are asked for.',
    params: DocumentParams,
    body: jsonBody(SignElectronically),
    answers: { 200: EMPTY },
    refuses: ['DocumentNotFound', ...ELECTRONIC_CODES],
  },
  async ({ params, body, caller, clientAddress, headers }) => {
    const { flowActionId, identifier, emailAddress, ...rest } = body;
    const selector = { flowActionId, identifier, emailAddress };
    const signature = signatureIn(rest, { clientAddress, headers });
    await signForPerson(caller, params.id, selector, signature, Date.now());
    return empty(200);
  },
);
