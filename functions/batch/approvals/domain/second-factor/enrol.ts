import * as z from 'zod';
import { AdminRefusal } from '../../../../../shared/access/administration.ts';
import { newTotpSecret, otpauthUriOf } from '../../../../../shared/access/totp.ts';
import { retryOnConflict } from '../../../../../shared/store/retry-on-conflict.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { counting } from '../../../operations/domain/metrics.ts';
import { addressOf } from '../../../profiles/domain/approvers.ts';
import { say } from '../../../sentences/sentences.ts';
import { settings } from '../../../settings.ts';
import { approverSessions } from '../../approver-sessions.ts';
import { type CodeRefusal, checkCode } from './check-code.ts';
import { enrolments, newEnrolment, openPending, sealPending, sealSecret } from './enrolment.ts';

// Enrolment on first use: the link alone opens the portal, so whoever has it and comes first can enrol a device of
// theirs. Nothing here tells them from the person. An event tells of each enrolment; the person finds that no code of
// theirs is accepted, and an operator resets the second factor and changes what leaked.

/** Somebody with a session of the portal. */
type Enrolling = { readonly address: string; readonly cookie: string };

/** The second factor as its person sees it. The secret is there only until a code has confirmed it. */
export type EnrolmentView =
  | { readonly state: 'disabled' }
  | { readonly state: 'none' }
  | {
      readonly state: 'pending';
      readonly secret: string;
      readonly uri: string;
      readonly lockedUntilMs: number;
    }
  | { readonly state: 'enrolled'; readonly confirmedAtMs: number };

export async function viewEnrolment(person: Enrolling): Promise<EnrolmentView> {
  if (!settings['ApproverSecondFactor:Enabled']) return { state: 'disabled' };
  const address = addressOf(person.address);
  const enrolment = await enrolments.get(address);
  if (!enrolment) return { state: 'none' };
  const { confirmedAtMs, pendingSecret, lockedUntilMs } = enrolment;
  if (confirmedAtMs !== null) return { state: 'enrolled', confirmedAtMs };
  const secret =
    pendingSecret === null ? undefined : await openPending(address, person.cookie, pendingSecret);
  return secret === undefined
    ? { state: 'none' }
    : { state: 'pending', secret, uri: otpauthUriOf(address, secret), lockedUntilMs };
}

/**
 * Makes the secret of an enrolment, or another one in its place. A confirmed secret stays: a session alone must not
 * replace it, so a person with another device asks an operator. The count of wrong codes and a lock stay too.
 */
export async function beginEnrolment(person: Enrolling): Promise<void> {
  if (!settings['ApproverSecondFactor:Enabled']) return;
  const address = addressOf(person.address);
  const pendingSecret = await sealPending(address, person.cookie, newTotpSecret());
  await retryOnConflict(
    async () => {
      const enrolment = await enrolments.get(address);
      if (!enrolment) await enrolments.create(newEnrolment(address, pendingSecret));
      else if (enrolment.confirmedAtMs === null) await enrolments.change(enrolment, { pendingSecret });
    },
    { mayCreate: true },
  );
}

/** `not-pending`: there is nothing to confirm in this session. */
type Confirmation = 'enrolled' | 'not-pending' | CodeRefusal;

/** Confirms the secret by a code of it, which counts as a verification of this session and works once. */
export async function confirmEnrolment(
  person: Enrolling,
  code: string,
  nowMs: number,
): Promise<Confirmation> {
  if (!settings['ApproverSecondFactor:Enabled']) return 'not-pending';
  const address = addressOf(person.address);
  const refused = await retryOnConflict(async () => {
    const enrolment = await enrolments.get(address);
    const { pendingSecret = null, confirmedAtMs = null } = enrolment ?? {};
    if (!enrolment || pendingSecret === null || confirmedAtMs !== null) return 'not-pending';
    const secret = await openPending(address, person.cookie, pendingSecret);
    if (secret === undefined) return 'not-pending';
    const message = say('second-factor.enrolled', { address });
    return checkCode(
      enrolment,
      {
        code,
        secret,
        accepted: {
          sealedSecret: await sealSecret(address, secret),
          pendingSecret: null,
          confirmedAtMs: nowMs,
        },
        also: [
          counting('bulk_second_factor_enrolments_total'),
          ...recordingEvent({ type: 'SecondFactorEnrolled', message, by: address }, nowMs),
        ],
      },
      nowMs,
    );
  });
  if (refused !== undefined) return refused;
  await approverSessions.update(person.cookie, { verifiedAtMs: nowMs }, nowMs);
  return 'enrolled';
}

const isAddress = (text: string): boolean => z.email().max(254).safeParse(text).success;

/**
 * Removes a second factor, for a person who has another device or never had this one. Sessions stay. Their verifications
 * are older than the next enrolment, and so do not count. Throws AdminRefusal where there is none.
 */
export const resetSecondFactor = (by: string, email: string, nowMs: number): Promise<void> =>
  retryOnConflict(async () => {
    const address = addressOf(email);
    // A text that can be no address may be longer than a key of the store.
    const enrolment = isAddress(address) ? await enrolments.get(address) : undefined;
    if (!enrolment) throw new AdminRefusal(`${address} has no second factor. See: approvers list`);
    const message = say('second-factor.reset', { address });
    await enrolments.delete(enrolment, {
      also: recordingEvent({ type: 'SecondFactorReset', message, by }, nowMs),
    });
  });
