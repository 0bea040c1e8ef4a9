import * as z from 'zod';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import { parseJson } from '../../../../shared/net/ask-json.ts';
import { FetchFailed } from '../../../../shared/net/errors.ts';
import { guardedFetch } from '../../../../shared/net/guarded.ts';
import { authorizationOf, openCredentials } from '../../../../shared/webhooks/registrations/credentials.ts';
import { listWebhooks } from '../../../../shared/webhooks/registrations/lookup.ts';
import { errors } from '../../errors.ts';
import { callouts, ownerOf } from './engine.ts';

/** What an application is told of a file that a person brings. Its content is not sent. */
export type BroughtFile = { readonly name: string; readonly contentType: string; readonly length: number };

const Verdict = z.object({ accept: z.boolean(), rejectReason: z.string().nullish() });

// The person waits, behind an API gateway that does so for 29 s.
const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 16_384;
// A sentence at the page.
const MAX_REASON_CHARACTERS = 300;

/**
 * Asks the application whether it takes a file, where an operator set an address for it. Fails closed: without a
 * readable answer in time the file is refused.
 */
export async function requireAccepted(application: string, file: BroughtFile): Promise<void> {
  const [webhook] = await listWebhooks(callouts, ownerOf(application, 'FileValidation'));
  if (!webhook) return;
  const opened = await openCredentials(callouts, webhook);
  if ('problem' in opened) throw errors.refuse('FileValidationUnavailable');
  const answer = await guardedFetch({
    url: webhook.url,
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Sinete',
      ...authorizationOf(webhook.authType, opened.plain.token),
    },
    body: JSON.stringify(file),
    maxBytes: MAX_ANSWER_BYTES,
    timeoutMs: TIMEOUT_MS,
    allowPrivateAddresses: callouts.policy().allowPrivateNetworks,
    callee: 'file validation',
  }).catch(ifThrown(FetchFailed));
  const verdict = answer?.status === 200 ? Verdict.safeParse(parseJson(answer.bytes)).data : undefined;
  if (!verdict) throw errors.refuse('FileValidationUnavailable');
  const reason = verdict.rejectReason?.slice(0, MAX_REASON_CHARACTERS) ?? '';
  if (!verdict.accept) throw errors.refuse('FileRejected', { reason });
}
