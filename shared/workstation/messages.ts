import * as z from 'zod';

// What agents and the session server say to each other. Both sides read with these shapes.

const base64url = z.string().regex(/^[\w-]+$/);
const taskId = z.string().regex(/^[\w-]{1,64}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

// A token holds a few, a file one or two.
const MAX_CERTIFICATES = 20;
const MAX_TASKS = 50;

/** Every answer to an agent: what it says, as text, and the server's signature over that and the request's nonce. */
export const AgentAnswer = z.object({ payload: z.string(), signature: z.string() });
export type AgentAnswer = z.output<typeof AgentAnswer>;

/** POST /agent/enrolments, signed by the key in it. */
export const Enrolment = z.object({
  code: z.string().min(1).max(100),
  /** How people call the workstation. */
  name: z.string().trim().min(1).max(100),
  /** The public keys, as SubjectPublicKeyInfo. */
  ed25519: base64url.max(100),
  x25519: base64url.max(100),
});
export type Enrolment = z.output<typeof Enrolment>;

export const EnrolmentResponse = z.object({
  agentId: taskId,
  /** Verifies every later answer of the server. */
  serverKey: base64url,
});

/** POST /agent/certificates: all that the agent holds now, each with a proof that it holds the key too. */
export const HeldCertificates = z.object({
  certificates: z.array(z.object({ der: z.base64(), proof: z.base64() })).max(MAX_CERTIFICATES),
});
export type HeldCertificates = z.output<typeof HeldCertificates>;

export const RegisteredCertificates = z.object({
  certificates: z.array(z.object({ sha256, cpf: z.string() })),
});

/** POST /agent/poll */
export const Poll = z.object({
  /** The tasks that the agent has in hand. Those that were given out and are not among them are given out again. */
  working: z.array(taskId).max(MAX_TASKS),
  /** Answered at once: the agent has just come, and wants to know whether it is let in. */
  hello: z.boolean().default(false),
  /** The agent stops: its last poll, answered at once. */
  leaving: z.boolean().default(false),
  /** Whether a PIN is in use at the agent. Agents before this field do not say. */
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
    /** Who asks. */
    application: z.string(),
  }),
  z.object({
    ...task,
    kind: z.literal('sign-hash'),
    sha256,
    digest: z.enum(['sha256', 'sha384', 'sha512']),
    hash: z.base64(),
  }),
  z.object({ ...task, kind: z.literal('forget-pin') }),
  /** Only for an agent that says whether a PIN is in use: those before it do not know this kind. */
  z.object({ ...task, kind: z.literal('check-pin') }),
]);
export type AgentTask = z.output<typeof AgentTask>;
export type TaskKind = AgentTask['kind'];

export const PollResponse = z.object({
  tasks: z.array(AgentTask),
  /** Tasks in hand that nobody waits for any more. */
  withdrawn: z.array(taskId),
});
export type PollResponse = z.output<typeof PollResponse>;

/** How each kind of task may end. */
export const OUTCOMES = {
  'compare-pin': ['matched', 'different', 'not-cached'],
  'prompt-pin': ['matched', 'different', 'declined', 'timed-out', 'impossible'],
  'sign-hash': ['signed', 'not-cached', 'refused'],
  'forget-pin': ['forgotten'],
  'check-pin': ['in-use', 'not-cached'],
} as const satisfies Record<TaskKind, readonly string[]>;

export type Outcome<Kind extends TaskKind = TaskKind> = (typeof OUTCOMES)[Kind][number];

/** POST /agent/tasks/{taskId}/result */
export const TaskResult = z.object({
  outcome: z.enum(Object.values(OUTCOMES).flat()),
  /** With the outcome `signed` alone. */
  signature: z.base64().max(2_000).optional(),
  /** In words, why not. */
  reason: z.string().max(300).optional(),
});
export type TaskResult = z.output<typeof TaskResult>;

/** False when somebody answered before, or nobody waits any more. */
export const TaskResponse = z.object({ accepted: z.boolean() });
