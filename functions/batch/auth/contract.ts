import * as z from 'zod';

export const LoginForm = z
  .object({
    ApiKey: z.string().describe('The operator key.'),
    ReturnUrl: z
      .string()
      .optional()
      .describe(
        "Where to go then: a path below the service's base URL. Anything else becomes the base URL's `/`.",
      ),
  })
  .meta({
    description: 'The form of a login.',
    examples: [{ ApiKey: 'the-operator-key', ReturnUrl: '/scalar/v1' }],
  });
