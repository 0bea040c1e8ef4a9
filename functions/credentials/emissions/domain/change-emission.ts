import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { errors } from '../../errors.ts';
import { changeInScope } from '../../flows/domain/change-by-client.ts';
import { type Change, changingItem, creatingItem, requireStep } from '../../flows/domain/change-item.ts';
import { requireFields } from '../../flows/domain/require-fields.ts';
import { copyFile } from '../../items/domain/copy-file.ts';
import type { EmissionData, RegistrationData } from '../../items/domain/data.ts';
import { actorOf } from '../../items/domain/history.ts';
import { type Item, items } from '../../items/domain/item.ts';
import { KINDS } from '../../items/domain/kinds.ts';
import { requestOf } from '../../registrations/domain/registrations.ts';
import { type Institute, readInstitute, requireRegistrar } from '../../tenants/domain/organization.ts';

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
    const step = { event: 'canceled', patch, by: actorOf(caller) };
    const change = await changingItem(emission, step, nowMs);
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

type SendRequest = {
  readonly registrarInstituteId: string;
  /** A note for the registrar. */
  readonly description: string | null;
};

/**
 * Sends an emission to a registrar, whose request is created in the same commit: again, or to another one, when the
 * request before came to an end without a registration.
 */
async function sendToRegistry(
  caller: Caller,
  id: string,
  { registrarInstituteId, description }: SendRequest,
  nowMs: number,
): Promise<Item<EmissionData>> {
  const requestId = randomUUID();
  return changeInScope<EmissionData>(caller, { kind: 'emission', id }, async (emission) => {
    const event = 'sentToRegistry';
    requireStep(emission, event);
    requireNoOpenRequest(emission, event);
    const registrar = await requireRegistrar(registrarInstituteId);
    const request = await preparingRequest(emission, registrar, { id: requestId, description }, nowMs);
    const data: EmissionData = {
      ...emission.data,
      registrarInstituteId,
      registrationId: requestId,
      registrationStatus: request.after.state,
      registrationCancellationReason: null,
    };
    const step = { event, patch: { data, reason: null }, by: actorOf(caller) };
    return [await changingItem(emission, step, nowMs), request];
  });
}

/** Whether a registrar has it. The table does not say so: an emission stays in its state while its request ends. */
export const hasOpenRequest = ({ data: { registrationStatus: status } }: Item<EmissionData>): boolean =>
  status !== null && !KINDS.registration.states.isTerminal(status);

function requireNoOpenRequest(emission: Item<EmissionData>, event: string) {
  if (!hasOpenRequest(emission)) return;
  const {
    state,
    data: { registrationStatus },
  } = emission;
  throw errors.refuse('InvalidStatus', { status: state, registrationStatus, event });
}

/** The registrar's request. It has the signed documentation, which its registrar cannot read at the issuer. */
async function preparingRequest(
  emission: Stored<Item<EmissionData>>,
  registrar: Institute,
  { id, description }: { readonly id: string; readonly description: string | null },
  nowMs: number,
): Promise<Change<RegistrationData>> {
  const issuer = await readInstitute(emission.instituteId);
  if (!issuer) throw new Error(`The institute ${emission.instituteId} of emission ${emission.id} is gone.`);
  const { studentName, studentSocialName, studentCpf, course, version, issuingIes } = emission.data;
  const request = requestOf(registrar, id, {
    ...{ studentName, studentSocialName, studentCpf, course, version, issuingIes, description },
    ...{ issuingIesCode: issuer.emecCode, emissionId: emission.id },
  });
  const files = [await copyFile(emission, 'academic-documentation', request)];
  return creatingItem<RegistrationData>({ ...request, files }, nowMs);
}
