import type { Worker } from '../../jobs/domain/engine/run-claimed.ts';

/** Who looks at the external service, and for how long. */
export type Looker = Worker & {
  readonly hasTime: () => boolean;
  /** When the schedule wanted the look. */
  readonly dueAtMs?: number | undefined;
};
