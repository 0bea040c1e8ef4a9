import * as z from 'zod';
import { parseOrigin } from '../../../../shared/ui/frame-origins.ts';

const MAX_ORIGINS = 20;
const MAX_ORIGIN = 260;

const Origin = z
  .string()
  .max(MAX_ORIGIN)
  .transform((given, context) => {
    const origin = parseOrigin(given);
    if (origin !== undefined) return origin;
    context.addIssue({ code: 'custom', message: 'must be an origin such as https://app.example' });
    return z.NEVER;
  });

export const EmbeddingRequest = z.object({ origins: z.array(Origin).max(MAX_ORIGINS) }).meta({
  description: 'The origins whose pages may show the signing pages of the organization in a frame.',
  examples: [{ origins: ['https://app.example'] }],
});

export const EmbeddingModel = z.object({ origins: z.array(z.string()) }).meta({
  description: 'The origins whose pages may show the signing pages of the organization in a frame.',
  examples: [{ origins: ['https://app.example'] }],
});
