import * as z from 'zod';
import { mayBeEmpty } from '../../../shared/http/query.ts';

export const CultureQuery = z
  .object({
    culture: mayBeEmpty(z.string().optional().describe('`en-US` or `pt-BR`, in any case.')),
    redirectUri: mayBeEmpty(
      z
        .string()
        .optional()
        .describe(
          "Where to go then: a path below the service's base URL. Anything else becomes the base URL's `/`.",
        ),
    ),
  })
  .meta({
    description: 'The language of the pages.',
    examples: [{ culture: 'pt-BR', redirectUri: '/jobs?page=2' }],
  });
