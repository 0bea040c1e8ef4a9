import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RaceLost } from '../../../shared/store/refusals.ts';
import { NotAllowed, transition } from '../../../shared/store/state-machine.ts';
import { runs } from '../../faults/fuzz.ts';
import { type Job, type JobEvent, jobStates, jobs, newJob } from './jobs.ts';

const anyEvent: fc.Arbitrary<JobEvent> = fc.constantFrom(...jobStates.events);

describe('the table', () => {
  test('says what is allowed, where it leads, and where it ends', () => {
    expect(jobStates.states).toEqual(['Queued', 'Processing', 'Done', 'Canceled']);
    expect(jobStates.events).toEqual(['pickedUp', 'canceled', 'signed', 'failed']);
    expect(jobStates.next('Queued', 'pickedUp')).toBe('Processing');
    expect(jobStates.next('Done', 'pickedUp')).toBeUndefined();
    expect(jobStates.accepts('Queued', 'signed')).toBe(false);
    expect(jobStates.states.filter(jobStates.isTerminal)).toEqual(['Done', 'Canceled']);
  });

  test('names that every object inherits are no events', () => {
    // @ts-expect-error not an event of the machine
    expect(jobStates.accepts('Queued', 'toString')).toBe(false);
  });

  test('no walk leaves the declared states, and nothing leads out of a terminal one', () => {
    fc.assert(
      fc.property(fc.constantFrom(...jobStates.states), fc.array(anyEvent), (start, walk) => {
        let state = start;
        for (const event of walk) {
          const next = jobStates.next(state, event);
          expect(jobStates.accepts(state, event)).toBe(next !== undefined);
          if (next === undefined) continue;
          expect(jobStates.isTerminal(state)).toBe(false);
          expect(jobStates.states).toContain(next);
          state = next;
        }
      }),
    );
  });
});

describe('transition', () => {
  test('a walk through the store ends where the table says, refusing exactly what it refuses', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { maxLength: 8 }), async (walk) => {
        let job = await jobs.create(newJob());
        let state: Job['state'] = 'Queued';
        for (const event of walk) {
          const next = jobStates.next(state, event);
          const moved = await transition(jobs, jobStates, job, event, { note: event }).catch(
            (error) => error,
          );
          if (next === undefined) {
            expect(moved).toBeInstanceOf(NotAllowed);
            continue;
          }
          expect(moved).toMatchObject({ state: next, note: event });
          job = moved;
          state = next;
        }
        expect((await jobs.get(job.id))?.state).toBe(state);
      }),
      { numRuns: runs(25) },
    );
  });

  // worker 1  |--reads Queued------- pickedUp: Processing --|
  // worker 2    |--reads Queued-------- canceled: refused, RaceLost --|
  test('of events that meet on one item one wins, and only it takes its announcement along', async () => {
    const job = await jobs.create(newJob());
    const announcements = Array.from({ length: 10 }, () => newJob());
    const outcomes = await Promise.allSettled(
      announcements.map((announcement, i) =>
        transition(
          jobs,
          jobStates,
          job,
          i % 2 === 0 ? 'pickedUp' : 'canceled',
          {},
          { also: [jobs.creating(announcement)] },
        ),
      ),
    );
    const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(lost).toHaveLength(9);
    for (const { reason } of lost) expect(reason).toBeInstanceOf(RaceLost);
    expect(await jobs.getMany(announcements.map(({ id }) => id))).toHaveLength(1);
  });

  test('a step that is not allowed says which and writes nothing', async () => {
    const job = await jobs.create(newJob({ state: 'Done' }));
    await expect(transition(jobs, jobStates, job, 'pickedUp', { note: 'x' })).rejects.toThrow(
      'The event pickedUp is not allowed in the state Done.',
    );
    expect(await jobs.get(job.id)).toEqual(job);
  });
});
