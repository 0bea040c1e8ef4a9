import fc from 'fast-check';

export type Command =
  | {
      readonly do: 'send';
      readonly body: string;
      readonly delay: number | undefined;
      readonly attribute: string | undefined;
    }
  | { readonly do: 'sendMany'; readonly bodies: readonly string[] }
  | { readonly do: 'receive'; readonly timeout: number | undefined; readonly isDead: boolean }
  | { readonly do: 'remove'; readonly body: string }
  | { readonly do: 'change'; readonly body: string; readonly timeout: number }
  | { readonly do: 'count' };

export type Phases = {
  readonly maxReceives: number | undefined;
  readonly phases: readonly (readonly Command[])[];
};

/** Between the phases. Every timeout ends two seconds or more from the turn of one. */
export const PHASE_SECONDS = 5;
const TIMEOUTS = [0, 3, 7, 8] as const;

const is = <K extends Command['do']>(of: K) => fc.constant(of);
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const timeout = fc.constantFrom(...TIMEOUTS);
const body = fc.constantFrom('a', 'b', 'é\u{1f600}');

const command: fc.Arbitrary<Command> = fc.oneof<fc.Arbitrary<Command>[]>(
  fc.record({ do: is('send'), body, delay: maybe(timeout), attribute: maybe(fc.constantFrom('x', 'é')) }),
  fc.record({ do: is('send'), body, delay: maybe(timeout), attribute: fc.constant(undefined) }),
  fc.record({ do: is('sendMany'), bodies: fc.uniqueArray(body, { minLength: 1, maxLength: 3 }) }),
  fc.record({ do: is('receive'), timeout: maybe(timeout), isDead: fc.constant(false) }),
  fc.record({ do: is('receive'), timeout: maybe(timeout), isDead: fc.constant(false) }),
  fc.record({ do: is('receive'), timeout: fc.constant(7), isDead: fc.constant(true) }),
  fc.record({ do: is('remove'), body }),
  fc.record({ do: is('change'), body, timeout }),
);

// A receive takes so many, and says nothing of which it takes of more.
const MAX_SENT = 10;

/** Commands in phases. Each body is sent once: of two with the same, engines may give another handle first. */
export const phases: fc.Arbitrary<Phases> = fc
  .record({
    maxReceives: maybe(fc.integer({ min: 1, max: 3 })),
    phases: fc.array(fc.array(command, { minLength: 1, maxLength: 6, size: 'max' }), {
      minLength: 1,
      maxLength: 4,
      size: 'max',
    }),
  })
  .map((drawn) => {
    const sent: string[] = [];
    return { ...drawn, phases: drawn.phases.map((phase) => phase.map((each) => withBody(each, sent))) };
  });

function withBody(each: Command, sent: string[]): Command {
  const named = (text: string): string => {
    sent.unshift(`${text} ${sent.length}`);
    return String(sent[0]);
  };
  if (each.do === 'remove' || each.do === 'change')
    return { ...each, body: sent[each.body.length % Math.max(sent.length, 1)] ?? each.body };
  const bodies = each.do === 'send' ? [each.body] : each.do === 'sendMany' ? each.bodies : [];
  if (sent.length + bodies.length > MAX_SENT) return { do: 'count' };
  if (each.do === 'send') return { ...each, body: named(each.body) };
  return each.do === 'sendMany' ? { ...each, bodies: each.bodies.map(named) } : each;
}
