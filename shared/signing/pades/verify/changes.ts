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

const MOST_TOLD = 100; // a rewritten file differs in every object; the first ones tell the story

/** A list that holds each change once. */
export function changeList() {
  const told = new Map<string, Change>();
  return {
    add: (change: Change): void => {
      if (told.size < MOST_TOLD || !change.allowed) told.set(`${change.kind} ${change.what}`, change);
    },
    all: (): Change[] => [...told.values()].slice(0, MOST_TOLD),
  };
}
