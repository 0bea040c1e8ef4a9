import { ChangeEmission } from '../contract.ts';
import { changeEmission } from '../domain/change-emission.ts';
import { emissionRoutes } from '../routes.ts';

export const handler = emissionRoutes.change({
  description:
    'Sends a signed emission to a registrar (`sentToRegistry`), again when its request was rejected or canceled, or cancels it with its open request (`canceled`). A refusal names the present status.',
  events: ['sentToRegistry', 'canceled'],
  body: ChangeEmission,
  refuses: ['RegistrarNotFound'],
  run: (caller, id, { event, body }, nowMs) => changeEmission(caller, id, { event, ...body }, nowMs),
});
