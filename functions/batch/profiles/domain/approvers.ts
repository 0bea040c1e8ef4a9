import { collection } from '../../../../shared/store/collection.ts';
import { eachItem } from '../../../../shared/store/cursor.ts';
import type { Approval } from './profile.ts';

/** Somebody whom a profile has named as an approver. */
export type KnownApprover = { readonly address: string; readonly name: string; readonly cpf: string };

const ALL = 'APPROVERS';

/**
 * Everybody whom a profile names or has named. A link to the portal holds a code of an address and not the address, so
 * the addresses that it may stand for are read from here. People stay: a job that waits has the pool of its parking.
 */
export const knownApprovers = collection<KnownApprover, string>({
  service: 'batch',
  name: 'approver',
  id: ({ address }) => address,
  key: (address) => ({ pk: ALL, sk: `APPROVER#${address}` }),
});

/** An address as it is compared: addresses of one person are written in any case. */
export const addressOf = (email: string): string => email.trim().toLowerCase();

/** Records the people of a rule. Done before the profile is written: a pool is never one of people nobody knows. */
export async function recordApprovers({ approvers }: Approval): Promise<void> {
  await Promise.all(
    approvers.map(({ email, name, cpf }) => knownApprovers.put({ address: addressOf(email), name, cpf })),
  );
}

/** Everybody, sorted by address. There are hundreds at most. */
export const listApprovers = (): Promise<readonly KnownApprover[]> =>
  Array.fromAsync(eachItem(knownApprovers, { pk: ALL }));
