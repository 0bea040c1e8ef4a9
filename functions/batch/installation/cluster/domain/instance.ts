import { collection, type Stored } from '../../../../../shared/store/collection.ts';
import type { Attributes } from '../../../../../shared/store/item.ts';
import { readPartition } from '../../../../../shared/store/partition.ts';
import { instanceName } from '../../../config/instance-name.ts';
import { settings } from '../../../settings.ts';

/** One deployment of the functions, as its heartbeats left it. */
export type Instance = {
  readonly name: string;
  /** The version of the service. `version` is that of the item. */
  readonly release: string;
  /** The start of the engine. Empty where functions come and go. */
  readonly boot: string;
  readonly startedAtMs: number;
  readonly heartbeatAtMs: number;
  /** Whether it was stopped in an orderly way after its last heartbeat. */
  readonly isStopped: boolean;
  /** The input folders that it is configured for. */
  readonly folders: readonly string[];
};

export type Instances = ReadonlyMap<string, Stored<Instance>>;

export type InstanceState = 'Live' | 'Stopped' | 'Stale';

/** The partition of the instances and of the flag of the pipeline, which are read together. */
export const PIPELINE_PK = 'PIPELINE';

const INSTANCE_PREFIX = 'INSTANCE#';

/** An instance that is gone is shown for a week. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** When the row of an instance goes, unless it sends another heartbeat, in epoch seconds. */
export const expiryOf = (heartbeatAtMs: number): number => Math.ceil((heartbeatAtMs + KEPT_MS) / 1_000);

/** DynamoDB removes an expired row within days. Until then it is not shown. */
export const isExpired = ({ heartbeatAtMs }: Instance, nowMs: number): boolean =>
  heartbeatAtMs + KEPT_MS <= nowMs;

export const instances = collection<Instance, string>({
  service: 'batch',
  name: 'instance',
  id: ({ name }) => name,
  key: (name) => ({ pk: PIPELINE_PK, sk: `${INSTANCE_PREFIX}${name}` }),
  indexed: ({ heartbeatAtMs }) => ({ ttl: expiryOf(heartbeatAtMs) }),
});

/** The instances among the items of the partition. */
export const instancesIn = (items: readonly Attributes[]): Instances =>
  new Map(
    items
      .filter(({ sk }) => sk?.S?.startsWith(INSTANCE_PREFIX))
      .map(instances.read)
      .map((instance) => [instance.name, instance]),
  );

/** Every instance, in one query. */
export const readInstances = async (): Promise<Instances> =>
  instancesIn(await readPartition('batch', PIPELINE_PK, INSTANCE_PREFIX));

export const staleAfterMs = (): number => settings['Cluster:StaleAfterSeconds'] * 1_000;

/** The state of an instance. It is stored nowhere: everybody derives it from the row and the time. */
export const stateOf = (
  { isStopped, heartbeatAtMs }: Pick<Instance, 'isStopped' | 'heartbeatAtMs'>,
  nowMs: number,
): InstanceState => {
  if (isStopped) return 'Stopped';
  return nowMs - heartbeatAtMs < staleAfterMs() ? 'Live' : 'Stale';
};

/** Whether a row is of this start of this instance. Another one is a start before it. */
export const isOfThisStart = ({ boot, isStopped }: Instance): boolean =>
  !isStopped && boot === settings['Pipeline:Boot'];

/** Whether this instance has stood down: its heartbeats have not reached the store for too long. */
export const hasStoodDown = (own: Instance | undefined, nowMs: number): boolean =>
  own !== undefined && isOfThisStart(own) && stateOf(own, nowMs) === 'Stale';

/** The row of this instance. */
export const ownOf = (all: Instances): Stored<Instance> | undefined => all.get(instanceName());
