import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { NewVersion } from '../../contract/create-document.ts';
import { errors } from '../../errors.ts';
import { storing } from '../billing/usage.ts';
import { changeDocument } from '../document/change-document.ts';
import { agentOf, findDocument, isOver } from '../document/document.ts';
import { begun, plannedFlow } from '../flow/new-flow.ts';
import { doing } from '../tasks.ts';
import { takingUploads } from '../uploads/take-or-collect.ts';
import { signable } from './new-document.ts';

/** Puts another file in a document's place. Its flow begins again, and what was signed before is gone. */
export const newVersion = (
  id: string,
  { file, flowActions }: z.output<typeof NewVersion>,
  caller: Caller,
  nowMs: number,
) =>
  retryOnConflict(async () => {
    const document = await findDocument(id, caller);
    if (isOver(document, nowMs)) throw errors.refuse('InvalidExpirationDate');
    const { organizationId, original: old, signed, forceCadesSignature } = document;
    const taken = await takingUploads([file.id], organizationId);
    const { original, format } = await signable(file, taken.uploads, forceCadesSignature);
    const round = document.round + 1;
    const planned = flowActions ? plannedFlow(flowActions, organizationId) : document.flow;
    const removed = [old.key, ...(signed ? [signed.key] : [])];
    await changeDocument(document, {
      event: 'versioned',
      patch: {
        original,
        format,
        name: file.displayName ?? document.name,
        signed: null,
        round,
        flow: begun(planned, id, round, nowMs),
        statusUpdatedBy: agentOf(caller),
        statusUpdateReason: null,
      },
      also: [
        ...taken.writes,
        doing({ task: 'removeFiles', keys: removed }),
        storing(organizationId, original.size - old.size - (signed?.size ?? 0)),
      ],
      nowMs,
    });
  });
