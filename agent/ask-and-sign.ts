import { displayName } from '../shared/pki/findings/display.ts';
import { codeOf } from '../shared/ways/code.ts';
import type { AgentTask, TaskResult } from '../shared/workstation/messages.ts';
import { KeyUnusable, PinRejected } from './keys/key-store.ts';
import type { Parts } from './parts.ts';

type Question = Extract<AgentTask, { kind: 'ask-and-sign' }>;

// Control characters end lines and move the cursor of a terminal; bidirectional ones show a name in another order.
const UNSHOWABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/gu;

/** A text of others as the holder can be shown it. @example showable('a\u001b[2Jb') // 'a\ufffd[2Jb' */
export const showable = (text: string): string => text.replace(UNSHOWABLE, '\ufffd');

// Replay: a question is answered once, whatever the server hands out. Ids begin with their time, and a question lasts
// some minutes.
const MAX_REMEMBERED = 1_000;
const answered = new Set<string>();

function isFirst(id: string): boolean {
  if (answered.has(id)) return false;
  const [oldest] = answered;
  if (answered.size >= MAX_REMEMBERED && oldest !== undefined) answered.delete(oldest);
  answered.add(id);
  return true;
}

/**
 * Shows the holder what is to be signed, and signs those hashes with the PIN that they type for it. A PIN in use answers
 * no such question, and a PIN that was not in use before is forgotten afterwards.
 */
export async function askAndSign(
  parts: Parts,
  task: Question,
  signal: AbortSignal,
): Promise<TaskResult | undefined> {
  const { holder, keeper, registrar, output } = parts;
  if (!isFirst(task.id)) return { outcome: 'refused', reason: 'The question was answered before.' };
  const certificate = registrar.held().find(({ sha256 }) => sha256 === task.sha256);
  if (!certificate) return { outcome: 'impossible' };
  const wasInUse = keeper.inUse() !== undefined;
  const documents = task.documents.map(({ name, hash }) => ({
    name: showable(name),
    hash: Buffer.from(hash, 'base64'),
  }));
  const answer = await holder.ask(
    {
      reason: {
        kind: 'signature',
        requester: showable(task.requester),
        application: showable(task.application),
        documents: documents.map(({ name, hash }) => ({ name, code: codeOf(hash) })),
      },
      holder: displayName(certificate),
      endsAtMs: Date.now() + task.remainingMs,
    },
    signal,
  );
  if (answer === 'withdrawn') return undefined;
  if (answer !== 'accepted') return { outcome: answer };
  try {
    const signatures = await signAll(parts, task, documents);
    output.print(`Signed ${signatures.length} document(s) for ${showable(task.requester)}.`);
    return { outcome: 'signed', signatures };
  } catch (error) {
    if (!(error instanceof KeyUnusable) && !(error instanceof PinRejected)) throw error;
    output.printError(`Nothing was signed: ${error.message}`);
    return { outcome: 'refused', reason: error.message };
  } finally {
    if (!wasInUse) keeper.forget();
  }
}

async function signAll(
  { keeper, store }: Parts,
  { sha256, digest }: Question,
  documents: readonly { readonly hash: Buffer }[],
): Promise<string[]> {
  const signatures: string[] = [];
  for (const { hash } of documents) {
    const pin = keeper.inUse();
    if (pin === undefined) throw new KeyUnusable('The token was taken out.');
    signatures.push((await store.sign({ sha256, digest, hash }, pin)).toString('base64'));
  }
  return signatures;
}
