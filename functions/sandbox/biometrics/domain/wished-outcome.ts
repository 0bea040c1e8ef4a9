/** What a try is to come to, as its subject's identifier wishes it. */
export type Wished = {
  readonly fault: string | undefined;
  /** Only the first try of the subject. */
  readonly isOnce: boolean;
  /** Whose face is before the camera: everybody has their own, unless they say otherwise. */
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

/** @example wishedFor('ana+not-live-once@example.com') // { fault: 'notLive', isOnce: true, … } */
export function wishedFor(subject: string | null): Wished {
  const tags = (subject ?? '').replace(/@.*$/, '').split('+').slice(1);
  const faults = tags.map((tag) => ({
    fault: FAULTS[tag.replace(/-once$/, '')],
    isOnce: tag.endsWith('-once'),
  }));
  const { fault, isOnce = false } = faults.find((each) => each.fault !== undefined) ?? {};
  const face = tags.find((tag) => tag.startsWith('face-')) ?? subject ?? 'nobody';
  return { fault, isOnce, face };
}
