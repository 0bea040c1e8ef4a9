import { CreateEmission } from '../contract.ts';
import { createEmission } from '../domain/emissions.ts';
import { emissionRoutes } from '../routes.ts';

export const handler = emissionRoutes.create({
  description:
    'Of an organization that issues. Its file, `academic-documentation`, goes to the signers of the institute; signed, it can be sent to a registrar.',
  body: CreateEmission,
  refuses: ['InstituteNotFound', 'OrganizationKindMismatch', 'SignersRequired', 'InvalidXml', 'TooManyFiles'],
  run: (caller, _, body, nowMs) => createEmission(caller, body, nowMs),
});
