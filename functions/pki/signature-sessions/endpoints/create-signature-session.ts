import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { maxFileJsonBytes } from '../../files/limits.ts';
import { pki } from '../../service.ts';
import { CreateSignatureSessionRequest, CreateSignatureSessionResponse } from '../contract/sessions.ts';
import { createSignatureSession } from '../domain/create-session.ts';
import { sessionModel } from '../domain/session-model.ts';
import { NEW_DOCUMENT_CODES, SIGNATURE_SESSIONS } from '../service.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /api/signature-sessions',
    summary: 'Create a session in which a person signs documents',
    description:
      'Answers the address of a page at which the person signs with a certificate. Send the person there; they return to `returnUrl`. Without documents the person brings files.',
    body: jsonBody(CreateSignatureSessionRequest),
    answers: { 200: CreateSignatureSessionResponse },
    refuses: ['ReturnUrlNotRegistered', 'SecurityContextNotFound', 'TooManyDocuments', ...NEW_DOCUMENT_CODES],
    permission: SIGNATURE_SESSIONS,
    maxBodyBytes: maxFileJsonBytes,
  },
  async ({ body, caller }) => {
    const { session, token, redirectUrl } = await createSignatureSession(caller, body, Date.now());
    const { sessionId, documents } = await sessionModel(caller, session);
    return { sessionId, redirectUrl, token, documents };
  },
);
