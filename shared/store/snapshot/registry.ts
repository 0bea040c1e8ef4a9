import { processWide } from '../../async/process-wide.ts';
import { type ServiceName, tableName } from '../../settings/names.ts';

/** How a service takes part in snapshots of its table. */
export type SnapshotOptions = {
  readonly isEnabled: () => boolean;
  /** The time from the start of a snapshot after which every writer takes part in it. */
  readonly settleMs: () => number;
  /** Partition keys that are in no snapshot: their writers do not take part. */
  readonly isExcluded: (pk: string) => boolean;
};

const registered = processWide('snapshots', () => new Map<ServiceName, SnapshotOptions>());

/**
 * Has the writers of a service take part in snapshots of its table. Every process that writes to the table must do so,
 * or a snapshot may have half of one of its changes.
 * @example enableSnapshots('batch', { isEnabled: () => settings['Backup:Enabled'], settleMs, isExcluded });
 */
export function enableSnapshots(service: ServiceName, options: SnapshotOptions): void {
  registered.set(service, options);
}

/** The options of the service whose table this is. Undefined where it has no snapshots, or they are switched off. */
export function snapshotsOf(table: string): SnapshotOptions | undefined {
  for (const [service, options] of registered)
    if (tableName(service) === table) return options.isEnabled() ? options : undefined;
  return undefined;
}

/** The records of snapshots themselves, and items that count within minutes: they are written without a gate. */
const ALWAYS_EXCLUDED = /^(?:SNAPSHOT$|GATE#|CHANGES#|RATE#|SEMAPHORE#)/;

/** Whether items of this partition key are in no snapshot of the table. */
export const isExcludedKey = (options: Pick<SnapshotOptions, 'isExcluded'>, pk: string): boolean =>
  ALWAYS_EXCLUDED.test(pk) || options.isExcluded(pk);
