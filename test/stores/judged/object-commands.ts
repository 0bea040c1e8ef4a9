import fc from 'fast-check';

/** The tag that a condition names: of the object as it is known, of another one, or any. */
export type Tag = 'own' | 'other' | '*';

export type Command =
  | { do: 'put'; key: string; body: string; type: string | undefined; isNew: boolean }
  | { do: 'get'; key: string; range: string | undefined; tag: Tag | undefined }
  | { do: 'head'; key: string }
  | { do: 'delete'; key: string; tag: Tag | undefined }
  | { do: 'deleteMany'; keys: readonly string[] }
  | { do: 'copy'; key: string; from: string; tag: Tag | undefined }
  | {
      do: 'list';
      prefix?: string | undefined;
      delimiter?: string | undefined;
      max?: number | undefined;
      after?: string | undefined;
    }
  | { do: 'upload'; key: string; type: string | undefined }
  | { do: 'part'; key: string; upload: number; number: number; isLarge: boolean }
  | { do: 'complete'; key: string; upload: number; numbers: readonly number[]; isNew: boolean }
  | { do: 'abort'; key: string; upload: number }
  | { do: 'uploads' };

const is = <K extends Command['do']>(of: K) => fc.constant(of);
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });

// Few keys: commands are to find objects. The last two sort otherwise by UTF-16 than by their bytes.
const KEYS = ['a', 'a/b', 'a/c d', 'b+é', 'z/\uffee', 'z/\u{1f600}'] as const;
const key = fc.constantFrom<string>(...KEYS);
const tag = maybe(fc.constantFrom<Tag>('own', 'own', 'other'));
const type = maybe(fc.constantFrom('text/plain', 'application/pdf'));
const body = fc.constantFrom('', 'x', '0123456789', 'é'.repeat(40));
const range = maybe(
  fc.constantFrom(
    'bytes=0-0',
    'bytes=2-5',
    'bytes=4-',
    'bytes=-3',
    'bytes=-300',
    'bytes=5-500',
    'bytes=500-',
    'bytes=5-2',
    'lines=1-2',
  ),
);
// All parts of a sequence are of one key, as all uploads are.
const UPLOADED = 'a/b';
const upload = fc.constantFrom(0, 0, 1);

const command: fc.Arbitrary<Command> = fc.oneof<fc.Arbitrary<Command>[]>(
  fc.record({ do: is('put'), key, body, type, isNew: fc.boolean() }),
  fc.record({ do: is('put'), key, body, type, isNew: fc.constant(false) }),
  fc.record({ do: is('get'), key, range, tag }),
  fc.record({ do: is('head'), key }),
  fc.record({ do: is('delete'), key, tag }),
  fc.record({ do: is('deleteMany'), keys: fc.uniqueArray(key, { minLength: 1, maxLength: 3 }) }),
  fc.record({ do: is('copy'), key, from: key, tag }),
  fc.record({
    do: is('list'),
    prefix: maybe(fc.constantFrom('a', 'a/', 'z/', 'none')),
    delimiter: maybe(fc.constant('/')),
    max: maybe(fc.integer({ min: 1, max: 3 })),
    after: maybe(key),
  }),
  fc.record({ do: is('upload'), key: fc.constant(UPLOADED), type }),
  fc.record({
    do: is('part'),
    key: fc.constant(UPLOADED),
    upload,
    number: fc.integer({ min: 1, max: 3 }),
    isLarge: fc.nat(9).map((n) => n === 0),
  }),
  fc.record({
    do: is('complete'),
    key: fc.constant(UPLOADED),
    upload,
    numbers: fc.constantFrom([1], [1, 2], [2], [2, 1], [1, 3]),
    isNew: fc.boolean(),
  }),
  fc.record({ do: is('abort'), key: fc.constant(UPLOADED), upload }),
  fc.constant({ do: 'uploads' as const }),
);

// Objects and an upload to begin with: commands are to find something.
const first: fc.Arbitrary<Command[]> = fc
  .uniqueArray(key, { minLength: 2, maxLength: 4 })
  .map((keys) => [
    ...keys.map((each): Command => ({ do: 'put', key: each, body: each, type: undefined, isNew: false })),
    { do: 'upload', key: UPLOADED, type: 'text/plain' },
    { do: 'part', key: UPLOADED, upload: 0, number: 1, isLarge: false },
  ]);

export const commands: fc.Arbitrary<Command[]> = fc
  .tuple(first, fc.array(command, { minLength: 1, maxLength: 30, size: 'max' }))
  .map((parts) => parts.flat());
