import { openStored, plainOf, sealStored } from '../../../../../shared/keyring/stored.ts';
import { collection } from '../../../../../shared/store/collection.ts';
import { addressOf } from '../../../profiles/domain/approvers.ts';

/** The second factor of an approver. There is none before the person begins to set one up. */
export type Enrolment = {
  /** In lower case. */
  readonly address: string;
  /** The secret by which codes are judged. Null until a code has confirmed it. */
  readonly sealedSecret: string | null;
  /** A secret that no code has confirmed yet. It opens in the session that began the enrolment, and in no other. */
  readonly pendingSecret: string | null;
  readonly confirmedAtMs: number | null;
  /** The time step of the code that was accepted last: a code works once. */
  readonly lastStep: number;
  /** In a row. */
  readonly wrongCodes: number;
  readonly lockedUntilMs: number;
};

export const enrolments = collection<Enrolment, string>({
  service: 'batch',
  name: 'second factor',
  id: ({ address }) => address,
  key: (address) => ({ pk: `APPROVER#${address}`, sk: 'SECOND-FACTOR' }),
});

/** Until when codes of a person are refused; 0 where they are not. */
export const readLockedUntil = async (address: string): Promise<number> =>
  (await enrolments.get(addressOf(address)))?.lockedUntilMs ?? 0;

/** An enrolment that waits for its first code. */
export const newEnrolment = (address: string, pendingSecret: string): Enrolment => ({
  address,
  pendingSecret,
  sealedSecret: null,
  confirmedAtMs: null,
  lastStep: 0,
  wrongCodes: 0,
  lockedUntilMs: 0,
});

// The address is sealed in: a secret that is copied to another person's item does not open there.
const confirmedSeal = (address: string) => ({ about: JSON.stringify(['batch second factor', address]) });

// Stolen link: somebody else who has the link must not read the secret that its owner is about to confirm. The cookie is
// part of the key, so another session of the same address cannot open it.
const pendingSeal = (address: string, cookie: string) => ({
  about: JSON.stringify(['batch second factor, pending', address]),
  salt: cookie,
});

export const sealSecret = (address: string, secret: string): Promise<string> =>
  sealStored(confirmedSeal(address), secret);

/** The confirmed secret. Throws where it does not open. */
export const openSecret = async (address: string, sealed: string): Promise<string> =>
  plainOf(
    `The second factor of ${address} (to have the person enrol again: npm run admin -- approvers reset-second-factor ${address})`,
    await openStored(confirmedSeal(address), sealed),
  );

export const sealPending = (address: string, cookie: string, secret: string): Promise<string> =>
  sealStored(pendingSeal(address, cookie), secret);

/** Undefined in any session but the one that began the enrolment. */
export async function openPending(
  address: string,
  cookie: string,
  sealed: string,
): Promise<string | undefined> {
  const opened = await openStored(pendingSeal(address, cookie), sealed);
  return 'plain' in opened ? opened.plain : undefined;
}
