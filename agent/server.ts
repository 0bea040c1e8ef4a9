import type { KeyObject } from 'node:crypto';
import type * as z from 'zod';
import { CommandRefusal } from '../shared/command-line/reason.ts';
import { publicKeyIn } from '../shared/workstation/keys.ts';
import { AgentAnswer, type Enrolment, EnrolmentResponse } from '../shared/workstation/messages.ts';
import { openAnswer } from '../shared/workstation/signed-answer.ts';
import { signRequest } from '../shared/workstation/signed-request.ts';
import type { Identity } from './identity.ts';

/** The server refused the request. */
export class ServerRefused extends Error {
  override readonly name = 'ServerRefused';
  readonly status: number;
  /** How far the server's clock is ahead of this one, where it sent its time. */
  readonly aheadMs: number | undefined;

  constructor(status: number, message: string, aheadMs: number | undefined) {
    super(message);
    this.status = status;
    this.aheadMs = aheadMs;
  }
}

/** The answer is not from the server that this agent enrolled with, or is not the one to this request. */
export class NotTheServer extends Error {
  override readonly name = 'NotTheServer';
}

type Request = {
  readonly server: string;
  readonly path: `/agent/${string}`;
  readonly agentId: string;
  readonly key: KeyObject;
  readonly body: unknown;
  readonly signal: AbortSignal;
};

async function post({ server, path, agentId, key, body, signal }: Request) {
  const text = JSON.stringify(body);
  const { headers, nonce } = signRequest(key, { method: 'POST', path, agentId, body: text });
  const response = await fetch(`${server}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'sinete-agent' },
    body: text,
    // The signature is for this address. Nothing is sent to another one.
    redirect: 'error',
    signal,
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw refusalOf(response, answer);
  return { answer, nonce };
}

function refusalOf({ status, headers }: Response, answer: unknown): ServerRefused {
  const { error } = (answer ?? {}) as { error?: { code?: string; message?: string; details?: string } };
  const parts = [error?.code ?? `HTTP ${status}`, error?.details ?? error?.message].filter(Boolean);
  const serverMs = Date.parse(headers.get('date') ?? '');
  return new ServerRefused(
    status,
    parts.join(': '),
    Number.isNaN(serverMs) ? undefined : serverMs - Date.now(),
  );
}

/** Sends the server a signed request. Throws ServerRefused, NotTheServer, or an error of the network. */
export async function send<S extends z.ZodType>(
  { server, agentId, ed25519, serverKey }: Identity,
  request: Pick<Request, 'path' | 'body' | 'signal'> & { readonly answers: S },
): Promise<z.output<S>> {
  const { answer, nonce } = await post({ server, agentId, key: ed25519, ...request });
  const read = request.answers.safeParse(openAnswer(serverKey, nonce, answer));
  if (!read.success) throw new NotTheServer(`${server} is not the server of this agent.`);
  return read.data;
}

const ENROL_TIMEOUT_MS = 30_000;

/** Enrols new keys with a code. The server's own key comes with the answer: trust on first use. */
export async function enrolAt(
  server: string,
  key: KeyObject,
  enrolment: Enrolment,
): Promise<{ readonly agentId: string; readonly serverKey: KeyObject }> {
  const signal = AbortSignal.timeout(ENROL_TIMEOUT_MS);
  const { answer, nonce } = await post({
    server,
    path: '/agent/enrolments',
    agentId: '',
    key,
    body: enrolment,
    signal,
  });
  const enrolled = EnrolmentResponse.safeParse(payloadOf(answer));
  const serverKey = enrolled.data && publicKeyIn(enrolled.data.serverKey, 'ed25519');
  if (!serverKey || openAnswer(serverKey, nonce, answer) === undefined)
    throw new CommandRefusal(`${server} is no session server.`);
  return { agentId: enrolled.data.agentId, serverKey };
}

function payloadOf(answer: unknown): unknown {
  const read = AgentAnswer.safeParse(answer);
  try {
    return read.success ? JSON.parse(read.data.payload) : undefined;
  } catch {
    return undefined;
  }
}
