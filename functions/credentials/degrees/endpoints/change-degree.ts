import { ChangeDegree } from '../contract.ts';
import { changeDegree } from '../domain/change-degree.ts';
import { degreeRoutes } from '../routes.ts';

export const handler = degreeRoutes.change({
  description:
    'Annuls a degree (`canceled`), suspends it (`canceledTemporarily`) or restores a suspended one (`restored`). A refusal names the present status.',
  events: ['canceled', 'canceledTemporarily', 'restored'],
  body: ChangeDegree,
  refuses: ['CancellationReasonMismatch'],
  run: (caller, id, { event, body }, nowMs) => changeDegree(caller, id, { event, ...body }, nowMs),
});
