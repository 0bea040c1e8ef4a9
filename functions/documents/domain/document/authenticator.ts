import { newTotpSecret } from '../../../../shared/access/totp.ts';
import { type Opened, openStored, plainOf, sealStored } from '../../../../shared/keyring/stored.ts';
import { collection } from '../../../../shared/store/collection.ts';
import type { ActId } from './electronic-act.ts';

/** The authenticator app of a person of an organization. A code has confirmed it, in the signature that it was set up for. */
export type Authenticator = {
  readonly organizationId: string;
  readonly personId: string;
  readonly sealedSecret: string;
  /** The time step of the code that was accepted last: a code works once. */
  readonly lastStep: number;
  readonly confirmedAtMs: number;
};

export type AuthenticatorId = Pick<Authenticator, 'organizationId' | 'personId'>;

/** The partition of an organization's authenticators, which go with it. */
export const authenticatorPartition = (organizationId: string): string => `AUTHENTICATORS#${organizationId}`;

export const authenticators = collection<Authenticator, AuthenticatorId>({
  service: 'documents',
  name: 'authenticator',
  id: ({ organizationId, personId }) => ({ organizationId, personId }),
  key: ({ organizationId, personId }) => ({ pk: authenticatorPartition(organizationId), sk: personId }),
});

const confirmedSeal = ({ organizationId, personId }: AuthenticatorId) => ({
  about: JSON.stringify(['documents authenticator', organizationId, personId]),
});

export const sealSecret = (id: AuthenticatorId, secret: string): Promise<string> =>
  sealStored(confirmedSeal(id), secret);

/** The confirmed secret. Throws where it does not open. */
export const openSecret = async (authenticator: Authenticator): Promise<string> =>
  plainOf(
    `The authenticator app of the person ${authenticator.personId}`,
    await openStored(confirmedSeal(authenticator), authenticator.sealedSecret),
  );

// Stolen link: a secret that is being set up at one link is not shown or taken at another one.
const pendingSeal = ({ documentId, actionId, personId }: ActId, via: string) => ({
  about: JSON.stringify(['documents authenticator, pending', documentId, actionId, personId]),
  salt: via,
});

/** A new secret that no code has confirmed yet, as it is kept. */
export const newPendingSecret = (act: ActId, via: string): Promise<string> =>
  sealStored(pendingSeal(act, via), newTotpSecret());

export const openPendingSecret = (act: ActId, via: string, sealed: string): Promise<Opened> =>
  openStored(pendingSeal(act, via), sealed);
