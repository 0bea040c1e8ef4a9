import { CreateCancellationList } from '../contract.ts';
import { createCancellationList } from '../domain/create-cancellation-list.ts';
import { cancellationListRoutes } from '../routes.ts';

export const handler = cancellationListRoutes.create({
  description:
    'Of an organization that registers. Has the next sequence number, and the degrees that the institute registered and that were annulled since its list before, also those that another organization annulled. A degree that was never concluded is on no list. More degrees than one file may have go on to the next list. Its file, `cancellation-list`, goes to the signers of the institute.',
  body: CreateCancellationList,
  refuses: ['OrganizationKindMismatch', 'SignersRequired'],
  run: (caller, institute, body, nowMs) => createCancellationList(caller, institute.id, body, nowMs),
});
