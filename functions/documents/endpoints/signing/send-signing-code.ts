import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { ACTION_CODES } from '../../contract/refusals.ts';
import { SendCode } from '../../contract/signing/electronic.ts';
import { requestCodesForAction } from '../../domain/electronic/signers.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/sms-authentication-code',
    can: 'documents.change',
    summary: 'Send the code of an electronic signature by SMS',
    description:
      'To the telephone of the person whom the action waits for. The code is good for ten minutes; three are sent within that time at most.',
    body: jsonBody(SendCode),
    answers: { 200: EMPTY },
    refuses: [
      'DocumentNotFound',
      ...ACTION_CODES,
      'ElectronicSignatureNotAllowed',
      'CodesLocked',
      'FactorNotOffered',
      'PhoneRequired',
      'SmsUnavailable',
    ],
  },
  async ({ body: { flowActionId, identifier, emailAddress }, caller }) => {
    await requestCodesForAction(caller, { flowActionId, identifier, emailAddress }, Date.now);
    return empty(200);
  },
);
