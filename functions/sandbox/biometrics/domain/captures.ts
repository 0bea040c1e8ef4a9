import { createHash, randomUUID } from 'node:crypto';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import { collection } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { keyedItems } from '../../../../shared/store/keyed-items.ts';
import { AlreadyExists } from '../../../../shared/store/refusals.ts';

/** A try that an application has begun. No picture of it is kept. */
type Capture = {
  readonly capture: string;
  readonly subject: string | null;
  /** Whether it is the first try of the subject. */
  readonly isFirst: boolean;
  readonly face: string;
  readonly endsAtMs: number;
};

const LIFE_MS = 3_600_000;
const FRAMES = 5;

const captures = collection<Capture, string>({
  service: 'sandbox',
  name: 'capture',
  id: ({ capture }) => capture,
  key: (capture) => ({ pk: `CAPTURE#${capture}`, sk: 'CAPTURE' }),
  indexed: ({ endsAtMs }) => ({ ttl: Math.ceil(endsAtMs / 1000) }),
});

const firstTries = keyedItems<{ readonly capture: string }, string>({
  service: 'sandbox',
  key: (subject) => ({ pk: `FIRST_CAPTURE#${subject}`, sk: 'FIRST_CAPTURE' }),
});

export async function beginCapture(subject: string | null, nowMs: number) {
  const { face } = requestedOutcome(subject);
  const capture = randomUUID();
  const isFirst = subject === null || (await claimFirst(subject, capture));
  await captures.create({ capture, subject, isFirst, face, endsAtMs: nowMs + LIFE_MS });
  return { capture, frames: FRAMES };
}

const claimFirst = (subject: string, capture: string): Promise<boolean> =>
  commit([
    firstTries.putting(subject, { capture }, { when: 'no item', refusal: () => new AlreadyExists() }),
  ]).then(() => true, ifThrown(AlreadyExists, false));

/** The face that a try saw, if it was one. */
export const faceIn = async (capture: string): Promise<string | undefined> =>
  (await captures.get(capture))?.face;

type Taken = {
  readonly capture: string;
  readonly frames: readonly string[];
  readonly document?: string | undefined;
};

/** Gives the outcome that the subject requests, and otherwise judges by whether there are pictures that differ. */
export async function judgeCapture({ capture, frames, document }: Taken) {
  const begun = await captures.get(capture);
  if (!begun) return { verdict: 'captureFailed' };
  const { fault, isOnce } = requestedOutcome(begun.subject);
  const isRequested = fault !== undefined && (!isOnce || begun.isFirst);
  if (fault === 'otherPerson' && isRequested && document)
    return { verdict: fault, document: { matchedFace: false, level: OTHER_PERSON_LEVEL } };
  const verdict = isRequested ? fault : judgeFrames(frames);
  return { verdict, ...(verdict === 'live' && document && { document: { matchedFace: true, level: 99 } }) };
}

const OTHER_PERSON_LEVEL = 12;
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

// A still picture before the camera gives the same frame again and again; a person never does.
function judgeFrames(frames: readonly string[]): string {
  const pictures = frames.map((frame) => Buffer.from(frame, 'base64'));
  if (pictures.length < FRAMES || !pictures.every((each) => each.subarray(0, 3).equals(JPEG)))
    return 'captureFailed';
  const hashes = pictures.map((each) => createHash('sha256').update(each).digest('hex'));
  return new Set(hashes).size > 1 ? 'live' : 'notLive';
}

/** The outcome of a try that the identifier of its subject requests. */
type RequestedOutcome = {
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
function requestedOutcome(subject: string | null): RequestedOutcome {
  const tags = (subject ?? '').replace(/@.*$/, '').split('+').slice(1);
  const faults = tags.map((tag) => ({
    fault: FAULTS[tag.replace(/-once$/, '')],
    isOnce: tag.endsWith('-once'),
  }));
  const { fault, isOnce = false } = faults.find((each) => each.fault !== undefined) ?? {};
  const face = tags.find((tag) => tag.startsWith('face-')) ?? subject ?? 'nobody';
  return { fault, isOnce, face };
}
