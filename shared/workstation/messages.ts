import * as z from 'zod';
import { MAX_QUESTION_DOCUMENTS, shownToHolder } from './questions.ts';

// The protocol between agents and the session server. Both sides validate with these shapes.

const base64url = z.string().regex(/^[\w-]+$/);
const taskId = z.string().regex(/^[\w-]{1,64}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

// A token holds a few certificates, a file one or two.
const MAX_CERTIFICATES = 20;
const MAX_TASKS = 50;

/** Every answer to an agent: its payload as text, and the server's signature over it and the request's nonce. */
export const AgentAnswer = z.object({ payload: z.string(), signature: z.string() });
export type AgentAnswer = z.output<typeof AgentAnswer>;

/** POST /agent/enrolments. The request is signed by the key in it. */
export const Enrolment = z.object({
  code: z.string().min(1).max(100),
  /** A name for people. */
  name: z.string().trim().min(1).max(100),
  /** The public keys, as SubjectPublicKeyInfo. */
  ed25519: base64url.max(100),
  x25519: base64url.max(100),
});
export type Enrolment = z.output<typeof Enrolment>;

export const EnrolmentResponse = z.object({
  agentId: taskId,
  /** The key that verifies every later answer of the server. */
  serverKey: base64url,
});

/** POST /agent/certificates: all certificates that the agent holds, each with a proof that it holds the key. */
export const HeldCertificates = z.object({
  certificates: z.array(z.object({ der: z.base64(), proof: z.base64() })).max(MAX_CERTIFICATES),
});
export type HeldCertificates = z.output<typeof HeldCertificates>;

export const RegisteredCertificates = z.object({
  certificates: z.array(z.object({ sha256, cpf: z.string() })),
});

/** POST /agent/poll */
export const Poll = z.object({
  /** The tasks that the agent has in hand. Other tasks that were handed out are handed out again. */
  working: z.array(taskId).max(MAX_TASKS),
  /** The agent's first poll, answered at once: it learns whether its credentials are accepted. */
  hello: z.boolean().default(false),
  /** The agent's last poll before it stops, answered at once. */
  leaving: z.boolean().default(false),
  /** Whether a PIN is in use at the agent. Older agents do not send it. */
  pinInUse: z.boolean().optional(),
});
export type Poll = z.output<typeof Poll>;

const task = { id: taskId, remainingMs: z.int() };

export const AgentTask = z.discriminatedUnion('kind', [
  z.object({ ...task, kind: z.literal('compare-pin'), box: base64url }),
  z.object({
    ...task,
    kind: z.literal('prompt-pin'),
    box: base64url,
    /** The certificate that a session would be bound to. */
    sha256,
    /** The application that asks. */
    application: z.string(),
  }),
  z.object({
    ...task,
    kind: z.literal('sign-hash'),
    sha256,
    digest: z.enum(['sha256', 'sha384', 'sha512']),
    hash: z.base64(),
  }),
  /** The holder is shown what is signed, and types the PIN for it. A PIN in use does not answer for them. */
  z.object({
    ...task,
    kind: z.literal('ask-and-sign'),
    sha256,
    digest: z.literal('sha256'),
    /** The application that asks the server. */
    application: z.string(),
    ...shownToHolder,
  }),
  z.object({ ...task, kind: z.literal('forget-pin') }),
  /** Only for an agent that sends `pinInUse`: older agents do not know this kind. */
  z.object({ ...task, kind: z.literal('check-pin') }),
]);
export type AgentTask = z.output<typeof AgentTask>;
export type TaskKind = AgentTask['kind'];

export const PollResponse = z.object({
  tasks: z.array(AgentTask),
  /** Tasks in hand for which nobody waits any more. */
  withdrawn: z.array(taskId),
  /** Where the agent may connect by WebSocket in place of its polls, if the server offers it. */
  socket: z.url({ protocol: /^wss?$/ }).optional(),
});
export type PollResponse = z.output<typeof PollResponse>;

/** The path that an agent signs, below the server's base URL: to open a connection, and for each message on it. */
export const SOCKET_PATH = '/agent/connection';

/** A message of an agent on its connection: a poll as text, and the headers that a request with it would have. */
export const SocketMessage = z.object({
  headers: z.record(z.string().max(40), z.string().max(200)),
  body: z.string().max(8_000),
});

/**
 * Why the server is about to end a connection. `replaced`: the agent has a newer one. `disabled`: the server does not
 * accept the agent any more. `busy`: it sent too many messages.
 */
export const SocketClosing = z.enum(['replaced', 'disabled', 'busy']);
export type SocketClosing = z.output<typeof SocketClosing>;

/** A message of the server on a connection: the answer to a poll, whenever there is something to say. */
export const Pushed = PollResponse.extend({ closing: SocketClosing.optional() });
export type Pushed = z.output<typeof Pushed>;

/** The possible outcomes of each kind of task. */
export const OUTCOMES = {
  'compare-pin': ['matched', 'different', 'not-cached'],
  'prompt-pin': ['matched', 'different', 'declined', 'timed-out', 'impossible'],
  'sign-hash': ['signed', 'not-cached', 'refused'],
  'ask-and-sign': ['signed', 'declined', 'timed-out', 'pin-blocked', 'impossible', 'refused'],
  'forget-pin': ['forgotten'],
  'check-pin': ['in-use', 'not-cached'],
} as const satisfies Record<TaskKind, readonly string[]>;

export type Outcome<Kind extends TaskKind = TaskKind> = (typeof OUTCOMES)[Kind][number];

const Signature = z.base64().max(2_000);

/** POST /agent/tasks/{taskId}/result */
export const TaskResult = z.object({
  outcome: z.enum(Object.values(OUTCOMES).flat()),
  /** Only with the outcome `signed` of `sign-hash`. */
  signature: Signature.optional(),
  /** Only with the outcome `signed` of `ask-and-sign`: one for each document, in their order. */
  signatures: z.array(Signature).min(1).max(MAX_QUESTION_DOCUMENTS).optional(),
  /** Why the task failed, for people. */
  reason: z.string().max(300).optional(),
});
export type TaskResult = z.output<typeof TaskResult>;

/** False when there was an earlier answer, or nobody waits any more. */
export const TaskResponse = z.object({ accepted: z.boolean() });
