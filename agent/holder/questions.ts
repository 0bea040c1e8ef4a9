import { randomUUID } from 'node:crypto';

/** Why the holder is asked for the PIN. */
export type Reason =
  /** Somebody wants to open a session. */
  | { readonly kind: 'request'; readonly application: string }
  /** Documents are to be signed, these and no others. */
  | {
      readonly kind: 'signature';
      /** Who asks the holder, and the application that asks the server. */
      readonly requester: string;
      readonly application: string;
      /** With the first bytes of each hash, which the page that asks shows too. */
      readonly documents: readonly { readonly name: string; readonly code: string }[];
    }
  /** The certificate is new to this agent, which must prove that it can sign with it. */
  | { readonly kind: 'first-use' };

export type Question = {
  readonly id: string;
  readonly reason: Reason;
  /** Whose certificate it is, where that is known. */
  readonly holder: string | undefined;
  /** From then on nobody waits for the answer. */
  readonly endsAtMs: number | undefined;
};

/** `pin-blocked`: too many wrong PINs, so that none may be tried now. */
export type Answer = 'accepted' | 'declined' | 'timed-out' | 'pin-blocked' | 'impossible' | 'withdrawn';

type Open = { readonly question: Question; readonly settle: (answer: Answer) => void };

/** The questions that wait for the holder. The page and the terminal show them, and the first answer counts. */
export function openQuestions() {
  const open = new Map<string, Open>();
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const settle = (id: string, answer: Answer): boolean => {
    const found = open.get(id);
    if (!found || !open.delete(id)) return false;
    found.settle(answer);
    notify();
    return true;
  };

  return {
    settle,
    /** The oldest first. */
    list: (): Question[] => [...open.values()].map(({ question }) => question),
    settleAll(answer: Answer, which: (question: Question) => boolean = () => true): void {
      for (const { question } of [...open.values()]) if (which(question)) settle(question.id, answer);
    },
    /** The listener is called when a question comes or goes. */
    onChange(listener: () => void): void {
      listeners.add(listener);
    },
    /** Waits for the holder's answer. The signal withdraws the question. */
    async ask(question: Omit<Question, 'id'>, signal?: AbortSignal): Promise<Answer> {
      const id = randomUUID();
      const { promise, resolve } = Promise.withResolvers<Answer>();
      open.set(id, { question: { ...question, id }, settle: resolve });
      const leftMs = question.endsAtMs === undefined ? undefined : question.endsAtMs - Date.now();
      const timer = leftMs === undefined ? undefined : setTimeout(() => settle(id, 'timed-out'), leftMs);
      const withdraw = () => settle(id, 'withdrawn');
      signal?.addEventListener('abort', withdraw);
      if (signal?.aborted) withdraw();
      notify();
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', withdraw);
      }
    },
  };
}
