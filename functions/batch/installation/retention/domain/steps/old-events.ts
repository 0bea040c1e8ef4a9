import { fitsOneCommit } from '../../../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../../../shared/store/refusals.ts';
import type { Write } from '../../../../../../shared/store/write.ts';
import { deletingEvent, eventList, type OperationalEvent } from '../../../../operations/domain/events.ts';
import { settings } from '../../../../settings.ts';
import type { Run } from '../run-record.ts';

const EVENTS_PER_PAGE = 500;

/** Deletes old events, with their entries and their counts. */
export async function deleteOldEvents(run: Run): Promise<boolean> {
  const beforeMs = run.dueBefore(settings['Retention:EventDays']);
  if (beforeMs === undefined) return true;
  const list = eventList();
  const end = list.placeOf('', beforeMs);
  let after = run.place().cursor ?? undefined;
  do {
    const entries = await list.walk({ oldestFirst: true, limit: EVENTS_PER_PAGE, after });
    const due = entries.filter(({ place }) => place < end);
    const found = await list.itemsOf<OperationalEvent>(due);
    for (const group of groupsOf(found, run)) {
      if (!run.hasTime()) {
        await run.save({});
        return false;
      }
      await deleteTogether(group, run);
    }
    after = due.length === EVENTS_PER_PAGE ? due.at(-1)?.place : undefined;
  } while (after !== undefined);
  return true;
}

type Group = { readonly events: OperationalEvent[]; readonly writes: Write[] };

/** The events in groups, each of which one transaction can delete with the record of the run. */
function groupsOf(found: readonly OperationalEvent[], run: Run): Group[] {
  const groups: Group[] = [];
  const counted = run.changing({});
  for (const event of found) {
    const group = groups.at(-1);
    const writes = deletingEvent(event);
    if (group && fitsOneCommit([counted, ...group.writes, ...writes])) {
      group.events.push(event);
      group.writes.push(...writes);
    } else groups.push({ events: [event], writes });
  }
  return groups;
}

async function deleteTogether(group: Group, run: Run): Promise<void> {
  try {
    await run.save({ add: { operationalEventsDeleted: group.events.length } }, group.writes);
  } catch (error) {
    if (!(error instanceof RaceLost)) throw error;
    // One of them was deleted by another process, or has no entry: the others go alone.
    if (group.events.length === 1) return run.save({ add: { errors: 1 } });
    for (const event of group.events)
      await deleteTogether({ events: [event], writes: deletingEvent(event) }, run);
  }
}
