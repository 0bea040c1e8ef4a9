/** A code's row: its status (several where the specification says so, null where it is never an HTTP answer), and what it says. */
type Row = readonly [status: number | null | readonly number[], message: string];

export type ErrorRows = Readonly<Record<string, Row>>;

/** What a refusal tells beyond its code, by name. */
export type Details = Readonly<Record<string, unknown>>;

/** The framework's own reasons to refuse, before a domain is asked. */
export type Situation =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'tooLarge'
  | 'unsupportedMedia'
  | 'tooSlow'
  | 'noRoute'
  | 'rateLimited'
  | 'busy'
  | 'unavailable'
  | 'unexpected';

/** A field that does not hold, by its path in the request. */
export type FieldProblem = { readonly field: string; readonly message: string };

type Extra = {
  readonly status?: number;
  readonly fields?: readonly FieldProblem[];
  readonly headers?: Readonly<Record<string, string>>;
};

/** An answer that says no, in the service's own vocabulary. Made by a table's `refuse`. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: Details | undefined;
  readonly fields: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: string, status: number, message: string, details?: Details, extra: Extra = {}) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.status = status;
    this.details = details;
    this.fields = extra.fields ?? [];
    this.headers = extra.headers ?? {};
  }
}

/** A situation met by the framework; the service's table gives it a code. */
export class Problem extends Error {
  readonly situation: Situation;
  readonly details: Details | undefined;
  readonly extra: Extra;

  constructor(situation: Situation, details?: Details, extra: Extra = {}) {
    super(situation);
    this.name = 'Problem';
    this.situation = situation;
    this.details = details;
    this.extra = extra;
  }
}

export type ErrorTable<Code extends string = string> = {
  readonly rows: ErrorRows;
  /** The statuses a code may be answered with, the usual one first; none when it is never an answer. */
  statuses(code: Code): readonly number[];
  /** Makes the refusal to throw. Takes only codes of this table. */
  refuse(code: Code, details?: Details, extra?: Extra): Refusal;
};

/**
 * Rows of another table, for a service that says the same.
 * @example errorTable({ ...rowsOf(batchErrors, ['job.not-found']), 'upload.disabled': [409, '…'] })
 */
export const rowsOf = <Code extends string, Picked extends Code>(
  { rows }: ErrorTable<Code>,
  codes: readonly Picked[],
): Readonly<Record<Picked, Row>> =>
  Object.fromEntries(codes.map((code) => [code, rows[code]])) as Readonly<Record<Picked, Row>>;

/**
 * A service's vocabulary of errors, as data.
 * @example const errors = errorTable({ SESSION_EXPIRED: [401, 'No active session by this id.'] });
 *          throw errors.refuse('SESSION_EXPIRED');
 */
export function errorTable<const Rows extends ErrorRows>(rows: Rows): ErrorTable<keyof Rows & string> {
  const statuses = (code: string): readonly number[] => {
    const status = rows[code]?.[0] ?? [];
    return typeof status === 'number' ? [status] : status;
  };
  return {
    rows,
    statuses,
    refuse(code, details, extra = {}) {
      const allowed = statuses(code);
      const status = extra.status ?? allowed[0];
      if (status === undefined || !allowed.includes(status)) {
        throw new Error(`The error table does not answer ${code} with status ${status}.`);
      }
      return new Refusal(code, status, rows[code]?.[1] ?? code, details, extra);
    },
  };
}
