import { randomUUID, sign } from 'node:crypto';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { SIGNATURE_SESSIONS_QUEUE } from '../../../../functions/pki/domain/tasks.ts';
import { handler as add } from '../../../../functions/pki/signature-sessions/endpoints/add-signature-session-document.ts';
import { handler as awaitEnd } from '../../../../functions/pki/signature-sessions/endpoints/await-signature-session.ts';
import { handler as progress } from '../../../../functions/pki/signature-sessions/endpoints/await-signature-session-progress.ts';
import { handler as cancel } from '../../../../functions/pki/signature-sessions/endpoints/cancel-signature-session.ts';
import { handler as complete } from '../../../../functions/pki/signature-sessions/endpoints/complete-session-signature.ts';
import { handler as create } from '../../../../functions/pki/signature-sessions/endpoints/create-signature-session.ts';
import { handler as read } from '../../../../functions/pki/signature-sessions/endpoints/get-signature-session.ts';
import { handler as content } from '../../../../functions/pki/signature-sessions/endpoints/get-signature-session-content.ts';
import { handler as addOwn } from '../../../../functions/pki/signature-sessions/endpoints/own-files/add-own-file.ts';
import { handler as beginOwn } from '../../../../functions/pki/signature-sessions/endpoints/own-files/begin-own-upload.ts';
import { handler as removeOwn } from '../../../../functions/pki/signature-sessions/endpoints/own-files/remove-own-file.ts';
import { handler as partOfOwn } from '../../../../functions/pki/signature-sessions/endpoints/own-files/upload-own-part.ts';
import { handler as start } from '../../../../functions/pki/signature-sessions/endpoints/start-session-signature.ts';
import { handler as runTask } from '../../../../functions/pki/signature-sessions/workers/run-signature-session-task.ts';
import { SANDBOX_CONTEXT, SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { toRecord } from '../../../../infra/runtime/events/lambda-batch.ts';
import { queueUrl, sqs } from '../../../../shared/queue/client.ts';
import { queueName } from '../../../../shared/settings/names.ts';
import { call } from '../../../requests/http-event.ts';
import type { Signer } from '../authentication/stage.ts';

const OWN_FILES = { beginOwn, addOwn, removeOwn };
export const OPERATIONS = {
  ...{ create, read, add, content, start, complete, cancel, awaitEnd, progress },
  ...OWN_FILES,
};
export type Operation = keyof typeof OPERATIONS;

export type Session = {
  readonly sessionId: string;
  readonly token: string;
  readonly redirectUrl: string;
  readonly documents: readonly { readonly documentId: string; readonly signatureFormat: string }[];
};

/** As the application comes: with its key. */
export const BY_KEY = { 'X-API-Key': SANDBOX_KEY };
/** As the person comes: with the session's token. */
export const byToken = ({ token }: { readonly token: string }) => ({ 'X-Signature-Session-Token': token });

const READS: readonly Operation[] = ['read', 'content', 'progress'];

type Params = Record<string, string>;
type Answer = { readonly status: number; readonly [field: string]: unknown };

/** An operation, its HTTP status as `http` beside the body. */
export async function ask(
  operation: Operation,
  headers: Record<string, string>,
  { params, json, query }: { params?: Params; json?: unknown; query?: Record<string, string> } = {},
): Promise<Record<string, unknown> & { readonly http: number }> {
  const answer = await call(OPERATIONS[operation], {
    method: READS.includes(operation) ? 'GET' : 'POST',
    headers,
    ...(params && { params }),
    ...(query && { query }),
    ...(json !== undefined && { json }),
  });
  return { ...(answer.json() as Answer), http: answer.status };
}

export const inline = (bytes: Uint8Array | string, name = 'contract.txt', contentType?: string) => ({
  name,
  content: Buffer.from(bytes).toString('base64'),
  ...(contentType && { contentType }),
});

/** A session of the sandbox's application over these documents. */
export async function aSession(documents: object[] = [inline('one')], more: object = {}): Promise<Session> {
  const json = {
    returnUrl: 'http://localhost:9999/return',
    securityContextId: SANDBOX_CONTEXT,
    documents,
    ...more,
  };
  const answer = await ask('create', BY_KEY, { json });
  if (answer.http !== 200) throw new Error(JSON.stringify(answer));
  return answer as unknown as Session;
}

export const paramsOf = ({ sessionId, documents }: Session, index = 0) => ({
  sessionId,
  documentId: documents[index]?.documentId ?? '',
});

/** The first step by the person, for one of the documents. */
export const starting = (session: Session, { certificate }: Pick<Signer, 'certificate'>, index = 0) =>
  ask('start', byToken(session), {
    params: paramsOf(session, index),
    json: { certificate: certificate.der.toString('base64') },
  });

export const signatureOver = (started: Record<string, unknown>, { privateKey }: Signer): string =>
  sign('sha256', Buffer.from((started.toSign as { data: string }).data, 'base64'), privateKey).toString(
    'base64',
  );

/** Both steps, for one of the documents. */
export async function signing(session: Session, signer: Signer, index = 0) {
  const started = await starting(session, signer, index);
  return ask('complete', byToken(session), {
    params: paramsOf(session, index),
    json: { state: started.state, signature: signatureOver(started, signer) },
  });
}

/** Brings a file at the page: in parts of the size that the service says. */
export async function bring(session: Session, bytes: Buffer, name: string, contentType = '') {
  const { sessionId } = session;
  const begun = await ask('beginOwn', byToken(session), { params: { sessionId } });
  if (begun.http !== 200) return begun;
  const token = String(begun.blobToken);
  const partETags: string[] = [];
  for (let at = 0; at * Number(begun.partSize) < bytes.length; at++) {
    const part = bytes.subarray(at * Number(begun.partSize), (at + 1) * Number(begun.partSize));
    const params = { sessionId, token, partNumber: String(at) };
    const { headers } = await call(partOfOwn, { params, headers: byToken(session), body: part });
    partETags.push(String(headers.etag));
  }
  const json = { name, contentType, token, partETags };
  return ask('addOwn', byToken(session), { params: { sessionId }, json });
}

export const statusOf = async ({ sessionId }: Session) =>
  (await ask('read', BY_KEY, { params: { sessionId } })).status;

/** What the queue holds for a session, as it would be delivered for the nth time. */
const messageFor = ({ sessionId }: Session, attempt: number) =>
  toRecord(
    {
      MessageId: randomUUID(),
      Body: JSON.stringify({ task: 'makeFiles', sessionId }),
      Attributes: { ApproximateReceiveCount: String(attempt) },
    },
    '',
  );

/** Brings a session's task to its function. The queue itself is shared with other tests. */
export const makeFilesOf = (session: Session, attempt = 1) =>
  runTask({ Records: [messageFor(session, attempt)] });

/** Whether the task was put on the queue. */
export async function isQueued({ sessionId }: Session): Promise<boolean> {
  const QueueUrl = await queueUrl(queueName('pki', SIGNATURE_SESSIONS_QUEUE));
  for (;;) {
    const { Messages = [] } = await sqs().send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
    );
    if (Messages.some(({ Body }) => Body === JSON.stringify({ task: 'makeFiles', sessionId }))) return true;
    if (Messages.length === 0) return false;
  }
}
