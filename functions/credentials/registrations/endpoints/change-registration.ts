import { ChangeRegistration } from '../contract.ts';
import { changeRegistration } from '../domain/change-registration.ts';
import { registrationRoutes } from '../routes.ts';

export const handler = registrationRoutes.change({
  description:
    'Accepts, approves, rejects, registers or cancels a request; the emission that it came of changes with it. `registered` hands the `diploma` to the signers of the institute, and gives the issuer a degree. A refusal names the present status.',
  events: ['accepted', 'approved', 'rejected', 'registered', 'canceled'],
  body: ChangeRegistration,
  takesFiles: true,
  refuses: [
    'CancellationReasonMismatch',
    'InstituteNotFound',
    'OrganizationKindMismatch',
    'SignersRequired',
    'InvalidXml',
    'TooManyFiles',
  ],
  run: (caller, id, { event, body }, nowMs) => changeRegistration(caller, id, { event, ...body }, nowMs),
});
