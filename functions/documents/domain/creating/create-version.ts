import type { Caller } from '../../../../shared/access/caller.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { NewVersion } from '../../contract/create-document.ts';
import { errors } from '../../errors.ts';
import { storing } from '../billing/usage.ts';
import { changeDocument } from '../document/change-document.ts';
import { authorOf, type Document, findLocatedDocument, isExpired } from '../document/document.ts';
import { actionNotAwaited } from '../flow/actions.ts';
import { type Flow, marksIn } from '../flow/flow.ts';
import { planFlow, requireMarkedFiles, startFlow } from '../flow/new-flow.ts';
import { taskMessage } from '../tasks.ts';
import { takingUploads } from '../uploads/take-or-collect.ts';
import { cancelingCollection, removingUpload } from '../uploads/upload.ts';
import { type FillOptions, fillFiles } from './fill-files.ts';
import { inspectFile } from './new-document.ts';

/** Replaces the file of a document. Its flow begins again, and earlier signatures are lost. */
export const createVersion = (
  caller: Caller,
  id: string,
  request: NewVersion,
  nowMs: number,
  filling: Partial<FillOptions> = {},
) =>
  retryOnConflict(async () => {
    const { document, location } = await findLocatedDocument(caller, id);
    if (isExpired(document, nowMs)) throw errors.refuse('InvalidExpirationDate');
    const { organizationId, original: old, signed, forceCadesSignature } = document;
    const { file, additionalInfo, disablePendingActionNotifications } = request;
    const planned = planNext(document, request);
    const taken = await takingUploads([file.id], organizationId);
    const options = { now: () => nowMs, deadlineAtMs: nowMs + FILLING_MS, ...filling };
    const filled = await fillFiles([...taken.uploads.values()], additionalInfo, options);
    const uploads = new Map([...taken.uploads, ...filled.uploads]);
    const { original, format } = inspectFile(file, uploads, forceCadesSignature);
    const round = document.round + 1;
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
        ...(additionalInfo && { additionalInfo }),
        statusUpdatedBy: authorOf(caller),
        statusUpdateReason: null,
        ...silenceOf(document, disablePendingActionNotifications),
      },
      location,
      also: [
        ...taken.writes,
        ...filled.writes,
        ...cancelingCollection(original.key),
        ...removingUpload(old.key),
        taskMessage({ task: 'removeFiles', keys: removed }),
        storing(organizationId, original.size - old.size - (signed?.size ?? 0)),
      ],
      nowMs,
    });
  });

// A call whose endpoint says nothing of its deadline has this long to fill its file.
const FILLING_MS = 20_000;

/** The flow of the next round: another one, or the same with other marks where they are given. */
function planNext(
  { flow, organizationId }: Document,
  { file, flowActions, prePositionedMarks }: NewVersion,
): Flow {
  const given = new Map(
    prePositionedMarks?.map((each) => [each.flowActionId, each.prePositionedDocumentMarks ?? []]),
  );
  const unknown = [...given.keys()].find((id) => flowActions || !flow.some((action) => action.id === id));
  if (unknown !== undefined) throw actionNotAwaited(flowActions ? [] : flow, { flowActionId: unknown });
  const planned = flowActions
    ? planFlow(flowActions, organizationId)
    : flow.map((action) => ({ ...action, marks: given.get(action.id) ?? marksIn(action) }));
  // Marks of the round before may name the file that is replaced.
  if (flowActions) requireMarkedFiles(planned, [file.id]);
  else for (const marks of given.values()) requireMarkedFiles([{ marks }], [file.id]);
  return planned;
}

/** The messages of the new round. A flag that is left out keeps those of the round before; none at all stay none. */
const silenceOf = (
  { silence }: Document,
  isPendingOff: boolean | null | undefined,
): Pick<Document, 'silence'> | object =>
  silence === 'all' || isPendingOff == null ? {} : { silence: isPendingOff ? 'pending' : undefined };
