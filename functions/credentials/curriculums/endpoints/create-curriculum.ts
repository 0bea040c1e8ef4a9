import { CreateCurriculum } from '../contract.ts';
import { createCurriculum } from '../domain/curriculums.ts';
import { curriculumRoutes } from '../routes.ts';

export const handler = curriculumRoutes.create({
  description:
    'Of an organization that issues. Its file, `curriculum`, goes to the signers of the institute; it is concluded when they have signed.',
  body: CreateCurriculum,
  refuses: ['InstituteNotFound', 'OrganizationKindMismatch', 'SignersRequired', 'InvalidXml', 'TooManyFiles'],
  run: (caller, _, body, nowMs) => createCurriculum(caller, body, nowMs),
});
