import * as z from 'zod';
import { askJson } from '../../../../../shared/net/ask-json.ts';
import { settings } from '../../../settings.ts';
import { type BiometricProvider, PROVIDER_TIMEOUT_MS, ProviderFailure } from './provider.ts';

// Enough for a list of about ten thousand faces.
const MAX_ANSWER_BYTES = 1_048_576;
const MAX_FRAMES = 10;

const FAULTS = ['notLive', 'noFace', 'captureFailed', 'flat', 'noDocument', 'otherPerson'] as const;
const Begun = z.object({ capture: z.string().min(1).max(200), frames: z.int().min(1).max(MAX_FRAMES) });
const Judged = z.object({
  verdict: z.enum(['live', ...FAULTS]),
  document: z.object({ matchedFace: z.boolean(), level: z.number().min(0).max(100) }).optional(),
});
const Found = z.union([
  z.object({ subjects: z.array(z.string()) }),
  z.object({ verdict: z.literal('noFace') }),
]);
const Enrolled = z.union([
  z.object({ face: z.string().min(1).max(200) }),
  z.object({ verdict: z.literal('noFace') }),
]);
const Listed = z.object({ faces: z.array(z.object({ face: z.string(), subjectId: z.string() })) });

/** A provider of the operator's choice: JSON at one address. Its contract is in docs/biometrics.md. */
export const httpProvider = (): BiometricProvider => ({
  name: settings['Biometrics:ProviderName'],
  async begin({ subject }) {
    const { capture, frames } = await ask(Begun, { operation: 'begin', subject });
    return { capture, how: { kind: 'frames', frames } };
  },
  async judge(capture, { frames, document }) {
    const pictures = {
      frames: frames.map((frame) => frame.toString('base64')),
      ...(document && { document: document.toString('base64') }),
    };
    const { verdict, document: compared } = await ask(Judged, { operation: 'judge', capture, ...pictures });
    return { verdict, ...(compared && { document: compared }) };
  },
  async search(capture, gallery) {
    const found = await ask(Found, { operation: 'search', capture, gallery });
    return 'subjects' in found ? found.subjects : found.verdict;
  },
  async enrol(capture, gallery, subjectId) {
    const enrolled = await ask(Enrolled, { operation: 'enrol', capture, gallery, subjectId });
    return 'face' in enrolled ? enrolled.face : enrolled.verdict;
  },
  list: async (gallery) => (await ask(Listed, { operation: 'list', gallery })).faces,
  async forget(gallery, face) {
    await ask(z.object({}), { operation: 'forget', gallery, face });
  },
});

type Question = { readonly operation: string } & Readonly<Record<string, unknown>>;

async function ask<S extends z.ZodType>(shape: S, question: Question): Promise<z.output<S>> {
  const { status, value } = await askJson({
    url: settings['Biometrics:ProviderUrl'] ?? '',
    json: question,
    bearer: settings['Biometrics:ProviderKey'],
    maxBytes: MAX_ANSWER_BYTES,
    timeoutMs: PROVIDER_TIMEOUT_MS,
  }).catch((cause: unknown) => {
    throw new ProviderFailure(`The biometric provider did not answer (${question.operation}).`, { cause });
  });
  if (status !== 200)
    throw new ProviderFailure(`The biometric provider answered ${status} (${question.operation}).`);
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  throw new ProviderFailure(`The answer of the biometric provider cannot be read (${question.operation}).`);
}
