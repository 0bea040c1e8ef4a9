import { ifThrown } from '../errors/expected.ts';
import type { ServiceName } from '../settings/names.ts';
import { collection, type Stored } from '../store/collection.ts';
import { commit } from '../store/commit.ts';
import { RaceLost } from '../store/refusals.ts';
import { retryOnConflict } from '../store/retry-on-conflict.ts';
import { hashSecret, isSecret, newSecret } from './secrets.ts';

type CookieSession<Data> = {
  readonly id: string;
  readonly startedAt: string;
  readonly expiresAtMs: number;
  readonly data: Data;
};

type CookieSessionOptions = {
  readonly service: ServiceName;
  /** The kind of people who have these sessions, for example `operator`. Sessions of one kind never serve another. */
  readonly kind: string;
  /** How long a session lasts after it was used last. */
  readonly windowMs: () => number;
  /** The secret that a session was started with. All sessions end when it changes. */
  readonly boundTo: () => string;
};

// A session is renewed once a tenth of its window has passed, so that most requests write nothing.
const RENEWED_AFTER = 0.1;

/**
 * Sessions of browsers: the cookie has 256 random bits, the store their hash. `Data` is what a session knows of its
 * person.
 * @example const sessions = cookieSessions<{ email: string }>({ service: 'batch', kind: 'approver', windowMs, boundTo });
 *          const value = await sessions.start(undefined, { email }, nowMs);
 */
export function cookieSessions<Data extends object = object>({
  service,
  kind,
  windowMs,
  boundTo,
}: CookieSessionOptions) {
  const stored = collection<CookieSession<Data>, string>({
    service,
    name: `${kind} session`,
    id: ({ id }) => id,
    key: (id) => ({ pk: `${kind.toUpperCase()}-SESSION#${id}`, sk: 'SESSION' }),
    indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) }),
  });

  // The id is made of the value and the secret: with another secret the item is not found. The store alone says nothing
  // about the secret, because a guess cannot be checked without the 256 bits of the value.
  const idOf = (value: string): string => hashSecret(`${value}.${boundTo()}`);

  // A request that renews, and a logout:
  //
  //   request  |--reads------------------------ renews: refused, the item is gone
  //   logout          |--deletes--|
  //
  // A renewal changes the version that was read, so it never brings an ended session back.
  async function renew(session: Stored<CookieSession<Data>>, nowMs: number) {
    await stored.change(session, { expiresAtMs: nowMs + windowMs() }).catch(ifThrown(RaceLost));
  }

  async function find(value: string, nowMs: number): Promise<Stored<CookieSession<Data>> | undefined> {
    if (!isSecret(value)) return undefined;
    const session = await stored.get(idOf(value));
    return session && session.expiresAtMs > nowMs ? session : undefined;
  }

  async function use(value: string, nowMs: number): Promise<Data | undefined> {
    const session = await find(value, nowMs);
    if (!session) return undefined;
    const unusedMs = nowMs + windowMs() - session.expiresAtMs;
    if (unusedMs > RENEWED_AFTER * windowMs()) await renew(session, nowMs);
    return session.data;
  }

  return {
    /**
     * Starts a session and returns the value of its cookie. Session fixation: the value is always a new one, and the
     * session of a cookie that the browser had before ends.
     */
    async start(previous: string | undefined, data: Data, nowMs: number): Promise<string> {
      const value = newSecret();
      const startedAt = new Date(nowMs).toISOString();
      const session = { id: idOf(value), startedAt, expiresAtMs: nowMs + windowMs(), data };
      const ended = previous !== undefined && isSecret(previous) ? [stored.removing(idOf(previous))] : [];
      await stored.create(session, { also: ended });
      return value;
    },

    /** The data of the session of a cookie; undefined where it has none that lasts. Its use counts: the window begins anew. */
    use,

    /** Whether the value is of a session that lasts. Its use counts as well. */
    isAlive: async (value: string, nowMs: number): Promise<boolean> =>
      (await use(value, nowMs)) !== undefined,

    /** Changes what the session knows. One that ended meanwhile stays ended. */
    update: (value: string, patch: Partial<Data>, nowMs: number): Promise<void> =>
      retryOnConflict(async () => {
        const session = await find(value, nowMs);
        if (session) await stored.change(session, { data: { ...session.data, ...patch } });
      }),

    /** Ends the session, whoever still has its cookie. */
    async end(value: string): Promise<void> {
      if (isSecret(value)) await commit([stored.removing(idOf(value))]);
    },
  };
}
