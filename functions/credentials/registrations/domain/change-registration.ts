import type { Caller } from '../../../../shared/access/caller.ts';
import { errors } from '../../errors.ts';
import { changeInScope } from '../../flows/domain/change-by-client.ts';
import { type CommitPart, changingItem } from '../../flows/domain/change-item.ts';
import { requireFields } from '../../flows/domain/require-fields.ts';
import type { EmissionData, RegistrationData } from '../../items/domain/data.ts';
import { actorOf } from '../../items/domain/history.ts';
import { type Item, items } from '../../items/domain/item.ts';
import { KINDS } from '../../items/domain/kinds.ts';
import type { UploadedXml } from '../../items/domain/xml-files.ts';
import { findEmission, followRequest } from './follow-emission.ts';
import { registerRequest } from './register-request.ts';

export type RegistrationChange = {
  readonly event: 'accepted' | 'approved' | 'rejected' | 'registered' | 'canceled';
  /** Why it is rejected or canceled. */
  readonly reason?: string | undefined;
  /** One of the schema's, of a cancellation. Required where it annuls a degree. */
  readonly cancellationReason?: string | undefined;
  /** The client's own `diploma`, of a registration. */
  readonly files?: readonly UploadedXml[] | undefined;
};

/** What the registrar does with a request: the emission that it came of changes in the same commit. */
export async function changeRegistration(
  caller: Caller,
  id: string,
  change: RegistrationChange,
  nowMs: number,
): Promise<Item<RegistrationData>> {
  switch (change.event) {
    case 'registered': {
      const { files } = requireFields(change, [], ['files']);
      return registerRequest(caller, id, files, nowMs);
    }
    case 'canceled': {
      const { reason, cancellationReason = null } = requireFields(change, ['reason'], ['cancellationReason']);
      return step(caller, id, { event: 'canceled', patch: { reason, cancellationReason } }, nowMs);
    }
    case 'rejected': {
      const { reason } = requireFields(change, ['reason']);
      return step(caller, id, { event: 'rejected', patch: { reason } }, nowMs);
    }
    default: {
      const { event } = change;
      requireFields(change, []);
      return step(caller, id, { event, patch: {} }, nowMs);
    }
  }
}

type Step = {
  readonly event: 'accepted' | 'approved' | 'rejected' | 'canceled';
  readonly patch: Partial<Pick<Item, 'reason' | 'cancellationReason'>>;
};

const step = (
  caller: Caller,
  id: string,
  { event, patch }: Step,
  nowMs: number,
): Promise<Item<RegistrationData>> =>
  changeInScope<RegistrationData>(caller, { kind: 'registration', id }, async (request) => {
    const by = actorOf(caller);
    const change = await changingItem<RegistrationData>(request, { event, patch, by }, nowMs);
    const emission = await findEmission(request);
    if (!emission) return [change];
    const followed = await followRequest(emission, change.after, event, nowMs);
    const annulled = event === 'canceled' ? await annulDegree(emission, change.after, nowMs) : [];
    return [change, followed, ...annulled];
  });

/** A request that is canceled after its registration takes the degree with it, unless the issuer has annulled it before. */
async function annulDegree(
  { data: { degreeId } }: Item<EmissionData>,
  { reason, cancellationReason }: Item,
  nowMs: number,
): Promise<CommitPart[]> {
  const degree = degreeId === null ? undefined : await items.get({ kind: 'degree', id: degreeId });
  const event = 'canceled';
  if (!degree || !KINDS.degree.states.accepts(degree.state, event)) return [];
  if (cancellationReason === null) throw errors.refuse('CancellationReasonMismatch', { event });
  return [await changingItem(degree, { event, patch: { reason, cancellationReason } }, nowMs)];
}
