/** The kind of change that a later save made to a signed document. */
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
  /** Whether the earlier signers allow it. A modification is never allowed. */
  readonly allowed: boolean;
  /** A sentence for a person. */
  readonly what: string;
  readonly field?: string;
};

export const modification = (what: string): Change => ({ kind: 'modification', allowed: false, what });

const MAX_CHANGES = 100; // a rewritten file differs in every object; the first ones are enough

/** A list with each change once. */
export function createChangeList() {
  const changes = new Map<string, Change>();
  return {
    add: (change: Change): void => {
      if (changes.size < (change.allowed ? MAX_CHANGES : 2 * MAX_CHANGES))
        changes.set(`${change.kind} ${change.what}`, change);
    },
    // Changes that are not allowed come first: many allowed ones must not push them off the list.
    all: (): Change[] =>
      [...changes.values()].toSorted((a, b) => Number(a.allowed) - Number(b.allowed)).slice(0, MAX_CHANGES),
  };
}
