import type { Stored } from '../../../../shared/store/collection.ts';
import { type Change, changingItem, updatingItem } from '../../flows/domain/change-item.ts';
import type { EmissionData, RegistrationData } from '../../items/domain/data.ts';
import { type Item, items } from '../../items/domain/item.ts';
import { EMISSION_REGISTRATION } from '../../items/domain/kinds.ts';

// The registrar acts while the issuer cancels. Both changes write the request and its emission:
//
//   registrar  |--reads request, emission---- accepted: both written, with an event for each webhook --|
//   issuer       |--reads emission, request------ canceled: refused, RaceLost; reads both again: canceled --|
//
// Whatever was read of either is expected at the commit, so that the two always agree.

/** The emission that a request came of. None for one that its registrar created. */
export async function findEmission({
  data: { emissionId },
}: Item<RegistrationData>): Promise<Stored<Item<EmissionData>> | undefined> {
  const found = emissionId === null ? undefined : await items.get({ kind: 'emission', id: emissionId });
  return found as Stored<Item<EmissionData>> | undefined;
}

/** The emission as its request leaves it. There is no event of the registrar's signature. */
export function followRequest(
  emission: Stored<Item<EmissionData>>,
  request: Item<RegistrationData>,
  event: 'accepted' | 'approved' | 'rejected' | 'canceled' | 'signed',
  nowMs: number,
): Promise<Change<EmissionData>> {
  const other = event === 'signed' ? undefined : { family: EMISSION_REGISTRATION, event };
  return updatingItem(emission, { patch: patchOf(emission, request), ...(other && { other }) }, nowMs);
}

/** The emission whose request is registered: it moves on as well, and names its degree. */
export const registerEmission = (
  emission: Stored<Item<EmissionData>>,
  request: Item<RegistrationData>,
  degreeId: string,
  nowMs: number,
): Promise<Change<EmissionData>> => {
  const event = 'registered';
  const { data, reason } = patchOf(emission, request);
  return changingItem(
    emission,
    {
      event,
      patch: { data: { ...data, degreeId }, reason },
      other: { family: EMISSION_REGISTRATION, event },
    },
    nowMs,
  );
};

const patchOf = ({ data }: Item<EmissionData>, request: Item<RegistrationData>) => ({
  reason: request.reason,
  data: {
    ...data,
    registrationStatus: request.state,
    registrationCancellationReason: request.cancellationReason,
  },
});
