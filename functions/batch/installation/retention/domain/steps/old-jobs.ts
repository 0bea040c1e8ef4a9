import { RaceLost } from '../../../../../../shared/store/refusals.ts';
import type { ItemWrite, Write } from '../../../../../../shared/store/write.ts';
import { type Deletion, deleteFinished } from '../../../../jobs/domain/clearing/delete-finished.ts';
import { forgettingInput, inputOf, readInputs } from '../../../../jobs/domain/job/inputs.ts';
import type { Job } from '../../../../jobs/domain/job/job.ts';
import { releasingOutput } from '../../../../jobs/domain/job/names.ts';
import { settings } from '../../../../settings.ts';
import { CLEANUP_ID, type Cleanup, cleanups, type Run, TakenOver } from '../run-record.ts';
import { findMissingOutputs } from './missing-outputs.ts';

/**
 * Deletes jobs that ended long ago, and frees their names. Their outputs and error files go by their own age. The input
 * of an upload is forgotten with its last job, and a later step deletes it as an upload without a job; files of watched
 * folders stay, and are known.
 */
export async function deleteOldJobs(run: Run, nowMs: number): Promise<boolean> {
  const beforeMs = run.dueBefore(settings['Retention:JobDays']);
  if (beforeMs === undefined) return true;
  // Jobs whose deletion was counted as a missing output too, by the commit that counted them.
  const missing = new Set<string>();
  const deletion: Deletion<Cleanup> = {
    beforeMs,
    isDue: ({ updatedAtMs }) => updatedAtMs < beforeMs,
    after: run.place().cursor ?? undefined,
    withInputs: true,
    async writesOf(found) {
      const outputs = await findMissingOutputs(found);
      for (const { id } of found) {
        if (outputs.names.has(id)) missing.add(id);
        else missing.delete(id);
      }
      const inputs = await inputsToForget(found);
      const known = found.filter(({ id }) => !outputs.unknown.has(id));
      return new Map(
        known.map((job) => {
          const name = outputs.names.get(job.id);
          const release = name === undefined ? [] : [orRaceLost(releasingOutput(name, job.id))];
          return [job.id, [...release, ...(inputs.get(job.id) ?? [])]];
        }),
      );
    },
    read: async () => {
      const { runner } = run.record();
      const found = await cleanups.get(CLEANUP_ID);
      return found?.runner === runner ? found : undefined;
    },
    counting: (record, deleted) =>
      run.changing(
        {
          add: {
            jobsDeleted: deleted.length,
            filesMissing: deleted.filter(({ id }) => missing.has(id)).length,
          },
        },
        record,
      ),
    skipping: (record, skipped, place) => ({
      ...run.changing({ add: { errors: skipped }, cursor: place }, record),
      refusal: () => new TakenOver(),
    }),
  };
  const { record, isDone } = await deleteFinished(deletion, run.record(), run.hasTime, nowMs);
  run.changed(record);
  if (!isDone) await run.save({});
  return isDone;
}

/** The writes that forget the inputs of uploads with the last jobs that were made of them. */
async function inputsToForget(found: readonly Job[]): Promise<ReadonlyMap<string, Write[]>> {
  const uploads = found.filter((job) => job.folder === null && job.inputShare === null);
  const places = new Map(uploads.flatMap((job) => [[job.id, inputOf(job)] as const]));
  const keys = [...places.values()].flatMap((place) => place?.key ?? []);
  const known = await readInputs(null, [...new Set(keys)]);
  return new Map(
    [...places].flatMap(([id, place]) =>
      place && known.get(place.key)?.jobId === id ? [[id, [orRaceLost(forgettingInput(place, id))]]] : [],
    ),
  );
}

const orRaceLost = (write: ItemWrite): ItemWrite => ({
  ...write,
  refusal: () => new RaceLost('The file of a job has another one by now.'),
});
