// Paths of the host itself: its health, and the links to files of the embedded stores.
import { SERVICES } from '../../shared/settings/names.ts';
import { checkReachable } from '../../shared/store/availability.ts';
import type { AnswerOwnPath } from '../runtime/http/handle.ts';
import { sendJson } from '../runtime/http/send.ts';
import { type HostStores, LINKS_PATH } from './stores.ts';

/** How long an answer about the stores counts. Probes may come often, and from several places; writes fail meanwhile. */
const READINESS_KEPT_MS = 100;

type OwnPaths = Pick<HostStores, 'answerLink'> & { readonly isStopping: () => boolean };

/** @example serveFunctions({ …, answerOwnPath: answerOwnPaths({ isStopping, answerLink }) }) */
export const answerOwnPaths =
  ({ answerLink, isStopping }: OwnPaths): AnswerOwnPath =>
  async (request, response, { path }) => {
    if (answerLink && path.startsWith(`${LINKS_PATH}/`)) {
      await answerLink(request, response);
      return true;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    if (path === '/healthz') {
      await sendJson(response, 200, { status: 'ok' });
      return true;
    }
    if (path !== '/readyz') return false;
    const reasons = isStopping() ? ['The host is stopping.'] : await whyNotReady();
    if (reasons.length > 0) await sendJson(response, 503, { status: 'unavailable', reasons });
    else await sendJson(response, 200, { status: 'ok' });
    return true;
  };

let known: { readonly atMs: number; readonly reasons: Promise<readonly string[]> } | undefined;

/** A line for each service whose store does not answer. */
function whyNotReady(): Promise<readonly string[]> {
  if (!known || Date.now() - known.atMs > READINESS_KEPT_MS) known = { atMs: Date.now(), reasons: look() };
  return known.reasons;
}

async function look(): Promise<string[]> {
  const found = await Promise.all(
    SERVICES.map(async (service) => ({ service, ...(await checkReachable(service)) })),
  );
  return found.flatMap(({ service, ok, detail }) => (ok ? [] : [`${service}: ${detail}`]));
}
