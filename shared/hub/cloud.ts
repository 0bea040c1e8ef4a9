import type { Deadline } from '../async/deadline.ts';
import { logger } from '../log/logger.ts';
import { commonSettings } from '../settings/common.ts';
import type { ServiceName } from '../settings/names.ts';
import { type CreateSessionRequest, type HubProvider, hubClient } from './client.ts';
import { isHubFailure } from './errors.ts';
import type { HubValues } from './settings.ts';

/** What a log line says of the work, such as the id of an attempt. Never a session. */
type Work = Readonly<Record<string, string | undefined>>;

/** `no-provider`: nobody holds a certificate of the person. */
export type BeginResult =
  | {
      readonly outcome: 'begun';
      /** At least one. */
      readonly providers: readonly HubProvider[];
    }
  | { readonly outcome: 'no-provider' | 'provider-failed' };

export type Cloud = ReturnType<typeof cloudOf>;

/**
 * Cloud certificates for a service: the hub of its settings, another one or this deployment's own.
 * @example export const cloud = cloudOf('documents', settings);
 */
export function cloudOf(service: ServiceName, settings: HubValues) {
  const hub = hubClient({
    get address() {
      return settings['Hub:BaseAddress'] ?? `${commonSettings['Http:PublicUrl']}/hub`;
    },
    get apiKey() {
      return settings['Hub:ApiKey'];
    },
  });

  /** Logs a failure of the hub with the hub's code. Any other error is thrown. */
  function logFailure(error: unknown, work: Work): void {
    if (!isHubFailure(error)) throw error;
    const { status, code, message: reason } = error;
    logger(service).warn('The hub did not serve a cloud certificate.', { ...work, status, code, reason });
  }

  return {
    hub,
    logFailure,
    /** Whether cloud certificates can sign. */
    isOffered: (): boolean => settings['Hub:ApiKey'] !== '',

    /** A session of the person at every provider that holds a certificate of theirs. */
    async begin(request: CreateSessionRequest, work: Work, deadline: Deadline): Promise<BeginResult> {
      try {
        const providers = await hub.createSession(request, deadline);
        return providers.length > 0 ? { outcome: 'begun', providers } : { outcome: 'no-provider' };
      } catch (error) {
        logFailure(error, work);
        return { outcome: 'provider-failed' };
      }
    },

    /** The state that the session was created with. Undefined where the hub does not serve the session. */
    async stateOf(session: string, work: Work, deadline: Deadline): Promise<string | undefined> {
      try {
        return (await hub.customStateOf(session, deadline)) ?? '';
      } catch (error) {
        logFailure(error, work);
        return undefined;
      }
    },
  };
}

// Sessions of our hub have 43 characters. A cookie holds no more than 4 KB.
const MAX_SESSION_CHARACTERS = 2_048;

/** The hub's session in the query of a return. Parameter pollution: one that is given twice is none. */
export function hubSessionIn({ session }: Readonly<Record<string, unknown>>): string | undefined {
  const isOne = typeof session === 'string' && session !== '' && session.length <= MAX_SESSION_CHARACTERS;
  return isOne ? session : undefined;
}
