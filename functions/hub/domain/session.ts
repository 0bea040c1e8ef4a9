import { seal, unseal } from '../../../shared/access/seal.ts';
import { hashSecret, isSecret, newSecret } from '../../../shared/access/secrets.ts';
import { collection, type Stored } from '../../../shared/store/collection.ts';
import { errors } from '../errors.ts';
import { KEPT_AFTER_END_MS } from './kept-after-end.ts';
import type { SessionState } from './session-states.ts';
import type { SessionType } from './session-types.ts';

/** A session at a provider, by the hash of its value: the value itself is known to the client alone. */
export type HubSession = {
  readonly valueHash: string;
  /** Whose key began it. To any other it does not exist. */
  readonly application: string;
  readonly provider: string;
  readonly type: SessionType;
  readonly state: SessionState;
  readonly expiresAtMs: number;
  /** What the client gave when it created the session. It opens with the value, as all that is sealed here. */
  readonly sealedCustomState: string | null;
  /** The provider's token. None where the user came back when the time was over. */
  readonly sealedToken: string | null;
  /** The holder's certificates, once they were asked for. */
  readonly sealedCertificates?: string;
};

export const sessions = collection<HubSession, string>({
  service: 'hub',
  name: 'session',
  id: (session) => session.valueHash,
  key: (valueHash) => ({ pk: `SESSION#${valueHash}`, sk: 'SESSION' }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil((expiresAtMs + KEPT_AFTER_END_MS) / 1000) }),
});

type Content = 'custom state' | 'token' | 'certificates';
const sealOf = (value: string, content: Content) => ({ secret: value, about: `hub session ${content}` });

/** As it may be kept: the store alone does not open it. */
export const sealContent = (value: string, content: Content, plain: string): string =>
  seal(sealOf(value, content), plain);

export const openContent = (value: string, content: Content, sealed: string | null | undefined) =>
  sealed ? unseal(sealOf(value, content), sealed) : undefined;

type Begun = Pick<HubSession, 'application' | 'provider' | 'type' | 'expiresAtMs'>;
type Contents = { readonly customState: string | null; readonly accessToken: string | null };

/** Begins a session and gives its value, which is kept nowhere. */
export async function beginSession(begun: Begun, { customState, accessToken }: Contents): Promise<string> {
  const value = newSecret();
  await sessions.create({
    ...begun,
    valueHash: hashSecret(value),
    state: 'Usable',
    sealedCustomState: customState === null ? null : sealContent(value, 'custom state', customState),
    sealedToken: accessToken === null ? null : sealContent(value, 'token', accessToken),
  });
  return value;
}

/** A session with the value that opens what it holds. */
export type OpenSession = Stored<HubSession> & { readonly value: string };

/** The session of this value, expired or used as it may be, if it is this application's. */
export async function requireSession(
  value: string,
  application: string,
  nowMs: number,
): Promise<OpenSession> {
  const found = isSecret(value) ? await sessions.get(hashSecret(value)) : undefined;
  const isKnown = found?.application === application && nowMs < found.expiresAtMs + KEPT_AFTER_END_MS;
  if (!isKnown) throw errors.refuse('SessionInvalidOrAlreadyUsed');
  return { ...found, value };
}

/** The same, if its time is not over and it was not used up: time counts first. */
export async function requireUsableSession(
  value: string,
  application: string,
  nowMs: number,
): Promise<OpenSession> {
  const session = await requireSession(value, application, nowMs);
  if (nowMs >= session.expiresAtMs) throw errors.refuse('SessionExpired');
  if (session.state === 'Used') throw errors.refuse('SessionInvalidOrAlreadyUsed');
  return session;
}

/** The provider's token in it. */
export function tokenOf({ value, sealedToken }: OpenSession): string {
  const token = openContent(value, 'token', sealedToken);
  if (token === undefined) throw errors.refuse('SessionInvalidOrAlreadyUsed');
  return token;
}

/** Outlives the session's time, and not its use. */
export async function readCustomState(
  value: string,
  application: string,
  nowMs = Date.now(),
): Promise<string | null> {
  const { state, sealedCustomState } = await requireSession(value, application, nowMs);
  if (state === 'Used') throw errors.refuse('SessionInvalidOrAlreadyUsed');
  return openContent(value, 'custom state', sealedCustomState) ?? null;
}
