import * as z from 'zod';
import { logger } from '../../../../shared/log/logger.ts';
import { FetchFailed } from '../../../../shared/net/errors.ts';
import { guardedFetch } from '../../../../shared/net/guarded.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';

// Each call is a read or a write of the PKI core's store.
const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 65_536;

const Started = z.object({
  sessionId: z.uuid(),
  sessionUrl: z.url({ protocol: /^https?$/ }),
});
const Status = z.object({ success: z.boolean().nullable() });

const addressOf = (): string => settings['Liveness:BaseAddress'] ?? `${commonSettings['Http:PublicUrl']}/pki`;

/** The origin of the pages at which people show that they are present. */
export const livenessOrigin = (): string => new URL(addressOf()).origin;

/** Where they come back to. It is registered for our key at the PKI core, to the letter. */
const returnUrl = (): string => `${commonSettings['Http:PublicUrl']}/documents/liveness/return`;

async function ask<S extends z.ZodType>(path: string, shape: S, json?: object): Promise<z.output<S>> {
  const answer = await guardedFetch({
    url: `${addressOf()}/api/bio/sessions/liveness${path}`,
    // The address comes from the settings and not from a caller.
    allowPrivateAddresses: true,
    carriesTrace: true,
    method: json ? 'POST' : 'GET',
    headers: {
      'x-api-key': settings['Liveness:ApiKey'],
      accept: 'application/json',
      ...(json && { 'content-type': 'application/json' }),
    },
    ...(json && { body: JSON.stringify(json) }),
    maxBytes: MAX_ANSWER_BYTES,
    timeoutMs: TIMEOUT_MS,
  }).catch((error: unknown) => {
    if (!(error instanceof FetchFailed)) throw error;
    throw unavailable(error.message);
  });
  const read = answer.status === 200 ? shape.safeParse(parseJson(answer.bytes)) : undefined;
  if (read?.success) return read.data;
  throw unavailable(answer.status);
}

function unavailable(reason: string | number) {
  logger('documents').error('The PKI core did not serve a liveness session.', { reason });
  return errors.refuse('LivenessUnavailable');
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A new session, and the page that the person opens. */
export const startLiveness = () => ask('', Started, { returnUrl: returnUrl() });

/** Whether the person was present; null while the session is in progress. */
export const readLiveness = async (sessionId: string): Promise<boolean | null> =>
  (await ask(`/${encodeURIComponent(sessionId)}`, Status)).success;
