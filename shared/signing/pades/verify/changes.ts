/** The kind of change that a later save made to a signed document. */
export type ChangeKind =
  | 'signature'
  | 'covering-signature'
  | 'document-timestamp'
  | 'signature-field'
  | 'form-filling'
  | 'annotation'
  | 'overlay'
  | 'validation-data'
  | 'metadata'
  | 'modification';

export type Change = {
  readonly kind: ChangeKind;
  /**
   * Whether the earlier signers allow it. A modification is never allowed. An overlay is, and may hide content or show
   * another: only a person can tell. A covering signature may too, and its signer answers for it.
   */
  readonly allowed: boolean;
  /** A sentence for a person. */
  readonly what: string;
  readonly field?: string;
};

export const modification = (what: string): Change => ({ kind: 'modification', allowed: false, what });

const MAX_CHANGES = 100; // a rewritten file differs in every object; the first ones are enough

// Many harmless changes must not push a grave one off the list, so each degree has room of its own.
const TO_COMPARE: readonly ChangeKind[] = ['overlay', 'covering-signature'];
const gravityOf = ({ kind, allowed }: Change): number => (allowed ? (TO_COMPARE.includes(kind) ? 1 : 0) : 2);

/** A list with each change once, the gravest first. */
export function createChangeList() {
  const changes = new Map<string, Change>();
  return {
    add: (change: Change): void => {
      if (changes.size < (gravityOf(change) + 1) * MAX_CHANGES)
        changes.set(`${change.kind} ${change.what}`, change);
    },
    all: (): Change[] =>
      [...changes.values()].toSorted((a, b) => gravityOf(b) - gravityOf(a)).slice(0, MAX_CHANGES),
  };
}
