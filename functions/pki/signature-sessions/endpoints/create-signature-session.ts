import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pki } from '../../service.ts';
import { settings } from '../../settings.ts';
import { CreateSignatureSessionRequest, CreateSignatureSessionResponse } from '../contract.ts';
import { createSignatureSession } from '../domain/create-session.ts';
import { documentModel } from '../domain/session-model.ts';
import { SIGNATURE_SESSIONS } from '../service.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /api/signature-sessions',
    summary: 'Create a session in which a person signs documents',
    description:
      'Answers the address of a page at which the person signs with a certificate. Send the person there; they return to `returnUrl`.',
    body: jsonBody(CreateSignatureSessionRequest),
    answers: { 200: CreateSignatureSessionResponse },
    refuses: [
      'OptionNotSupported',
      'ReturnUrlNotRegistered',
      'SecurityContextNotFound',
      'EmptyDocument',
      'TooManyDocuments',
    ],
    permission: SIGNATURE_SESSIONS,
    maxBodyBytes: () => inJson(settings['SignatureSessions:MaxDocumentBytes']),
  },
  async ({ body, caller }) => {
    const documents = body.documents?.map(({ content, ...document }) => ({
      ...document,
      content: Buffer.from(content, 'base64'),
    }));
    const { documents: added, ...created } = await createSignatureSession(
      caller,
      { ...body, documents },
      Date.now(),
    );
    return { ...created, documents: added.map(documentModel) };
  },
);

// Base64 takes four bytes for three, and something stands around it.
const inJson = (bytes: number): number => Math.ceil(bytes / 3) * 4 + 65_536;
