import type { Caller } from '../../../../../shared/access/caller.ts';
import type { Line } from '../../../../../shared/lines/split-lines.ts';
import { type LineError, type LineRun, workLine } from '../../../../../shared/lines/work-line.ts';
import type { gatherMessages } from '../../../../../shared/queue/outbox.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { AlreadyExists } from '../../../../../shared/store/refusals.ts';
import { errors } from '../../../errors.ts';
import { items } from '../../../items/domain/item.ts';
import { settings } from '../../../settings.ts';
import { ORGANIZATIONS_OF } from '../../../tenants/domain/organization.ts';
import { type CreateDegreeRequest, preparingDegree } from '../../domain/degrees.ts';
import { type DegreeBatch, degreeIdOf } from './batch.ts';

/** What the lines of one run share. */
export type LineContext = {
  /** Reads a line by the contract. Throws the Refusal of one that is no degree. */
  readonly readLine: (bytes: Buffer) => CreateDegreeRequest;
  readonly messages: ReturnType<typeof gatherMessages>;
};

/** Creates the degree of a line, once. Answers the reason where the line is refused. */
export const createLine = (
  { readLine, messages }: LineContext,
  batch: DegreeBatch,
  line: Line,
  run: LineRun,
): Promise<LineError | undefined> =>
  workLine(
    line,
    {
      batchId: batch.id,
      read: (each) => readLine(requireBytes(each)),
      make: (request) => createOnce({ batch, messages, now: run.now }, line, request),
      unexpected: () => errors.refuse('UnexpectedError'),
    },
    run,
  );

function requireBytes({ bytes }: Line): Buffer {
  if (bytes) return bytes;
  const reason = `is longer than ${settings['Batches:MaxLineBytes']} bytes`;
  throw errors.refuse('InvalidFields', { field: 'line', reason });
}

type CreateContext = Pick<LineContext, 'messages'> &
  Pick<LineRun, 'now'> & {
    readonly batch: Pick<DegreeBatch, 'id' | 'application' | 'person' | 'scope' | 'createdAtMs'>;
  };

async function createOnce(
  { batch, messages, now }: CreateContext,
  { number }: Line,
  request: CreateDegreeRequest,
): Promise<void> {
  const id = degreeIdOf(batch.id, number);
  // Degrees that are created alone do not wait in the queue behind those of a large batch.
  const paceMs = 1000 / settings['Batches:HandOversPerSecond'];
  const dueAtMs = Math.ceil(batch.createdAtMs + number * paceMs);
  const handOverAtMs = dueAtMs > now() ? dueAtMs : undefined;
  try {
    const { degree, others } = await preparingDegree(callerOf(batch), request, now(), { id, handOverAtMs });
    await commit(messages.gathering([degree, ...others].flatMap(({ writes }) => writes)));
  } catch (error) {
    // An earlier run of this line created it. Otherwise its random verification code is taken, and the next is not.
    const isCreated = error instanceof AlreadyExists && (await items.get({ kind: 'degree', id }));
    if (!isCreated) throw error;
  }
}

/** Who sent the batch, with the scope of that time. What institutes are is looked up now. */
const callerOf = ({ application, person, scope }: CreateContext['batch']): Caller => ({
  ...{ application, keyId: '', permissions: [], ...(person && { person }) },
  registered: { [ORGANIZATIONS_OF]: scope },
});
