import type { Certificate } from '../../shared/pki/certificate/certificate.ts';
import type { PinKeeper, Typed } from '../pin-keeper.ts';
import { type Answer, openQuestions, type Question } from './questions.ts';

export type Holder = ReturnType<typeof holderOf>;

/**
 * The person at the workstation: what they are asked, and what they answer.
 * @example const answer = await holder.ask({ reason, holder: 'ANA', endsAtMs }, signal);
 */
export function holderOf(
  keeper: PinKeeper,
  { onUnlocked }: { readonly onUnlocked: (certificates: readonly Certificate[]) => void },
) {
  const questions = openQuestions();
  let interfaces = 0;

  return {
    questions,
    /** The page or the terminal can be seen. */
    reachable(): void {
      interfaces += 1;
    },
    /** `impossible` where nobody can be asked, or what they would type may not be tried. */
    async ask(question: Omit<Question, 'id'>, signal?: AbortSignal): Promise<Answer> {
      if (interfaces === 0 || keeper.restsUntilMs() !== undefined) return 'impossible';
      return questions.ask(question, signal);
    },
    /** What the holder typed, on the page or in the terminal. One PIN answers every question that is open. */
    async type(pin: string): Promise<Typed> {
      const typed = await keeper.type(pin);
      if (typed.kind === 'accepted') {
        onUnlocked(typed.certificates);
        questions.settleAll('accepted');
      } else if (typed.kind !== 'rejected' || keeper.restsUntilMs() !== undefined) {
        // Who waits elsewhere is not kept waiting for what cannot be.
        questions.settleAll('impossible', ({ reason }) => reason.kind === 'request');
      }
      return typed;
    },
    decline: (id: string): boolean => questions.settle(id, 'declined'),
  };
}
