import { CreateDegree } from '../contract.ts';
import { createDegree } from '../domain/degrees.ts';
import { degreeRoutes } from '../routes.ts';

export const handler = degreeRoutes.create({
  description:
    'Of an organization that issues and registers. Its two files, `diploma` and `academic-documentation`, go to the signers of the institute; it is concluded when both are signed.',
  body: CreateDegree,
  refuses: ['InstituteNotFound', 'OrganizationKindMismatch', 'SignersRequired', 'InvalidXml', 'TooManyFiles'],
  run: (caller, _, body, nowMs) => createDegree(caller, body, nowMs),
});
