import { CancelCurriculum } from '../contract.ts';
import { cancelCurriculum } from '../domain/curriculums.ts';
import { curriculumRoutes } from '../routes.ts';

export const handler = curriculumRoutes.change({
  description: 'Cancels a curriculum (`canceled`). A refusal names the present status.',
  events: ['canceled'],
  body: CancelCurriculum,
  run: (caller, id, { body }, nowMs) => cancelCurriculum(caller, id, body.reason, nowMs),
});
