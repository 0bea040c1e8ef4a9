import type { Certificate } from '../../shared/pki/certificate/certificate.ts';
import type { PinKeeper, TypeResult } from '../pin-keeper.ts';
import { type Answer, openQuestions, type Question, type Reason } from './questions.ts';

export type Holder = ReturnType<typeof holderOf>;

const isSignature = ({ kind }: Reason): boolean => kind === 'signature';

const blockedOf = ({ reason }: Pick<Question, 'reason'>): Answer =>
  isSignature(reason) ? 'pin-blocked' : 'impossible';

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
    /** `impossible` where nobody can be asked, `pin-blocked` where no PIN may be tried now. */
    async ask(question: Omit<Question, 'id'>, signal?: AbortSignal): Promise<Answer> {
      if (interfaces === 0) return 'impossible';
      if (keeper.restsUntilMs() !== undefined) return blockedOf(question);
      return questions.ask(question, signal);
    },
    /**
     * Takes a PIN from the page or the terminal, typed for the question that it showed. It answers every question for
     * the PIN itself. A question for a signature is answered by the PIN that was typed for it, and by no other: nobody
     * signs a document that they were not shown.
     */
    async type(pin: string, questionId = ''): Promise<TypeResult> {
      const typed = await keeper.type(pin);
      if (typed.kind === 'accepted') {
        onUnlocked(typed.certificates);
        const isOfSignature = questions
          .list()
          .some(({ id, reason }) => id === questionId && isSignature(reason));
        if (isOfSignature) questions.settle(questionId, 'accepted');
        else questions.settleAll('accepted', ({ reason }) => !isSignature(reason));
      } else if (typed.kind !== 'rejected' || keeper.restsUntilMs() !== undefined) {
        // Questions that cannot succeed are answered at once.
        for (const question of questions.list())
          if (question.reason.kind !== 'first-use') questions.settle(question.id, blockedOf(question));
      }
      return typed;
    },
    decline: (id: string): boolean => questions.settle(id, 'declined'),
  };
}
