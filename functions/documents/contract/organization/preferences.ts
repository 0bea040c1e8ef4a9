import * as z from 'zod';
import { LANGUAGES } from '../../../../shared/ui/languages.ts';
import { orNull, text } from '../fields.ts';

const MAX_SENTENCE = 500;

const FIELDS = {
  language: orNull(z.enum(LANGUAGES)).describe(
    'Of the mail to participants, and of the pages that its links open. Left out: mail in both, and pages in that of the browser.',
  ),
  mailSentence: orNull(text(MAX_SENTENCE)).describe(
    'A sentence of the organization in every invitation, reminder and notice.',
  ),
  signingWays: z
    .object({
      cloud: z.boolean().default(true).describe('With a certificate at a cloud provider.'),
      token: z.boolean().default(true).describe('With a token or a smart card.'),
      electronic: z.boolean().default(true).describe('Without a certificate, where an action allows it.'),
    })
    .default({ cloud: true, token: true, electronic: true })
    .describe(
      'The ways to sign beside a certificate file. One that the deployment does not offer stays so, whatever is said here.',
    ),
};

const EXAMPLE = {
  language: 'pt-BR',
  mailSentence: 'Dúvidas? Fale com o jurídico: (11) 5555-0100.',
  signingWays: { cloud: true, token: false, electronic: true },
} as const;

export const PreferencesRequest = z.object(FIELDS).meta({
  description:
    'What an organization chooses for the people of its documents. What is left out is as at first.',
  examples: [EXAMPLE],
});

export const PreferencesModel = z
  .object({
    language: z.enum(LANGUAGES).nullable(),
    mailSentence: z.string().nullable(),
    signingWays: z.object({ cloud: z.boolean(), token: z.boolean(), electronic: z.boolean() }),
  })
  .meta({
    description: 'What an organization chooses for the people of its documents.',
    examples: [EXAMPLE],
  });
