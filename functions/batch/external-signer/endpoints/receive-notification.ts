import { Refusal } from '../../../../shared/errors/errors.ts';
import { deferredBody, jsonBody } from '../../../../shared/http/body/reader.ts';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import { citedIn } from '../../../../shared/platform/event.ts';
import { batch } from '../../service.ts';
import { NotificationTaken, SignerNotification } from '../contract.ts';
import { countNotification, type NotificationOutcome } from '../domain/notifications/notification-counts.ts';
import { requireSender, takeNotification } from '../domain/notifications/take-notification.ts';

// 100 documents with the longest names have about 200 KB.
const MAX_BODY_BYTES = 1_048_576;

export const handler = batch.endpoint(
  {
    route: 'POST /api/signer/notifications',
    summary: 'Receive a notification of the external service',
    description:
      'For a webhook of the external service, which sends `Authorization: Bearer` with the secret of `Signer:WebhookSecret`; neither the key nor a session is accepted. The cited documents of bound folders are read again. Anything else is ignored, and duplicates do no harm.',
    tag: 'signer',
    body: deferredBody(jsonBody(SignerNotification)),
    maxBodyBytes: () => MAX_BODY_BYTES,
    answers: { 202: NotificationTaken },
    refuses: [
      'signer-notification.not-configured',
      'signer-notification.unauthorized',
      'signer-notification.unavailable',
    ],
    situations: {
      tooLarge: 'request.invalid',
      unsupportedMedia: 'request.invalid',
      unavailable: 'signer-notification.unavailable',
      unexpected: 'signer-notification.unavailable',
    },
    access: 'public',
    ignoresUnknownOptions: true,
    challenge: 'Bearer realm="batch"',
    rate: 'SignerNotification',
    onAnswer: (answer) => countNotification(outcomeOf(answer)),
  },
  async ({ headers, body, deadlineAtMs, startedAtMs }) => {
    requireSender(headers.authorization, startedAtMs);
    const { data } = await body();
    return { outcome: await takeNotification(citedIn(data), deadlineAtMs, startedAtMs) };
  },
);

/** Without a secret nobody is authorized: such a request is counted with those that have another. */
const OUTCOMES: Readonly<Record<string, NotificationOutcome>> = {
  'rate-limited': 'throttled',
  'signer-notification.not-configured': 'unauthorized',
  'signer-notification.unauthorized': 'unauthorized',
  'request.invalid': 'unreadable',
};

function outcomeOf(answer: Answer | Refusal): NotificationOutcome {
  if (answer instanceof Refusal) return OUTCOMES[answer.code] ?? 'unavailable';
  return answer.body.kind === 'json' ? NotificationTaken.parse(answer.body.value).outcome : 'unavailable';
}
