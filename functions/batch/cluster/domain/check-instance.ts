import { commonSettings } from '../../../../shared/settings/common.ts';
import { cached } from '../../../../shared/store/cached.ts';
import { instanceName } from '../../config/instance-name.ts';
import type { FurtherCheck } from '../../operations/domain/readiness.ts';
import { settings } from '../../settings.ts';
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
  if (!own) return { ...check, ok: true, detail: `The instance ${name} has sent no heartbeat yet.` };
  const lastHeartbeat = new Date(own.heartbeatAtMs).toISOString();
  if (!hasStoodDown(own, nowMs))
    return {
      ...check,
      ok: true,
      detail: `The last heartbeat of the instance ${name} was at ${lastHeartbeat}.`,
    };
  return {
    ...check,
    ok: false,
    detail: `The instance ${name} has stood down: its last heartbeat reached the store at ${lastHeartbeat}, more than ${settings['Cluster:StaleAfterSeconds']} s ago. It claims no jobs, and another instance takes over those that it had. The log says why heartbeats fail; it resumes by itself when one succeeds.`,
  };
}

/** A row that was read a while ago may only look stale. */
async function readOwn(name: string, nowMs: number): Promise<Instance | undefined> {
  const own = (await recent.get(name))?.own;
  if (!hasStoodDown(own, nowMs)) return own;
  recent.drop(name);
  return (await recent.get(name))?.own;
}
