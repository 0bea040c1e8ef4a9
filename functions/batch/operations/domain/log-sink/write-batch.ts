import { ifThrown } from '../../../../../shared/errors/expected.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { AlreadyExists } from '../../../../../shared/store/refusals.ts';
import { recordingEvent } from '../events.ts';
import { counting } from '../metrics.ts';
import type { Batch } from './sink.ts';

/** Writes entries to the event log together with their counts. */
export async function writeBatch({ entries, dropped, outages }: Batch): Promise<void> {
  // An attempt before this one was written, though its answer was lost: all of it, or nothing.
  await commit([
    ...entries.flatMap(({ id, atMs, ...entry }) => recordingEvent(entry, atMs, id)),
    ...(dropped > 0 ? [counting('bulk_log_sink_dropped_total', {}, dropped)] : []),
    ...(outages > 0 ? [counting('bulk_log_sink_outages_total', {}, outages)] : []),
  ]).catch(ifThrown(AlreadyExists));
}
