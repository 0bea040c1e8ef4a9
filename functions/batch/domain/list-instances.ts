import { readFolderRecords } from '../folders/domain/folder.ts';
import {
  type InstanceState,
  isExpired,
  readInstances,
  stateOf,
} from '../installation/cluster/domain/instance.ts';
import { readSlots } from '../jobs/domain/engine/slots.ts';

export type ListedInstance = {
  readonly name: string;
  readonly state: InstanceState;
  readonly version: string;
  readonly startedAt: string;
  readonly lastHeartbeat: string;
  /** The input folders that it watches. */
  readonly folders: readonly string[];
  /** Jobs that it has in flight. */
  readonly inFlight: number;
};

/** The instances that share this store, by name. */
export async function listInstances(nowMs: number): Promise<ListedInstance[]> {
  const [instances, slots, folders] = await Promise.all([readInstances(), readSlots(), readFolderRecords()]);
  return [...instances.values()]
    .filter((instance) => !isExpired(instance, nowMs))
    .map((instance) => ({
      name: instance.name,
      state: stateOf(instance, nowMs),
      version: instance.release,
      startedAt: new Date(instance.startedAtMs).toISOString(),
      lastHeartbeat: new Date(instance.heartbeatAtMs).toISOString(),
      folders: [...folders.values()]
        .filter((folder) => folder.instance === instance.name && folder.profileName !== null)
        .map(({ name }) => name),
      inFlight: slots.filter((slot) => slot.instance === instance.name).length,
    }));
}
