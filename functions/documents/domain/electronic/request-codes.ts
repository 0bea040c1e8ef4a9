import { hasMailServer } from '../../../../shared/mail/queue.ts';
import { hit } from '../../../../shared/store/rate-window.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import type { LocatedDocument } from '../document/document.ts';
import {
  type ActId,
  actIdOf,
  electronicActs,
  keepSigningCode,
  newSigningCode,
} from '../document/electronic-act.ts';
import { factorsOf, isSent, requireElectronic, viaOf, type Way } from '../document/electronic-factors.ts';
import type { Assignment } from '../flow/flow.ts';
import { recordMail } from '../mail/send-mail.ts';
import { requireUnlocked } from './check-codes.ts';
import { sendSms } from './sms.ts';

// Codes that are sent for one person's part.
const MAX_REQUESTS = 3;
const WINDOW_SECONDS = 600;

type CodeRequest = Assignment &
  Pick<LocatedDocument, 'location'> & { readonly documentId: string; readonly way: Way };

/** Sends the person every code that their signature asks for. The mail server is not waited for. */
export async function requestCodes(request: CodeRequest, now: () => number): Promise<void> {
  const { documentId, action, person, way } = request;
  requireElectronic(request);
  const asked = factorsOf(action, way).asked.filter(isSent);
  if (asked.length === 0)
    throw errors.refuse('InvalidFlowAction', {
      flowActionId: action.id,
      reason: 'The signature asks for no code that is sent.',
    });
  const act = actIdOf(documentId, request);
  requireUnlocked(await electronicActs.get(act), now());
  await countRequest(act, 'signing-code', now);
  if (asked.includes('Email')) await mailCode(request, now);
  if (asked.includes('SMS')) {
    if (person.phone === null) throw errors.refuse('PhoneRequired', { flowActionId: action.id });
    const code = newSigningCode();
    await keepSigningCode({ ...act, via: viaOf(way), factor: 'SMS' }, code, now());
    await sendSms(person.phone, code);
  }
}

/** Counts what is sent, or begun, for one person's part. */
export async function countRequest(
  { documentId, actionId, personId }: ActId,
  policy: 'signing-code' | 'liveness',
  now: () => number,
): Promise<void> {
  const { allowed, retryAfterSeconds } = await hit({
    ...{ service: 'documents', policy, client: `${documentId} ${actionId} ${personId}` },
    ...{ limit: MAX_REQUESTS, windowSeconds: WINDOW_SECONDS, now },
  });
  if (allowed) return;
  const headers = { 'retry-after': String(retryAfterSeconds) };
  throw errors.refuse('TooManyRequests', { retryAfterSeconds }, { headers });
}

// A code by mail is asked at a link only: an application that signs for a person has identified them.
async function mailCode({ documentId, person, way }: CodeRequest, now: () => number): Promise<void> {
  if (person.emailAddress === null) throw errors.refuse('EmailAddressRequired');
  if (!hasMailServer(settings)) throw errors.refuse('MailNotEnabled');
  if (!('link' in way)) throw new Error('A code by mail is asked of an application.');
  const { hash } = way.link;
  await recordMail({ task: 'code', purpose: 'signature', documentId, hash, requestedAtMs: now() }, now);
}
