import type { Caller } from '../../../../shared/access/caller.ts';
import { changeInScope } from '../../flows/domain/change-by-client.ts';
import { type Change, changingItem } from '../../flows/domain/change-item.ts';
import { requireFields } from '../../flows/domain/require-fields.ts';
import type { EmissionData } from '../../items/domain/data.ts';
import { type Item, items } from '../../items/domain/item.ts';
import { KINDS } from '../../items/domain/kinds.ts';
import { sendToRegistry } from './send-to-registry.ts';

export type EmissionChange = {
  readonly event: 'sentToRegistry' | 'canceled';
  readonly registrarInstituteId?: string | undefined;
  readonly description?: string | undefined;
  readonly reason?: string | undefined;
};

/** Sends an emission to a registrar, or cancels it. */
export async function changeEmission(
  caller: Caller,
  id: string,
  change: EmissionChange,
  nowMs: number,
): Promise<Item<EmissionData>> {
  if (change.event === 'canceled')
    return cancelEmission(caller, id, requireFields(change, ['reason']).reason, nowMs);
  const { registrarInstituteId, description = null } = requireFields(
    change,
    ['registrarInstituteId'],
    ['description'],
  );
  return sendToRegistry(caller, id, { registrarInstituteId, description }, nowMs);
}

/** Its request ends with it, in the same commit: see the race in follow-emission.ts. */
const cancelEmission = (
  caller: Caller,
  id: string,
  reason: string,
  nowMs: number,
): Promise<Item<EmissionData>> =>
  changeInScope<EmissionData>(caller, { kind: 'emission', id }, async (emission) => {
    const request = await cancelingRequest(emission, reason, nowMs);
    const registrationStatus = request?.after.state ?? emission.data.registrationStatus;
    const patch = { reason, data: { ...emission.data, registrationStatus } };
    const change = await changingItem(emission, { event: 'canceled', patch }, nowMs);
    return [change, ...(request ? [request] : [])];
  });

/** The open request of an emission as it is canceled. None before it is sent, or after the request came to an end. */
async function cancelingRequest(
  { data: { registrationId } }: Item<EmissionData>,
  reason: string,
  nowMs: number,
): Promise<Change<object> | undefined> {
  const found =
    registrationId === null ? undefined : await items.get({ kind: 'registration', id: registrationId });
  const event = 'canceled';
  if (!found || !KINDS.registration.states.accepts(found.state, event)) return undefined;
  return changingItem(found, { event, patch: { reason } }, nowMs);
}
