import { Refusal } from '../../../../shared/errors/errors.ts';
import { type Logger, logger } from '../../../../shared/log/logger.ts';
import { errors } from '../../errors.ts';
import { type Actor, audit } from '../audit.ts';
import { requireActiveSession } from '../session.ts';
import { type IncomingPart, readBatch } from './arriving.ts';
import { partsInTime } from './deadline.ts';
import { type IncomingDocument, requirePdf } from './incoming.ts';
import type { Upload } from './send-document.ts';
import { signPdf, signUpload, uploadAhead } from './sign-at-platform.ts';
import { deadlineOf, type SigningCall } from './signing-call.ts';
import { underSession } from './under-session.ts';

export type AcceptedDocument = {
  readonly signatureId: string;
  readonly status: 'PROCESSING';
  readonly acceptedAt: string;
};

/** The budget of a call begins when the call does, whatever its form takes to arrive. */
export type CallTimes = { readonly startedAtMs: number; readonly hostDeadlineAtMs: number };

/** Signs one document under a session. */
export async function signDocument(
  sessionId: string,
  document: IncomingDocument,
  actor: Actor,
  { startedAtMs, hostDeadlineAtMs }: CallTimes,
): Promise<AcceptedDocument> {
  const deadlineAtMs = deadlineOf(startedAtMs, hostDeadlineAtMs);
  const session = await requireActiveSession(sessionId);
  return audit({ actor, operation: 'signature.create', cpf: session.cpf }, async (note) => {
    const pdf = requirePdf(document);
    const calling = { actor, log: logOf(actor), note, deadlineAtMs };
    const signatureId = await underSession(session, calling, (call) => signPdf(pdf, call));
    return { signatureId, status: 'PROCESSING', acceptedAt: new Date().toISOString() };
  });
}

const logOf = ({ correlationId }: Actor): Logger => logger('session').with({ correlationId });

export type BatchResult = {
  readonly fileName: string;
  readonly signatureId: string | null;
  readonly status: 'PROCESSING' | 'ERROR';
  readonly error: { readonly code: string; readonly message: string } | null;
};

type Batch = { readonly results: readonly BatchResult[]; readonly acceptedAt: string };

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
  parts: AsyncIterable<IncomingPart>,
  actor: Actor,
  { startedAtMs, hostDeadlineAtMs }: CallTimes,
): Promise<Batch> {
  const log = logOf(actor);
  const deadlineAtMs = deadlineOf(startedAtMs, hostDeadlineAtMs);
  const { sessionId, documents } = await readBatch(partsInTime(parts, deadlineAtMs), (document) =>
    handedOver(document, deadlineAtMs, log),
  );
  const session = await requireActiveSession(sessionId);
  return audit({ actor, operation: 'signature.batch', cpf: session.cpf }, async (note) => {
    if (documents.length === 0) throw errors.refuse('INVALID_DOCUMENT');
    const results = await underSession(session, { actor, log, note, deadlineAtMs }, (call) =>
      Promise.all(documents.map((document) => resultOf(document, call))),
    );
    return { results, acceptedAt: new Date().toISOString() };
  });
}

type Handed = { readonly fileName: string; readonly sent: Upload | Refusal };

async function handedOver(document: IncomingDocument, deadlineAtMs: number, log: Logger): Promise<Handed> {
  const { fileName } = document;
  try {
    return { fileName, sent: await uploadAhead(requirePdf(document), deadlineAtMs) };
  } catch (error) {
    return { fileName, sent: refusalOf(error, log) };
  }
}

async function resultOf({ fileName, sent }: Handed, call: SigningCall): Promise<BatchResult> {
  try {
    if (sent instanceof Refusal) throw sent;
    const signatureId = await signUpload(sent, call);
    return { fileName, signatureId, status: 'PROCESSING', error: null };
  } catch (error) {
    const { code, message } = refusalOf(error, call.log);
    call.note({ signatureId: null, outcome: code, reason: message });
    return { fileName, signatureId: null, status: 'ERROR', error: { code, message } };
  }
}

function refusalOf(error: unknown, log: Logger): Refusal {
  if (error instanceof Refusal) return error;
  log.error('A document of a batch failed.', { error });
  return errors.refuse('INTERNAL_ERROR');
}
