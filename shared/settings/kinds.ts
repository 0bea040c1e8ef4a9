/** One setting: its default, its parser, and the reason why it exists. */
export type Setting<T> = {
  readonly default: T;
  readonly unit: string;
  readonly why: string;
  readonly secret: boolean;
  /** Why a deployed service cannot work without it, and what to do. Unset or empty, it stops packaging and the start. */
  readonly requiredWhenDeployed?: string;
  /** Throws an Error whose message completes "Setting X …" when the text is not valid. */
  readonly parse: (text: string) => T;
};

const define = <T>(unit: string, value: T, why: string, parse: (text: string) => T): Setting<T> => ({
  default: value,
  unit,
  why,
  secret: false,
  parse,
});

type Bounds = { min?: number; max?: number };

function integer(text: string, unit: string, { min = 0, max = Number.MAX_SAFE_INTEGER }: Bounds): number {
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new Error(`must be a whole number${unit && ` of ${unit}`} ${range}`);
}

/** A count. @example count(50, 'Documents in one batch.', { min: 1 }) */
export const count = (value: number, why: string, bounds: Bounds = {}): Setting<number> =>
  define('count', value, why, (text) => integer(text, '', bounds));

/** A size. @example bytes(10_485_760, 'Largest document, decoded.') */
export const bytes = (value: number, why: string, bounds: Bounds = { min: 1 }): Setting<number> =>
  define('bytes', value, why, (text) => integer(text, 'bytes', bounds));

/** Seconds, written as seconds, hh:mm:ss or d.hh:mm:ss. @example duration('00:15:00', 'Lockout window.') */
export function duration(value: number | string, why: string, bounds: Bounds = {}): Setting<number> {
  const parse = (text: string): number => {
    const clock = /^(?:(\d+)\.)?(\d{1,2}):([0-5]\d):([0-5]\d)$/.exec(text);
    if (!clock) {
      try {
        return integer(text, 'seconds', bounds);
      } catch (error) {
        throw new Error(`${(error as Error).message}, hh:mm:ss or d.hh:mm:ss`);
      }
    }
    const [days = 0, hours = 0, minutes = 0, seconds = 0] = clock.slice(1).map((part) => Number(part ?? 0));
    return integer(String(((days * 24 + hours) * 60 + minutes) * 60 + seconds), 'seconds', bounds);
  };
  return define('seconds', typeof value === 'string' ? parse(value) : value, why, parse);
}

/** A switch. @example flag(true, 'Whether uploads are accepted.') */
export const flag = (value: boolean, why: string): Setting<boolean> =>
  define('true|false', value, why, (text) => {
    if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
    throw new Error('must be true or false');
  });

/** Free text. @example text('X-API-Key', 'Header that carries the key.') */
export const text = (value: string, why: string): Setting<string> =>
  define('text', value, why, (given) => given);

/** Text that is never printed. @example secret('', 'The operator key.') */
export const secret = (value: string, why: string): Setting<string> => ({
  ...text(value, why),
  secret: true,
});

/** The form of the ARN of a KMS key. IAM matches neither an alias nor a bare id as a resource. */
export const KMS_KEY = {
  form: /^arn:[^:]+:kms:[^:]+:\d{12}:key\/[\w-]+$/,
  must: 'the ARN of a KMS key, arn:aws:kms:REGION:ACCOUNT:key/ID',
} as const;

/** The ARN of a KMS key; none by default. @example kmsKey('Encrypts the ring.') */
export const kmsKey = (why: string): Setting<string> =>
  define('text', '', why, (given) => {
    if (given === '' || KMS_KEY.form.test(given)) return given;
    throw new Error(`must be ${KMS_KEY.must}`);
  });

const MIN_KEY_CHARACTERS = 16;

/** A secret that callers send in a header: printable ASCII, and not short. @example headerKey('The operator key.') */
export const headerKey = (why: string): Setting<string> => ({
  ...secret('', why),
  parse: (given) => {
    if (given === '' || /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(given)) {
      if (given === '' || given.length >= MIN_KEY_CHARACTERS) return given;
    }
    throw new Error(`must have at least ${MIN_KEY_CHARACTERS} characters, all of them ASCII that prints`);
  },
});

/** The name of a cookie: a token of RFC 9110, 5.6.2. @example cookieName('lbs-auth', 'The session of an operator.') */
export const cookieName = (value: string, why: string): Setting<string> =>
  define('text', value, why, (given) => {
    if (/^[\w!#$%&'*+.^`|~-]+$/.test(given)) return given;
    throw new Error('must be a name of letters, digits and dashes');
  });

/** One of a few words. @example choice('INFO', ['DEBUG', 'INFO'], 'Least level logged.') */
export const choice = <const T extends string>(value: T, allowed: readonly T[], why: string): Setting<T> =>
  define(allowed.join('|'), value, why, (given) => {
    const found = allowed.find((word) => word.toLowerCase() === given.toLowerCase());
    if (found !== undefined) return found;
    throw new Error(`must be one of ${allowed.join(', ')}`);
  });

/** A time zone that this runtime knows. @example timeZone('America/Sao_Paulo', 'Whose date is today.') */
export const timeZone = (value: string, why: string): Setting<string> =>
  define('time zone', value, why, (given) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions().timeZone;
    } catch {
      throw new Error('must be a time zone of the IANA database, such as America/Sao_Paulo');
    }
  });

/** A time of day, hh:mm, in minutes after midnight. @example timeOfDay('When the backup begins.') */
export const timeOfDay = (why: string): Setting<number> =>
  define('hh:mm', 0, why, (given) => {
    const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(given) ?? [];
    if (hours !== undefined && minutes !== undefined) return Number(hours) * 60 + Number(minutes);
    throw new Error('must be a time of day such as 02:30');
  });

/** An absolute http(s) address, kept without a trailing slash. @example address('http://localhost:3000', 'Root.') */
export const address = (value: string, why: string): Setting<string> =>
  define('address', value, why, (given) => {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (url && /^https?:$/.test(url.protocol)) return given.replace(/\/+$/, '');
    throw new Error('must be an absolute http or https address');
  });

/** An absolute ws(s) address. @example socketAddress('Where agents connect.') */
export const socketAddress = (why: string): Setting<string> =>
  define('address', '', why, (given) => {
    if (/^wss?:$/.test((URL.canParse(given) ? new URL(given) : undefined)?.protocol ?? '')) return given;
    throw new Error('must be an absolute ws or wss address');
  });

/** Several addresses, separated by commas; none by default. @example addresses('Timestamp authorities, asked in this order.') */
export const addresses = (why: string): Setting<readonly string[]> =>
  define<readonly string[]>('addresses', [], why, (given) =>
    given
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(address('', why).parse),
  );

/** Extensions of file names in lower case with their dot, separated by commas. @example extensions('Files that are taken.') */
export const extensions = (why: string): Setting<readonly string[]> =>
  define<readonly string[]>('extensions', [], why, (given) =>
    given
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter((part) => part !== '')
      .map((part) => {
        if (/^\.?[\p{L}\p{N}]+$/u.test(part)) return part.startsWith('.') ? part : `.${part}`;
        throw new Error('must be extensions such as .pdf, separated by commas');
      }),
  );

/** Files by id, `id=file` separated by commas; an id may have several files. None by default. @example filesById('Roots by the id of their context.') */
export const filesById = (why: string): Setting<readonly { readonly id: string; readonly file: string }[]> =>
  define<readonly { readonly id: string; readonly file: string }[]>('id=file', [], why, (given) =>
    given
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part) => {
        const [, id = '', file = ''] = ID_AND_FILE.exec(part) ?? [];
        if (!id) throw new Error('must be id=file, several separated by commas, each id a UUID');
        return { id: id.toLowerCase(), file };
      }),
  );

const ID_AND_FILE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\s*=\s*(\S.*)$/i;

/** A setting that a deployed service needs. @example requiredWhenDeployed(secret('', 'A key.'), 'nothing is signed without it.') */
export const requiredWhenDeployed = <T>(setting: Setting<T>, reason: string): Setting<T> => ({
  ...setting,
  requiredWhenDeployed: reason,
});

/**
 * A setting without a default: undefined when it is not set, or set to nothing, as templates of deployments do.
 * @example optional(count(1, 'Signature Allowance.'))
 */
export const optional = <T>(setting: Setting<T>): Setting<T | undefined> => ({
  ...setting,
  default: undefined,
  parse: (given) => (given === '' ? undefined : setting.parse(given)),
});
