/** What a later save did to a signed document. */
export type ChangeKind =
  | 'signature'
  | 'document-timestamp'
  | 'signature-field'
  | 'form-filling'
  | 'annotation'
  | 'validation-data'
  | 'metadata'
  | 'modification';

export type Change = {
  readonly kind: ChangeKind;
  /** Whether the signers before it allow such a change. A modification never is. */
  readonly allowed: boolean;
  /** A sentence for a person. */
  readonly what: string;
  readonly field?: string;
};

export const modification = (what: string): Change => ({ kind: 'modification', allowed: false, what });

const MAX_CHANGES = 100; // a rewritten file differs in every object; the first ones tell the story

/** A list that holds each change once. */
export function createChangeList() {
  const changes = new Map<string, Change>();
  return {
    add: (change: Change): void => {
      if (changes.size < (change.allowed ? MAX_CHANGES : 2 * MAX_CHANGES))
        changes.set(`${change.kind} ${change.what}`, change);
    },
    // What is not allowed comes first, or changes that are could push it out of the list.
    all: (): Change[] =>
      [...changes.values()].toSorted((a, b) => Number(a.allowed) - Number(b.allowed)).slice(0, MAX_CHANGES),
  };
}
