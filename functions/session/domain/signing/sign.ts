import { Refusal } from '../../../../shared/http/errors.ts';
import { logger } from '../../../../shared/log/logger.ts';
import { errors } from '../../errors.ts';
import { type Actor, audited } from '../audit.ts';
import { activeSession } from '../session.ts';
import { type Arriving, received } from './arriving.ts';
import type { Sent } from './hand-over.ts';
import { checkedPdf, type Received } from './received.ts';
import { sendAhead, signDocument, signSent } from './sign-document.ts';
import { deadlineOf, type SigningCall } from './signing-call.ts';
import { underSession } from './under-session.ts';

export type Accepted = {
  readonly signatureId: string;
  readonly status: 'PROCESSING';
  readonly acceptedAt: string;
};

/** Signs one document under a session. */
export async function signOne(
  sessionId: string,
  document: Received,
  actor: Actor,
  hostDeadlineAtMs: number,
): Promise<Accepted> {
  const deadlineAtMs = deadlineOf(hostDeadlineAtMs);
  const session = await activeSession(sessionId);
  return audited(
    { actor, operation: 'signature.create', cpf: session.cpf },
    async () => {
      const pdf = checkedPdf(document);
      const signatureId = await underSession(session, deadlineAtMs, (call) => signDocument(pdf, call));
      return { signatureId, status: 'PROCESSING', acceptedAt: new Date().toISOString() };
    },
    ({ signatureId }) => [signatureId],
  );
}

export type Result = {
  readonly fileName: string;
  readonly signatureId: string | null;
  readonly status: 'PROCESSING' | 'ERROR';
  readonly error: { readonly code: string; readonly message: string } | null;
};

type Batch = { readonly results: readonly Result[]; readonly acceptedAt: string };

// A batch, from the first byte on:
//
//   form       |--sessionId--file 1--file 2-- ... --file n--|
//   files at the service  |--1--|--2--| ...       |--n--|   |
//   documents                                               |--each: created, signed--|  results
//
// Nothing becomes a document, and nothing is signed, before the whole form is known to hold. What was uploaded for a
// form that does not, the service collects.

/** Signs several, each by itself: what is wrong with one is told beside its siblings' ids. */
export async function signBatch(
  parts: AsyncIterable<Arriving>,
  actor: Actor,
  hostDeadlineAtMs: number,
): Promise<Batch> {
  const { sessionId, documents } = await received(parts, (document) =>
    handedOver(document, hostDeadlineAtMs),
  );
  const deadlineAtMs = deadlineOf(hostDeadlineAtMs);
  const session = await activeSession(sessionId);
  return audited(
    { actor, operation: 'signature.batch', cpf: session.cpf },
    async () => {
      if (documents.length === 0) throw errors.refuse('INVALID_DOCUMENT');
      const results = await underSession(session, deadlineAtMs, (call) =>
        Promise.all(documents.map((document) => resultOf(document, call))),
      );
      return { results, acceptedAt: new Date().toISOString() };
    },
    ({ results }) => results.flatMap(({ signatureId }) => signatureId ?? []),
  );
}

type Handed = { readonly fileName: string; readonly sent: Sent | Refusal };

async function handedOver(document: Received, hostDeadlineAtMs: number): Promise<Handed> {
  const { fileName } = document;
  try {
    return { fileName, sent: await sendAhead(checkedPdf(document), deadlineOf(hostDeadlineAtMs)) };
  } catch (error) {
    return { fileName, sent: refusalOf(error) };
  }
}

async function resultOf({ fileName, sent }: Handed, call: SigningCall): Promise<Result> {
  try {
    if (sent instanceof Refusal) throw sent;
    const signatureId = await signSent(sent, call);
    return { fileName, signatureId, status: 'PROCESSING', error: null };
  } catch (error) {
    const { code, message } = refusalOf(error);
    return { fileName, signatureId: null, status: 'ERROR', error: { code, message } };
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  logger('session').error('A document of a batch failed.', { error });
  return errors.refuse('INTERNAL_ERROR');
}
