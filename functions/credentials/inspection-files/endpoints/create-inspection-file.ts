import { CreateInspectionFile } from '../contract.ts';
import { createInspectionFile } from '../domain/create-inspection-file.ts';
import { inspectionFileRoutes } from '../routes.ts';

export const handler = inspectionFileRoutes.create({
  description:
    'Names the degrees that the institute issued (`Issuer`), or the degrees and requests that it registered (`Registrar`): those that were created in the period and are signed by now. Its XML, `inspection-file`, is written in the background and goes to the signers of the institute. Where that fails, the status becomes `GenerationError` and `details` says why.',
  body: CreateInspectionFile,
  refuses: ['OrganizationKindMismatch', 'SignersRequired', 'InvalidPeriod'],
  run: (caller, institute, body, nowMs) => createInspectionFile(caller, institute.id, body, nowMs),
});
