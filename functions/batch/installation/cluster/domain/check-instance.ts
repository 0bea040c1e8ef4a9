import { commonSettings } from '../../../../../shared/settings/common.ts';
import { cached } from '../../../../../shared/store/cached.ts';
import { instanceName } from '../../../config/instance-name.ts';
import type { FurtherCheck } from '../../../operations/domain/readiness.ts';
import { say } from '../../../sentences/sentences.ts';
import { settings } from '../../../settings.ts';
import { hasStoodDown, type Instance, instances } from './instance.ts';

type Known = { readonly own: Instance | undefined };

// Anyone may ask for readiness: one read, once in Access:CacheSeconds.
const recent = cached<Known>({
  name: 'batch.instance-check',
  read: async (name) => ({ own: await instances.get(name) }),
  ttlMs: () => commonSettings['Access:CacheSeconds'] * 1000,
});

/** Whether this instance takes part. One that stood down still answers, so the check fails nothing. */
export async function checkInstance(nowMs: number): Promise<FurtherCheck> {
  const name = instanceName();
  const own = await readOwn(name, nowMs);
  const check = { name: 'cluster-instance', isCounted: false };
  if (!own) return { ...check, ok: true, detail: say('check.no-heartbeat', { name }) };
  const lastHeartbeat = new Date(own.heartbeatAtMs).toISOString();
  if (!hasStoodDown(own, nowMs))
    return {
      ...check,
      ok: true,
      detail: say('check.last-heartbeat', { name, time: lastHeartbeat }),
    };
  return {
    ...check,
    ok: false,
    detail: say('check.stood-down', {
      name,
      time: lastHeartbeat,
      seconds: settings['Cluster:StaleAfterSeconds'],
    }),
  };
}

/** A row that was read a while ago may only look stale. */
async function readOwn(name: string, nowMs: number): Promise<Instance | undefined> {
  const own = (await recent.get(name))?.own;
  if (!hasStoodDown(own, nowMs)) return own;
  recent.drop(name);
  return (await recent.get(name))?.own;
}
