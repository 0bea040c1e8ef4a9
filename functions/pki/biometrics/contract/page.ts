import * as z from 'zod';
import { FAILURES } from './sessions.ts';

/** What the session page and its script say to the server. The token of the session's address stands for a key. */
const token = z.string().max(100);

export const BioPageParams = z.object({ sessionId: z.string().max(36) });
export const BioPageCall = z.object({ token });

// A picture of 1,280 by 960 in JPEG has some 300 KB, and a frame of 640 by 480 some 60.
const MAX_PICTURE_CHARACTERS = 1_400_000;
const MAX_FRAMES = 10;
const picture = z.base64().min(1).max(MAX_PICTURE_CHARACTERS);

export const SubmitCapture = z.object({
  token,
  frames: z.array(picture).max(MAX_FRAMES).default([]),
  document: picture.optional(),
});

export const AbortCapture = z.object({ token, reason: z.enum(['Aborted', 'CameraUnavailable']) });

export const GiveLocation = z.object({
  token,
  device: z.enum(['Capture', 'Origin']),
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  accuracyMeters: z.number().min(0).nullable(),
});

const Capture = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('frames'), frames: z.int().min(1).max(MAX_FRAMES) }),
  z.object({ kind: z.literal('module'), module: z.url(), sessionId: z.string(), region: z.string() }),
]);
export const BegunCapture = z.object({ attemptsLeft: z.int(), capture: Capture });

export const JudgedCapture = z.object({
  outcome: z.enum(['passed', 'again', 'failed']),
  verdict: z.string(),
  failure: z.enum(FAILURES).nullable(),
  attemptsLeft: z.int(),
});

/** Where a session stands, and once it has ended how the person goes on. */
export const BioReturn = z.discriminatedUnion('state', [
  z.object({ state: z.literal('waiting') }),
  z.object({ state: z.literal('completed') }),
  z.object({
    state: z.literal('ended'),
    success: z.boolean(),
    failure: z.enum(FAILURES).nullable(),
    returnUrl: z.string().nullable(),
    trustedOrigin: z.string().nullable(),
    /** None where neither address is registered any more. */
    completeTicket: z.string().nullable(),
  }),
]);
