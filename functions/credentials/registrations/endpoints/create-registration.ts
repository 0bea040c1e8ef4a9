import { CreateRegistration } from '../contract.ts';
import { createRegistration } from '../domain/registrations.ts';
import { registrationRoutes } from '../routes.ts';

export const handler = registrationRoutes.create({
  description:
    'Of an organization that registers, for an issuer that is not here. The requests of emissions come by themselves.',
  body: CreateRegistration,
  refuses: ['InstituteNotFound', 'OrganizationKindMismatch', 'SignersRequired', 'InvalidXml', 'TooManyFiles'],
  run: (caller, _, body, nowMs) => createRegistration(caller, body, nowMs),
});
