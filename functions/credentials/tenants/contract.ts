import * as z from 'zod';
import { Id, INSTITUTE_ID, REGISTRAR_INSTITUTE_ID, SUBSCRIPTION_ID } from '../items/shapes.ts';

export const InstitutesQuery = z.object({
  subscriptionId: Id.optional().describe("The organization. Without it the key's first one."),
});

const Registrar = z.object({
  id: z.string(),
  name: z.string(),
  emecCode: z.string().describe('Its code at e-MEC, which begins its verification codes.'),
});

const Institute = Registrar.extend({
  subscriptionId: z.string().describe('The organization.'),
  signers: z
    .array(z.object({ name: z.string(), email: z.string(), step: z.int() }))
    .describe('The people who sign its files. Nothing can be created while there are none.'),
});

export const Institutes = z.object({ institutes: z.array(Institute) }).meta({
  description: 'The institutes of an organization, by name.',
  examples: [
    {
      institutes: [
        {
          ...{ id: INSTITUTE_ID, name: 'Universidade Exemplo', emecCode: '1234' },
          subscriptionId: SUBSCRIPTION_ID,
          signers: [{ name: 'Ana Souza', email: 'ana@universidade.example', step: 1 }],
        },
      ],
    },
  ],
});

export const Registrars = z.object({ registrars: z.array(Registrar) }).meta({
  description: 'The institutes that register, of all organizations, by name.',
  examples: [
    { registrars: [{ id: REGISTRAR_INSTITUTE_ID, name: 'Universidade Registradora', emecCode: '567' }] },
  ],
});
