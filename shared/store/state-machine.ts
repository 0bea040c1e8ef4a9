import type { Along, Collection, Expectation, Stored } from './collection.ts';

type Table<T> = { readonly [State in keyof T]: { readonly [event: string]: Extract<keyof T, string> } };
type EventsOf<T> = { [State in keyof T]: Extract<keyof T[State], string> }[keyof T];

export type StateMachine<State extends string, Event extends string> = {
  readonly states: readonly State[];
  readonly events: readonly Event[];
  /** The state that the event leads to, or undefined when the event is not allowed in this state. */
  next(state: State, event: Event): State | undefined;
  accepts(state: State, event: Event): boolean;
  /** No event leads out of this state. */
  isTerminal(state: State): boolean;
};

/** @example type JobState = StateOf<typeof jobStates>; */
export type StateOf<M> = M extends StateMachine<infer State, string> ? State : never;
/** @example type JobEvent = EventOf<typeof jobStates>; */
export type EventOf<M> = M extends StateMachine<string, infer Event> ? Event : never;

/** The machine does not allow the event in the item's state. Nothing was written. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
  readonly state: string;
  readonly event: string;

  constructor(state: string, event: string) {
    super(`The event ${event} is not allowed in the state ${state}.`);
    this.state = state;
    this.event = event;
  }
}

/**
 * A table of state -> event -> next state, as the specification draws it.
 * @example const jobStates = stateMachine({ Queued: { pickedUp: 'Processing' }, Processing: { signed: 'Done' }, Done: {} });
 */
export function stateMachine<const T extends Table<T>>(
  table: T,
): StateMachine<Extract<keyof T, string>, EventsOf<T>> {
  type State = Extract<keyof T, string>;
  const rows = new Map(
    Object.entries<Readonly<Record<string, State>>>(table).map(([state, row]) => [
      state,
      new Map(Object.entries(row)),
    ]),
  );
  const events = new Set([...rows.values()].flatMap((row) => [...row.keys()]));
  const next = (state: State, event: EventsOf<T>) => rows.get(state)?.get(event);
  return {
    states: [...rows.keys()] as State[],
    events: [...events] as EventsOf<T>[],
    next,
    accepts: (state, event) => next(state, event) !== undefined,
    isTerminal: (state) => rows.get(state)?.size === 0,
  };
}

// Two workers meet on one job:
//
//   worker 1  |--reads Queued------- pickedUp: Processing --|
//   worker 2    |--reads Queued-------- pickedUp: refused, RaceLost --|
//
// The write expects both the state and the version that were read. Under a lease the fence replaces the version, and
// the expected state keeps a cancelled job cancelled.

/**
 * Moves an item to the state that the event leads to, with the patch, in one conditional write.
 * Throws NotAllowed when the machine has no such step, RaceLost when the item has changed since it was read.
 * @example const picked = await transition(jobs, jobStates, job, 'pickedUp', { startedAt }, { also: [announcement] });
 */
export async function transition<
  State extends string,
  Event extends string,
  T extends { readonly state: State },
  Id,
>(
  items: Collection<T, Id>,
  machine: StateMachine<State, Event>,
  current: Stored<T>,
  event: Event,
  patch: Partial<Omit<T, 'state'>> = {},
  { when, ...options }: Along & Expectation<T> = {},
): Promise<Stored<T>> {
  const state = machine.next(current.state, event);
  if (state === undefined) throw new NotAllowed(current.state, event);
  const moved = { ...patch, state } as Partial<T>;
  return items.change(current, moved, { ...options, when: { ...when, state: current.state } as Partial<T> });
}
