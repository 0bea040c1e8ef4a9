/** The outcome of a try that the identifier of its subject requests. */
export type RequestedOutcome = {
  readonly fault: string | undefined;
  /** Only the first try of the subject. */
  readonly isOnce: boolean;
  /** The face before the camera. By default every subject has its own. */
  readonly face: string;
};

// By the word after a plus sign. Such an address is still an e-mail address.
const FAULTS: Readonly<Record<string, string>> = {
  'not-live': 'notLive',
  'no-face': 'noFace',
  'capture-failed': 'captureFailed',
  flat: 'flat',
  'no-document': 'noDocument',
  'other-person': 'otherPerson',
};

/** @example requestedOutcome('ana+not-live-once@example.com') // { fault: 'notLive', isOnce: true, … } */
export function requestedOutcome(subject: string | null): RequestedOutcome {
  const tags = (subject ?? '').replace(/@.*$/, '').split('+').slice(1);
  const faults = tags.map((tag) => ({
    fault: FAULTS[tag.replace(/-once$/, '')],
    isOnce: tag.endsWith('-once'),
  }));
  const { fault, isOnce = false } = faults.find((each) => each.fault !== undefined) ?? {};
  const face = tags.find((tag) => tag.startsWith('face-')) ?? subject ?? 'nobody';
  return { fault, isOnce, face };
}
