import type { Said } from './said.ts';

/** A code's row: its status (several where the specification says so, null where it is never an HTTP answer), and what it says in English. */
type Row = readonly [status: number | null | readonly number[], message: string];

export type ErrorRows = Readonly<Record<string, Row>>;

/** The languages of the pages beside English, with a sentence for every code. One that lacks a code does not compile. */
export type ErrorTranslations<Code extends string> = { readonly 'pt-BR': Readonly<Record<Code, string>> };

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
export type FieldProblem = {
  readonly field: string;
  readonly message: string;
  /** The same in any language. */
  readonly rule?: Said;
};

type Extra = {
  readonly status?: number;
  readonly fields?: readonly FieldProblem[];
  /** The reason in any language, where the details have it in English. It is in no answer. */
  readonly said?: Said | undefined;
  readonly headers?: Readonly<Record<string, string>>;
};

/** An answer that says no, in the service's own vocabulary. Made by a table's `refuse`. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: Details | undefined;
  readonly fields: readonly FieldProblem[];
  readonly said: Said | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: string, status: number, message: string, details?: Details, extra: Extra = {}) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.status = status;
    this.details = details;
    this.fields = extra.fields ?? [];
    this.said = extra.said ?? this.fields[0]?.rule;
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

/** Something that the work needs is not there now, and will be later. The message is for the log; callers get a 503. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

export type ErrorTable<Code extends string = string> = {
  readonly rows: ErrorRows;
  /**
   * What a code says. English where the table has no other language. Content spoofing: an unknown code says nothing, so
   * that a link cannot put words on a page.
   */
  text(code: string, language?: 'en' | keyof ErrorTranslations<Code>): string | undefined;
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
 * A service's vocabulary of errors, as data. The API answers in English; pages show the language of their visitor.
 * @example const errors = errorTable({ SESSION_EXPIRED: [401, 'No active session by this id.'] });
 *          throw errors.refuse('SESSION_EXPIRED');
 */
export function errorTable<const Rows extends ErrorRows>(
  rows: Rows,
  translations?: ErrorTranslations<keyof Rows & string>,
): ErrorTable<keyof Rows & string> {
  const text = (code: string, language: 'en' | keyof ErrorTranslations<string> = 'en') => {
    if (!Object.hasOwn(rows, code)) return undefined;
    const translated: Readonly<Record<string, string>> =
      language === 'en' ? {} : (translations?.[language] ?? {});
    return translated[code] ?? rows[code]?.[1];
  };
  const statuses = (code: string): readonly number[] => {
    const status = rows[code]?.[0] ?? [];
    return typeof status === 'number' ? [status] : status;
  };
  return {
    rows,
    text,
    statuses,
    refuse(code, details, extra = {}) {
      const allowed = statuses(code);
      const status = extra.status ?? allowed[0];
      if (status === undefined || !allowed.includes(status)) {
        throw new Error(`The error table does not answer ${code} with status ${status}.`);
      }
      return new Refusal(code, status, text(code) ?? code, details, extra);
    },
  };
}
