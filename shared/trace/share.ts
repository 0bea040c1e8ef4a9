import { timingSafeEqual } from 'node:crypto';
import { BACKGROUND } from '../async/contention.ts';
import { authenticateBy, keyIdOfMac } from '../keyring/stored.ts';
import { commonSettings } from '../settings/common.ts';
import { currentTrace } from './trace.ts';

// A service that calls another one of its host says for which application it does so:
//
//   acme   POST /session/v1/signatures   X-API-Key: acme|…
//            |--POST /documents/…        X-API-Key: session-server|…   X-Sinete-Share: HMAC acme
//
// The HMAC is by the ring of the deployment, so nobody else says it. It lets nobody in: the call has a key of its own.

export const SHARE_HEADER = 'x-sinete-share';
const ABOUT = 'share of an application';
const ring = () => commonSettings['Sealing:Keys'];

/** The header of a call to a service of this deployment; none to others. */
export function shareHeader({ origin }: URL): Record<string, string> {
  const [newest] = ring();
  if (!newest) return {};
  if (origin !== new URL(commonSettings['Http:PublicUrl']).origin) return {};
  const name = encodeURIComponent(currentTrace()?.application ?? BACKGROUND);
  return { [SHARE_HEADER]: `${authenticateBy(newest, ABOUT, name)} ${name}` };
}

/** The application that the header names; undefined without one that this deployment wrote. */
export function applicationIn(header: string | undefined): string | undefined {
  const [mac = '', name = ''] = header?.split(' ') ?? [];
  const key = ring().find(({ id }) => id === keyIdOfMac(mac));
  if (!key) return undefined;
  const [given, right] = [Buffer.from(mac), Buffer.from(authenticateBy(key, ABOUT, name))];
  return given.length === right.length && timingSafeEqual(given, right)
    ? decodeURIComponent(name)
    : undefined;
}
