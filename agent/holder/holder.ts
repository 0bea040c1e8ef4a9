import type { Certificate } from '../../shared/pki/certificate/certificate.ts';
import type { PinKeeper, TypeResult } from '../pin-keeper.ts';
import { type Answer, openQuestions, type Question } from './questions.ts';

export type Holder = ReturnType<typeof holderOf>;

/**
 * The person at the workstation: questions to them, and their answers.
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
    /** Called by the page and by the terminal once they can show questions. */
    addInterface(): void {
      interfaces += 1;
    },
    /** `impossible` where nobody can be asked, or no PIN may be tried now. */
    async ask(question: Omit<Question, 'id'>, signal?: AbortSignal): Promise<Answer> {
      if (interfaces === 0 || keeper.restsUntilMs() !== undefined) return 'impossible';
      return questions.ask(question, signal);
    },
    /** Takes a PIN from the page or the terminal. One PIN answers all open questions. */
    async type(pin: string): Promise<TypeResult> {
      const typed = await keeper.type(pin);
      if (typed.kind === 'accepted') {
        onUnlocked(typed.certificates);
        questions.settleAll('accepted');
      } else if (typed.kind !== 'rejected' || keeper.restsUntilMs() !== undefined) {
        // Requests that cannot succeed are answered at once.
        questions.settleAll('impossible', ({ reason }) => reason.kind === 'request');
      }
      return typed;
    },
    decline: (id: string): boolean => questions.settle(id, 'declined'),
  };
}
