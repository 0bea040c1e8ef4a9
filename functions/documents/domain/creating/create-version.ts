import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { NewVersion } from '../../contract/create-document.ts';
import { errors } from '../../errors.ts';
import { storing } from '../billing/usage.ts';
import { changeDocument } from '../document/change-document.ts';
import { authorOf, type Document, findLocatedDocument, isExpired } from '../document/document.ts';
import { planFlow, requireMarkedFiles, startFlow } from '../flow/new-flow.ts';
import { taskMessage } from '../tasks.ts';
import { takingUploads } from '../uploads/take-or-collect.ts';
import { cancelingCollection, removingUpload } from '../uploads/upload.ts';
import { inspectFile } from './new-document.ts';

/** Replaces the file of a document. Its flow begins again, and earlier signatures are lost. */
export const createVersion = (
  caller: Caller,
  id: string,
  { file, flowActions, disablePendingActionNotifications }: z.output<typeof NewVersion>,
  nowMs: number,
) =>
  retryOnConflict(async () => {
    const { document, location } = await findLocatedDocument(caller, id);
    if (isExpired(document, nowMs)) throw errors.refuse('InvalidExpirationDate');
    const { organizationId, original: old, signed, forceCadesSignature } = document;
    const taken = await takingUploads([file.id], organizationId);
    const { original, format } = inspectFile(file, taken.uploads, forceCadesSignature);
    const round = document.round + 1;
    const planned = flowActions ? planFlow(flowActions, organizationId) : document.flow;
    if (flowActions) requireMarkedFiles(planned, [file.id]);
    const removed = [old.key, ...(signed ? [signed.key] : [])];
    await changeDocument(document, {
      event: 'versioned',
      patch: {
        original,
        format,
        name: file.displayName ?? document.name,
        signed: null,
        round,
        flow: startFlow(planned, id, round, nowMs),
        statusUpdatedBy: authorOf(caller),
        statusUpdateReason: null,
        ...silenceOf(document, disablePendingActionNotifications),
      },
      location,
      also: [
        ...taken.writes,
        ...cancelingCollection(original.key),
        ...removingUpload(old.key),
        taskMessage({ task: 'removeFiles', keys: removed }),
        storing(organizationId, original.size - old.size - (signed?.size ?? 0)),
      ],
      nowMs,
    });
  });

/** The messages of the new round. A flag that is left out keeps those of the round before; none at all stay none. */
const silenceOf = (
  { silence }: Document,
  isPendingOff: boolean | null | undefined,
): Pick<Document, 'silence'> | object =>
  silence === 'all' || isPendingOff == null ? {} : { silence: isPendingOff ? 'pending' : undefined };
