import * as z from 'zod';
import { logger } from '../../../../shared/log/logger.ts';
import { askJson } from '../../../../shared/net/ask-json.ts';
import { FetchFailed } from '../../../../shared/net/errors.ts';
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
  const { status, value } = await askJson({
    url: `${addressOf()}/api/bio/sessions/liveness${path}`,
    json,
    apiKey: settings['Liveness:ApiKey'],
    maxBytes: MAX_ANSWER_BYTES,
    timeoutMs: TIMEOUT_MS,
  }).catch((error: unknown) => {
    if (!(error instanceof FetchFailed)) throw error;
    throw unavailable(error.message);
  });
  const read = status === 200 ? shape.safeParse(value) : undefined;
  if (read?.success) return read.data;
  throw unavailable(status);
}

function unavailable(reason: string | number) {
  logger('documents').error('The PKI core did not serve a liveness session.', { reason });
  return errors.refuse('LivenessUnavailable');
}

/** A new session, and the page that the person opens. */
export const startLiveness = () => ask('', Started, { returnUrl: returnUrl() });

/** Whether the person was present; null while the session is in progress. */
export const readLiveness = async (sessionId: string): Promise<boolean | null> =>
  (await ask(`/${encodeURIComponent(sessionId)}`, Status)).success;
