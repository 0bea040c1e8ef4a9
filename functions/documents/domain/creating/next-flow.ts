import type { NewEnvelopeVersion, NewVersion } from '../../contract/create-document.ts';
import type { Document, Part } from '../document/document.ts';
import { actionNotAwaited } from '../flow/actions.ts';
import { type Flow, type Mark, marksIn } from '../flow/flow.ts';
import { planFlow, requireMarkedFiles } from '../flow/new-flow.ts';
import { marksOnParts, moveMarks, placeMarks } from '../flow/part-marks.ts';

type FlowRequest = Pick<NewVersion, 'flowActions' | 'prePositionedMarks'>;

/** The flow of the next round: another one, or the same with other marks where they are given. */
export function planNext({ flow, organizationId }: Document, { file, ...request }: NewVersion): Flow {
  const given = givenMarks(flow, request, [file.id]);
  if (!request.flowActions)
    return flow.map((action) => ({ ...action, marks: given.get(action.id) ?? marksIn(action) }));
  const planned = planFlow(request.flowActions, organizationId);
  requireMarkedFiles(planned, [file.id]);
  return planned;
}

/** The same for an envelope. Marks that are not given stay on the part at their position, where it has their page. */
export function planNextOfParts(
  { flow, organizationId, parts: before = [] }: Document,
  { files, ...request }: NewEnvelopeVersion,
  parts: readonly Part[],
): Flow {
  const ids = files.map(({ id }) => id);
  const given = givenMarks(flow, request, ids);
  if (!request.flowActions)
    return flow.map((action) => ({
      ...action,
      marks:
        given.get(action.id)?.flatMap((mark) => marksOnParts(mark, parts, 'prePositionedMarks')) ??
        moveMarks(action, before, parts),
    }));
  const planned = planFlow(request.flowActions, organizationId);
  requireMarkedFiles(planned, ids);
  return placeMarks(planned, parts);
}

/** The marks of the request by actions of the round before. Those of that round may name a file that is replaced. */
function givenMarks(
  flow: Flow,
  { flowActions, prePositionedMarks }: FlowRequest,
  uploadIds: readonly string[],
): ReadonlyMap<string, readonly Mark[]> {
  const given = new Map<string, readonly Mark[]>(
    prePositionedMarks?.map((each) => [each.flowActionId, each.prePositionedDocumentMarks ?? []]),
  );
  const unknown = [...given.keys()].find((id) => flowActions || !flow.some((action) => action.id === id));
  if (unknown !== undefined) throw actionNotAwaited(flowActions ? [] : flow, { flowActionId: unknown });
  for (const marks of given.values()) requireMarkedFiles([{ marks }], uploadIds);
  return given;
}
