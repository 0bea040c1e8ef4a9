import type { Caller } from '../../../shared/access/caller.ts';
import { hashSecret, isSecret, newSecret } from '../../../shared/access/secrets.ts';
import { seal, unseal } from '../../../shared/keyring/seal.ts';
import { collection, type Stored } from '../../../shared/store/collection.ts';
import { type StateOf, stateMachine } from '../../../shared/store/state-machine.ts';
import type { SessionType } from '../contract.ts';
import { errors } from '../errors.ts';

/** The use of a session. Expiry is not a state: it is decided by time alone. */
export const sessionStates = stateMachine({
  Usable: { claimed: 'InUse', rejected: 'Used' },
  InUse: { givenBack: 'Usable', spent: 'Used', rejected: 'Used' },
  Used: {},
});

/** Whether the provider accepts one call for a session of this type and no more. */
export const isSingleUse = (type: SessionType): boolean =>
  type === 'SingleSignature' || type === 'MultiSignature';

/** Whether a session of this type may use a key. */
export const canSign = (type: SessionType): boolean => type !== 'AuthenticationSession';

/** A session at a provider, by the hash of its value. Only the client has the value. */
export type HubSession = {
  readonly valueHash: string;
  /** The owner. To any other application the session does not exist. */
  readonly application: string;
  readonly provider: string;
  readonly type: SessionType;
  readonly state: StateOf<typeof sessionStates>;
  readonly expiresAtMs: number;
  /** The client's custom state. Like every sealed field here, it opens with the value. */
  readonly sealedCustomState: string | null;
  /** The provider's token. Null where the user came back after the session's time. */
  readonly sealedToken: string | null;
  /** The holder's certificates, after their first use. */
  readonly sealedCertificates?: string;
};

/** How long an expired session or authorization is still told from an unknown one. */
export const KEPT_AFTER_END_MS = 86_400_000;

export const sessions = collection<HubSession, string>({
  service: 'hub',
  name: 'session',
  id: (session) => session.valueHash,
  key: (valueHash) => ({ pk: `SESSION#${valueHash}`, sk: 'SESSION' }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil((expiresAtMs + KEPT_AFTER_END_MS) / 1000) }),
});

type Content = 'custom state' | 'token' | 'certificates';
const sealOf = (value: string, content: Content) => ({ secret: value, about: `hub session ${content}` });

/** The content in the form in which the store keeps it. The store alone cannot open it. */
export const sealContent = (value: string, content: Content, plain: string): string =>
  seal(sealOf(value, content), plain);

export const openContent = (value: string, content: Content, sealed: string | null | undefined) =>
  sealed ? unseal(sealOf(value, content), sealed) : undefined;

type NewSession = Pick<HubSession, 'application' | 'provider' | 'type' | 'expiresAtMs'>;
type Contents = { readonly customState: string | null; readonly accessToken: string | null };

/** Stores a session and returns its value, which is not kept. */
export async function beginSession(
  session: NewSession,
  { customState, accessToken }: Contents,
): Promise<string> {
  const value = newSecret();
  await sessions.create({
    ...session,
    valueHash: hashSecret(value),
    state: 'Usable',
    sealedCustomState: customState === null ? null : sealContent(value, 'custom state', customState),
    sealedToken: accessToken === null ? null : sealContent(value, 'token', accessToken),
  });
  return value;
}

/** A session with the value that opens its contents. */
export type OpenSession = Stored<HubSession> & { readonly value: string };

type Owner = Pick<Caller, 'application'>;

/** The caller's session of this value, expired and used ones included. */
async function requireSession({ application }: Owner, value: string, nowMs: number): Promise<OpenSession> {
  const found = isSecret(value) ? await sessions.get(hashSecret(value)) : undefined;
  const isKnown = found?.application === application && nowMs < found.expiresAtMs + KEPT_AFTER_END_MS;
  if (!isKnown) throw errors.refuse('SessionInvalidOrAlreadyUsed');
  return { ...found, value };
}

/** The caller's session of this value. An expired session is refused as expired even if it is used up. */
export async function requireUsableSession(
  caller: Owner,
  value: string,
  nowMs: number,
): Promise<OpenSession> {
  const session = await requireSession(caller, value, nowMs);
  if (nowMs >= session.expiresAtMs) throw errors.refuse('SessionExpired');
  if (sessionStates.isTerminal(session.state)) throw errors.refuse('SessionInvalidOrAlreadyUsed');
  return session;
}

/** The provider's token of a session. */
export function tokenOf({ value, sealedToken }: OpenSession): string {
  const token = openContent(value, 'token', sealedToken);
  if (token === undefined) throw errors.refuse('SessionInvalidOrAlreadyUsed');
  return token;
}

/** The custom state is readable after the session expires, and not after it is used up. */
export async function readCustomState(caller: Owner, value: string, nowMs: number): Promise<string | null> {
  const { state, sealedCustomState } = await requireSession(caller, value, nowMs);
  if (sessionStates.isTerminal(state)) throw errors.refuse('SessionInvalidOrAlreadyUsed');
  return openContent(value, 'custom state', sealedCustomState) ?? null;
}
