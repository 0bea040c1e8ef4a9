import { vi } from 'vitest';
import { listInstances } from '../../../../../functions/batch/domain/list-instances.ts';
import { listEvents } from '../../../../../functions/batch/operations/domain/list-events.ts';
import type { EventType } from '../../../../../functions/batch/operations/event-types.ts';
import { batchStage } from '../../stage.ts';

export const STALE_SECONDS = 60;
export const STALE_MS = STALE_SECONDS * 1_000;

/** The batch service on a store of its own, which several instances share. Each is this process by another name. */
export async function clusterStage() {
  const stage = await batchStage();
  vi.stubEnv('Cluster__StaleAfterSeconds', String(STALE_SECONDS));
  // Work that is given a time goes on from there by this clock: it stands still unless a test moves it.
  vi.useFakeTimers({ toFake: ['performance'] });
  return {
    ...stage,
    async stop() {
      vi.useRealTimers();
      await stage.stop();
    },
    /** Does something as an instance. */
    async as<T>(name: string, work: () => Promise<T>): Promise<T> {
      const before = process.env.Cluster__InstanceName ?? '';
      vi.stubEnv('Cluster__InstanceName', name);
      try {
        return await work();
      } finally {
        vi.stubEnv('Cluster__InstanceName', before);
      }
    },
    /** The state of an instance as everybody sees it. */
    stateOf: async (name: string, nowMs: number) =>
      (await listInstances(nowMs)).find((instance) => instance.name === name)?.state,
    /** The events of a type that tell of a text, the oldest first. */
    eventsOf: async (type: EventType, text: string) =>
      (await listEvents({ type, page: 1, pageSize: 200 })).items
        .filter(({ message }) => message.includes(text))
        .reverse(),
  };
}
