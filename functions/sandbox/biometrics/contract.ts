import * as z from 'zod';

// Ten frames and a picture of a document.
const MAX_PICTURES = 10;
const picture = z.base64();
const capture = z.string().max(100);
const gallery = z.string().min(1).max(64);

/** The requests to a biometric provider, all at one address. docs/biometrics.md describes each. */
export const BiometricQuestion = z.discriminatedUnion('operation', [
  z.object({ operation: z.literal('begin'), subject: z.string().nullable() }),
  z.object({
    operation: z.literal('judge'),
    capture,
    frames: z.array(picture).max(MAX_PICTURES),
    document: picture.optional(),
  }),
  z.object({ operation: z.literal('search'), capture, gallery }),
  z.object({ operation: z.literal('enrol'), capture, gallery, subjectId: z.uuid() }),
  z.object({ operation: z.literal('list'), gallery }),
  z.object({ operation: z.literal('forget'), gallery, face: z.string() }),
]);

export const BiometricAnswer = z.union([
  z.object({ capture: z.string(), frames: z.int() }),
  z.object({
    verdict: z.string(),
    document: z.object({ matchedFace: z.boolean(), level: z.number() }).optional(),
  }),
  z.object({ subjects: z.array(z.string()) }),
  z.object({ face: z.string() }),
  z.object({ faces: z.array(z.object({ face: z.string(), subjectId: z.string() })) }),
  z.object({}),
]);
