import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commit } from '../../../../shared/store/commit.ts';
import { type Entry, numberedList } from '../../../../shared/store/lists/numbered-list.ts';
import { runs } from '../../../faults/fuzz.ts';
import { killNextFold } from '../ledger/interrupt.ts';

const NOON_MS = Date.UTC(2026, 10, 14, 12);
const VIEWS = ['Pending', 'Refused', 'Done'];

// More entries than a page may pass by, so that pages are found by the counts too.
const SEEDED = 150;
const IN_ONE_COMMIT = 30;

type Step = (typeof STEPS)[number];
const STEPS = [
  'add',
  'add',
  'change',
  'change',
  'retime',
  'remove',
  'fold',
  'two folds',
  'killed fold',
] as const;

// Times in the same minute, some minutes, and months apart.
const anyTime = fc.oneof(
  fc.integer({ min: 0, max: 2 }).map((ms) => NOON_MS + ms),
  fc.integer({ min: 0, max: 100 }).map((minutes) => NOON_MS - minutes * 60_000),
  fc.integer({ min: 0, max: 400 }).map((days) => NOON_MS - days * 86_400_000),
);
// So many in one second, or one millisecond, that it has counts of its own.
const anyTimes = fc.oneof(
  ...[anyTime, fc.nat(999).map((ms) => NOON_MS + ms), fc.constant(NOON_MS + 1)].map((time) =>
    fc.array(time, { minLength: SEEDED, maxLength: SEEDED }),
  ),
);
const aStep = fc.record({ step: fc.constantFrom(...STEPS), atMs: anyTime, at: fc.nat(), view: fc.nat(3) });
const anyPage = fc.record({
  views: fc.subarray(VIEWS),
  offset: fc.integer({ min: 0, max: 40 }),
  limit: fc.integer({ min: 1, max: 30 }),
  oldestFirst: fc.boolean(),
  fromMs: fc.option(anyTime, { nil: undefined }),
  untilMs: fc.option(anyTime, { nil: undefined }),
});
// Far from the end at which it begins.
const farPage = fc.record({
  views: fc.constantFrom([], VIEWS),
  offset: fc.integer({ min: 100, max: 150 }),
  limit: fc.integer({ min: 1, max: 30 }),
  oldestFirst: fc.boolean(),
  fromMs: fc.constantFrom(undefined, NOON_MS - 390 * 86_400_000),
  untilMs: fc.constantFrom(undefined, NOON_MS + 1, NOON_MS + 900),
});
type Page = typeof anyPage extends fc.Arbitrary<infer T> ? T : never;

function expectedPage(entries: Iterable<Entry>, page: Page) {
  const newestFirst = [...entries]
    .filter(({ views = [] }) => page.views.length === 0 || views.some((view) => page.views.includes(view)))
    .filter(({ atMs }) => atMs >= (page.fromMs ?? 0) && atMs < (page.untilMs ?? Infinity))
    .sort((a, b) => b.atMs - a.atMs || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
  const ordered = page.oldestFirst ? newestFirst.toReversed() : newestFirst;
  return { total: ordered.length, ids: ordered.slice(page.offset, page.offset + page.limit) };
}

test('any list answers any page as sorting it whole would, whatever was changed, folded and killed', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyTimes,
      fc.array(aStep, { minLength: 10, maxLength: 25 }),
      fc.array(fc.oneof(anyPage, farPage), { minLength: 14, maxLength: 14 }),
      async (times, steps, pages) => {
        const name = crypto.randomUUID();
        const listOf = (views: readonly string[]) =>
          numberedList({
            service: 'sandbox',
            name,
            views: views.length > 0 ? views : undefined,
            random: () => 1,
          });
        const list = listOf([]);
        const entries = new Map<string, Entry>();
        const known = (at: number): Entry | undefined =>
          [...entries.values()][at % Math.max(1, entries.size)];
        const viewsOf = (n: number) => VIEWS.slice(n, n + 1);
        const change = (before: Entry | undefined, after: Entry | undefined) => {
          if (before) entries.delete(before.id);
          if (after) entries.set(after.id, after);
          return list.changing(before, after);
        };

        const seeded = times.map(
          (atMs, n): Entry => ({ id: `seed-${n}`, atMs, views: viewsOf(n % 10 === 0 ? 3 : n % 3) }),
        );
        for (let from = 0; from < SEEDED; from += IN_ONE_COMMIT)
          await commit(seeded.slice(from, from + IN_ONE_COMMIT).flatMap((entry) => change(undefined, entry)));

        const perform: Record<Step, (made: { atMs: number; at: number; view: number }) => Promise<unknown>> =
          {
            add: ({ atMs, view }) =>
              commit(change(undefined, { id: crypto.randomUUID(), atMs, views: viewsOf(view) })),
            change: ({ at, view }) => {
              const before = known(at);
              return commit(
                change(before, before && { ...before, views: viewsOf(view), facts: [`${view}`] }),
              );
            },
            retime: ({ at, atMs }) => {
              const before = known(at);
              return commit(change(before, before && { ...before, atMs }));
            },
            remove: ({ at }) => commit(change(known(at), undefined)),
            fold: () => list.fold(),
            'two folds': () => Promise.all([list.fold(), list.fold()]),
            'killed fold': async () => {
              const callOff = killNextFold();
              await list.fold().catch(() => undefined);
              callOff();
            },
          };
        await list.fold();
        for (const { step, ...made } of steps) await perform[step](made);
        for (const page of pages)
          expect(await listOf(page.views).slice(page)).toEqual(expectedPage(entries.values(), page));
      },
    ),
    // A smaller counterexample would take minutes to find.
    { numRuns: runs(8), endOnFailure: true },
  );
});
