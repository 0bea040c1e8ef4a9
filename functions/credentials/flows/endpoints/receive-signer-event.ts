import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { json } from '../../../../shared/http/response/answer.ts';
import { citedIn } from '../../../../shared/platform/event.ts';
import { credentials } from '../../service.ts';
import { SignerEvent, SignerEventTaken } from '../contract.ts';
import { takeEvent } from '../domain/take-event.ts';

// 100 documents with the longest names have about 200 KB.
const MAX_BODY_BYTES = 1_048_576;

export const handler = credentials.endpoint(
  {
    route: 'POST /api/degrees/webhook',
    can: 'items.change',
    summary: 'Receive an event of the document-signature platform',
    description:
      'For a webhook of the platform with the authType ApiKey and an API key of this service as its token. The platform is asked about the cited documents of every kind of item, once for events that come together. Nothing else of an event is believed; unknown documents and DocumentsCreated are ignored, and duplicates do no harm.',
    tag: 'webhooks',
    body: jsonBody(SignerEvent),
    maxBodyBytes: () => MAX_BODY_BYTES,
    answers: { 202: SignerEventTaken },
    ignoresUnknownOptions: true,
  },
  async ({ body: { type, data } }) =>
    json(
      {
        outcome: await takeEvent(
          type,
          citedIn(data).map(({ id }) => id),
        ),
      },
      { status: 202 },
    ),
);
