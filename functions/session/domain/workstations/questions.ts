import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../../../../shared/access/caller.ts';
import { hashSecret } from '../../../../shared/access/secrets.ts';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import type { AskRequest, QuestionAnswer, QuestionAsked } from '../../../../shared/workstation/questions.ts';
import { settings } from '../../settings.ts';
import { workstationCertificates } from './certificates.ts';
import { isAbsent, presences } from './presence.ts';
import { pushTask, pushWithdrawn } from './push.ts';
import { deleteAnswered, giveUp, type RelayResult } from './relay.ts';
import { newTaskId, type Task, taskStates, tasks } from './task.ts';

/**
 * The question that an application put last about one subject, such as an action of a document. A subject has one open
 * question: the next one takes its place. The question itself is a task of the agent (task.ts):
 *
 *   Waiting -- the agent has it: Taken -- signed, declined, …: Done -- collected once, and deleted
 *      |- replaced, or two minutes over, or the agent is gone: Expired
 */
type Question = {
  readonly application: string;
  readonly subject: string;
  readonly agentId: string;
  readonly taskId: string;
  readonly expiresAtMs: number;
};

const DAY_SECONDS = 86_400;

const questions = collection<Question, Pick<Question, 'application' | 'subject'>>({
  service: 'session',
  name: 'question to a holder',
  id: ({ application, subject }) => ({ application, subject }),
  key: ({ application, subject }) => ({
    pk: `QUESTION#${hashSecret(JSON.stringify([application, subject]))}`,
    sk: 'QUESTION',
  }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) + DAY_SECONDS }),
});

/** A person finds the token and types the PIN. */
const QUESTION_MS = 120_000;

/** The certificates of a CPF at workstations that are online. `offline`: there are some, and none is online. */
export async function findAtWorkstations(cpf: string, nowMs: number) {
  const held = await workstationCertificates(cpf, nowMs);
  const online = new Map(held.filter((each) => each.online).map((each) => [each.sha256, each.certificate]));
  return {
    state: held.length === 0 ? 'none' : online.size === 0 ? 'offline' : 'online',
    certificates: [...online.values()].map(({ der }) => der.toString('base64')),
  } as const;
}

/** Puts a question to the holder of a certificate, at a workstation that is online. */
export async function askHolder(
  { application }: Caller,
  { subject, cpf, sha256, requester, documents }: AskRequest,
  nowMs: number,
): Promise<QuestionAsked> {
  const held = await workstationCertificates(cpf, nowMs);
  const found = held.find((each) => each.sha256 === sha256 && each.online);
  if (!found) return { state: 'offline', questionId: '', endsAtMs: nowMs };
  const { agentId } = found;
  const expiresAtMs = nowMs + QUESTION_MS;
  const taskId = newTaskId(nowMs);
  const ask = { kind: 'ask-and-sign', sha256, digest: 'sha256', application, requester, documents } as const;
  const task: Task = { agentId, id: taskId, kind: ask.kind, state: 'Waiting', expiresAtMs, ask };
  const creating = tasks.creating(task);
  const asked = { application, subject, agentId, taskId, expiresAtMs };
  const replaced = await retryOnConflict(
    async () => {
      const before = await questions.get(asked);
      const naming = before ? questions.changing(before, asked) : questions.creating(asked);
      await commit([creating, naming]);
      return before;
    },
    { mayCreate: true },
  );
  if (replaced) await withdraw(replaced, nowMs);
  await pushTask({ ...creating.after, ask }, await presences.get(agentId), nowMs);
  return { state: 'asked', questionId: taskId, endsAtMs: expiresAtMs };
}

/** Ends the task of a question that another one replaced, so that the holder is not shown both. */
async function withdraw({ agentId, taskId }: Question, nowMs: number): Promise<void> {
  const task = await tasks.get({ agentId, id: taskId });
  if (!task || !taskStates.accepts(task.state, 'gaveUp')) return;
  await transition(tasks, taskStates, task, 'gaveUp', { ask: undefined }).catch(ifThrown(RaceLost));
  await pushWithdrawn(task, nowMs);
}

// How long a request for the answer is held, and how often the task is looked at meanwhile.
const HELD_MS = 8_000;
const LOOK_EVERY_MS = 250;

type AnswerRequest = { readonly subject: string; readonly questionId: string };

/**
 * The holder's answer, or `waiting`. It is given out once, to the application that asked, for the question that is the
 * newest of its subject.
 */
export async function answerOf(
  { application }: Caller,
  { subject, questionId }: AnswerRequest,
  now: () => number,
): Promise<QuestionAnswer> {
  const newest = () => questions.get({ application, subject });
  const asked = await newest();
  // Replay: a question that was replaced, or whose answer was collected, has no answer any more.
  if (asked?.taskId !== questionId) return REPLACED;
  const untilMs = now() + HELD_MS;
  for (;;) {
    const task = await tasks.get({ agentId: asked.agentId, id: questionId });
    if (!task) return REPLACED;
    const answer = await answerIn(task, now());
    // A newer question ends the task too.
    if (answer.state === 'offline' && (await newest())?.taskId !== questionId) return REPLACED;
    if (answer.state !== 'waiting' || now() >= untilMs) return answer;
    await pause(LOOK_EVERY_MS);
  }
}

const REPLACED: QuestionAnswer = { state: 'replaced', signatures: [] };

const STATES = {
  signed: 'signed',
  declined: 'declined',
  'timed-out': 'expired',
  'pin-blocked': 'pin-blocked',
  impossible: 'unusable',
  refused: 'unusable',
} as const;

async function answerIn(task: Stored<Task>, nowMs: number): Promise<QuestionAnswer> {
  const { result, agentId, expiresAtMs } = task;
  if (result) return render(await deleteAnswered(task, result));
  // The agent has stopped, and its good-bye ended the task.
  if (taskStates.isTerminal(task.state)) return render(nowMs >= expiresAtMs ? 'late' : 'absent');
  if (nowMs >= expiresAtMs) return render(await endLate(task, nowMs));
  const sinceMs = expiresAtMs - QUESTION_MS;
  const forMs = settings['Signing:WorkstationReconnectGrace'] * 1000;
  // Before that the agent cannot have been away for long enough, so nothing is read.
  if (nowMs < sinceMs + forMs) return WAITING;
  const isGone = isAbsent(await presences.get(agentId), { sinceMs, forMs, nowMs });
  return isGone ? render(await giveUp(task, 'absent')) : WAITING;
}

/** The agent ends a question in time by itself. One whose clock is slow shows it no longer all the same. */
async function endLate(task: Stored<Task>, nowMs: number): Promise<RelayResult> {
  const result = await giveUp(task, 'late');
  if (result === 'late') await pushWithdrawn(task, nowMs);
  return result;
}

const WAITING: QuestionAnswer = { state: 'waiting', signatures: [] };

function render(result: RelayResult): QuestionAnswer {
  if (typeof result === 'string') return { state: result === 'late' ? 'expired' : 'offline', signatures: [] };
  const state = STATES[result.outcome as keyof typeof STATES] ?? 'unusable';
  return { state, signatures: [...(result.signatures ?? [])] };
}
