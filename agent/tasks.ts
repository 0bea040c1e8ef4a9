import { causeOf } from '../shared/command-line/reason.ts';
import { displayName } from '../shared/pki/findings/display.ts';
import type { AgentTask, TaskResult } from '../shared/workstation/messages.ts';
import { isSealedPin } from '../shared/workstation/sealed-pin.ts';
import { askAndSign } from './ask-and-sign.ts';
import { KeyUnusable, PinRejected } from './keys/key-store.ts';
import type { Parts } from './parts.ts';

type Of<Kind extends AgentTask['kind']> = Extract<AgentTask, { kind: Kind }>;

// Results for a failure inside, such as a sealed box that does not open: without a result the task would come again.
const FAILED: Readonly<Record<AgentTask['kind'], TaskResult>> = {
  'compare-pin': { outcome: 'not-cached' },
  'prompt-pin': { outcome: 'impossible' },
  'sign-hash': { outcome: 'refused', reason: 'The key could not be used.' },
  'ask-and-sign': { outcome: 'refused', reason: 'The key could not be used.' },
  'forget-pin': { outcome: 'forgotten' },
  'check-pin': { outcome: 'not-cached' },
};

/** Does one task. There is no result once the signal says that nobody waits for it. */
export async function doTask(
  parts: Parts,
  task: AgentTask,
  signal: AbortSignal,
): Promise<TaskResult | undefined> {
  try {
    return await resultOf(parts, task, signal);
  } catch (error) {
    parts.output.printError(`A ${task.kind} failed: ${causeOf(error)}`);
    return FAILED[task.kind];
  }
}

async function resultOf(parts: Parts, task: AgentTask, signal: AbortSignal): Promise<TaskResult | undefined> {
  switch (task.kind) {
    case 'compare-pin':
      return { outcome: comparePin(parts, task) };
    case 'prompt-pin':
      return promptForPin(parts, task, signal);
    case 'sign-hash':
      return signHash(parts, task);
    case 'ask-and-sign':
      return askAndSign(parts, task, signal);
    case 'forget-pin':
      parts.keeper.forget();
      parts.output.print('The session ended: its PIN is no longer in use.');
      return { outcome: 'forgotten' };
    case 'check-pin':
      return { outcome: parts.keeper.inUse() === undefined ? 'not-cached' : 'in-use' };
  }
}

/** Compares an offered PIN with the one that the holder typed. It is never presented to the token, so it cannot lock it. */
function comparePin({ identity, keeper }: Parts, task: Of<'compare-pin'> | Of<'prompt-pin'>) {
  const pin = keeper.inUse();
  if (pin === undefined) return 'not-cached';
  const context = { agentId: identity.agentId, taskId: task.id };
  if (!isSealedPin(pin, task.box, identity.x25519, context)) return 'different';
  keeper.markUsed();
  return 'matched';
}

async function promptForPin(
  parts: Parts,
  task: Of<'prompt-pin'>,
  signal: AbortSignal,
): Promise<TaskResult | undefined> {
  const { holder, keeper, registrar, output } = parts;
  const certificate = registrar.held().find(({ sha256 }) => sha256 === task.sha256);
  if (keeper.inUse() === undefined) {
    const answer = await holder.ask(
      {
        reason: { kind: 'request', application: task.application },
        holder: certificate && displayName(certificate),
        endsAtMs: Date.now() + task.remainingMs,
      },
      signal,
    );
    if (answer === 'withdrawn') return undefined;
    if (answer !== 'accepted') return { outcome: answer };
  }
  const outcome = comparePin(parts, task);
  if (outcome === 'different')
    output.print(`${task.application} offered another PIN than yours. No session was opened.`);
  // The token may have been removed between the answer and here.
  return { outcome: outcome === 'not-cached' ? 'impossible' : outcome };
}

async function signHash({ keeper, store, output }: Parts, task: Of<'sign-hash'>): Promise<TaskResult> {
  const pin = keeper.inUse();
  if (pin === undefined) return { outcome: 'not-cached' };
  const { sha256, digest } = task;
  try {
    const signature = await store.sign({ sha256, digest, hash: Buffer.from(task.hash, 'base64') }, pin);
    keeper.markUsed();
    output.print(`Signed a hash at ${new Date().toISOString()}.`);
    return { outcome: 'signed', signature: signature.toString('base64') };
  } catch (error) {
    if (error instanceof PinRejected) {
      keeper.markRejected();
      output.printError(error.message);
      return { outcome: 'not-cached' };
    }
    if (!(error instanceof KeyUnusable)) throw error;
    output.printError(`A hash was not signed: ${error.message}`);
    return { outcome: 'refused', reason: error.message };
  }
}
