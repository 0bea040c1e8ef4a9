import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { tableName } from '../../../../../../shared/settings/names.ts';
import { dynamo } from '../../../../../../shared/store/client.ts';
import type { Attributes } from '../../../../../../shared/store/item.ts';
import { type Recounted, recountLists, tally } from '../../../../../../shared/store/lists/recount.ts';
import { inputKeyOf, inputOf, isInputRecorded } from '../../../../jobs/domain/job/inputs.ts';
import { type Job, jobs } from '../../../../jobs/domain/job/job.ts';
import { changingLists } from '../../../../jobs/domain/job/list.ts';
import { claimKeys } from '../../../../jobs/domain/job/names.ts';
import { jobStates } from '../../../../jobs/domain/job/states.ts';
import { eventOfRow, listingEvent } from '../../../../operations/domain/events.ts';

export type Recount = {
  readonly jobs: number;
  readonly events: number;
  readonly compared: readonly Recounted[];
  readonly isRight: boolean;
};

const isList = (name: string): boolean => name === 'events' || /^jobs(?:$|[/!])/.test(name);

/**
 * Reads the whole table of this stage once and compares what follows from its jobs and events with what it has: the
 * entries and counts of their lists, the names and paths that are claimed, and the inputs of jobs that have not ended.
 */
export async function recount(): Promise<Recount> {
  const lists = recountLists(isList);
  const [names, activeNames] = [tally('names of files'), tally('names of files of active jobs')];
  const [paths, inputs] = [tally('paths of active jobs'), tally('inputs of active jobs')];
  const seen = { jobs: 0, events: 0 };
  const active = new Set<string>();
  const known: { readonly pk: string; readonly jobId: string }[] = [];

  const expectClaims = (job: Job): void => {
    const isActive = !jobStates.isTerminal(job.state);
    if (isActive) active.add(job.id);
    const input = inputOf(job);
    if (isActive && input && isInputRecorded(job)) inputs.expect(`${inputKeyOf(input).pk} ${job.id}`);
    // A document of the external service has neither path nor name.
    if (job.folderDocument) return;
    const { pk } = claimKeys.name(job.fileName);
    if (isActive || job.state === 'Completed') names.expect(pk);
    if (isActive) activeNames.expect(pk);
    if (isActive && job.originalPath !== null)
      paths.expect(`${claimKeys.path(job.originalPath).pk} ${job.id}`);
  };
  const see = (item: Attributes): void => {
    const [pk, sk] = [item.pk?.S ?? '', item.sk?.S];
    lists.see(item);
    const event = eventOfRow(item);
    if (event) {
      seen.events += 1;
      lists.expect(listingEvent(event));
    }
    if (sk === 'JOB' && pk.startsWith('JOB#')) {
      const job = jobs.read(item);
      seen.jobs += 1;
      lists.expect(changingLists(undefined, job));
      expectClaims(job);
    } else if (sk === 'NAME') {
      names.find(pk, Number(item.holders?.N ?? 0));
      activeNames.find(pk, Number(item.active?.N ?? 0));
    } else if (sk === 'PATH') paths.find(`${pk} ${item.jobId?.S}`);
    else if (sk === 'INPUT') known.push({ pk, jobId: item.jobId?.S ?? '' });
  };

  let start: Attributes | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamo().send(
      new ScanCommand({ TableName: tableName('batch'), ConsistentRead: true, ExclusiveStartKey: start }),
    );
    for (const item of Items) see(item);
    start = LastEvaluatedKey;
  } while (start);
  // Inputs of ended jobs stay known until they are deleted.
  for (const { pk, jobId } of known) if (active.has(jobId)) inputs.find(`${pk} ${jobId}`);

  const compared = [...lists.results(), ...[names, activeNames, paths, inputs].map((each) => each.result())];
  return { ...seen, compared, isRight: compared.every(({ isSame }) => isSame) };
}
