import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { ELECTRONIC_CODES, TICKET_CODES } from '../../contract/refusals.ts';
import { SignElectronicallyByKey } from '../../contract/signing/electronic.ts';
import { KeyParams } from '../../contract/signing/signing.ts';
import { signByLink } from '../../domain/electronic/signers.ts';
import { signatureIn } from '../../http/electronic-signature.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/keys/{key}/electronic-signature',
    summary: 'Sign a document electronically by an action URL',
    description:
      'Signs without a certificate, in the name of the person that the action URL was made for, with the codes that were sent to them.',
    params: KeyParams,
    body: jsonBody(SignElectronicallyByKey),
    answers: { 200: EMPTY },
    refuses: [...TICKET_CODES, ...ELECTRONIC_CODES],
    access: 'public',
  },
  async ({ params: { key }, body: { ticket, flowActionId, ...body }, clientAddress, headers }) => {
    const signature = signatureIn(body, { clientAddress, headers });
    await signByLink({ key, ticket }, flowActionId, signature, Date.now());
    return empty(200);
  },
);
