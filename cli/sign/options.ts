import { HELP, parseCommandLine } from '../../shared/command-line/parse.ts';
import type { Place } from '../../shared/signing/pades/appearance/place.ts';
import { requireOneFile } from '../arguments/named-file.ts';
import { refuseSecretArguments } from '../arguments/secret-arguments.ts';

export const FORMATS = ['pades', 'cades', 'xades'] as const;
export type Format = (typeof FORMATS)[number];

const LEVELS = ['B-B', 'B-T', 'B-LT', 'B-LTA'] as const;
export type Level = (typeof LEVELS)[number];

const DIGESTS = ['sha256', 'sha384', 'sha512'] as const;

const PARSED = {
  p12: { type: 'string' },
  'pin-file': { type: 'string' },
  'pin-env': { type: 'string' },
  serial: { type: 'string' },
  format: { type: 'string', default: 'auto' },
  level: { type: 'string' },
  timestamp: { type: 'string', multiple: true, default: [] as string[] },
  policy: { type: 'string' },
  'policy-uri': { type: 'string' },
  trust: { type: 'string', multiple: true, default: [] as string[] },
  digest: { type: 'string', default: 'sha256' },
  detached: { type: 'boolean', default: false },
  pem: { type: 'boolean', default: false },
  cosign: { type: 'boolean', default: false },
  content: { type: 'string' },
  element: { type: 'string' },
  'leave-room': { type: 'boolean', default: false },
  field: { type: 'string' },
  visible: { type: 'string' },
  image: { type: 'string' },
  reason: { type: 'string' },
  location: { type: 'string' },
  out: { type: 'string' },
  force: { type: 'boolean', default: false },
  ...HELP,
} as const;

/** The checked options of a command line. */
export type Options = NonNullable<ReturnType<typeof readOptions>>;

/** Undefined for --help and for an empty command line. @example readOptions(['report.pdf', '--p12', 'holder.p12']) */
export function readOptions(argv: readonly string[]) {
  refuseSecretArguments(argv, { name: 'PIN', option: 'pin' });
  const { values, positionals } = parseCommandLine(
    { args: [...argv], options: PARSED, strict: true, allowPositionals: true },
    'npm run sign -- --help',
  );
  if (values.help || argv.length === 0) return undefined;
  const file = requireOneFile(positionals, ['sign', 'signed']);
  if (values.p12 === undefined) throw new Error('Name the PKCS#12 file with the key: --p12 FILE.p12');
  if (values.out === '') throw new Error('--out takes the name of a file, and is empty.');
  if (values['policy-uri'] !== undefined && values.policy === undefined)
    throw new Error(
      '--policy-uri says where the policy of --policy FILE.der is published. Name that file too.',
    );
  if (values.content !== undefined && !values.cosign)
    throw new Error('--content goes with --cosign: it names the content of the detached signature.');
  const { format, level, digest, visible, ...rest } = values;
  return {
    ...rest,
    file,
    p12: values.p12,
    // Only CMS signatures stand apart from their document. PDF and XML carry theirs.
    format: format === 'auto' ? (values.cosign ? 'cades' : undefined) : oneOf('format', format, FORMATS),
    level: levelOf(level, values.timestamp),
    digest: oneOf('digest', digest, DIGESTS),
    visible: visible === undefined ? undefined : readPlace(visible),
  };
}

/** One of a few words, in any case. */
function oneOf<const T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((word) => word.toLowerCase() === value.toLowerCase());
  if (found !== undefined) return found;
  throw new Error(`--${option} takes ${allowed.join(', ')}, not "${value}".`);
}

function levelOf(given: string | undefined, authorities: readonly string[]): Level {
  const level = given === undefined ? undefined : oneOf('level', given, LEVELS);
  if (level !== undefined && level !== 'B-B' && authorities.length === 0)
    throw new Error(`Level ${level} has a timestamp. Name an authority: --timestamp URL`);
  if (level === 'B-B' && authorities.length > 0)
    throw new Error('Level B-B has no timestamp. Leave out --timestamp, or ask for --level B-T.');
  for (const url of authorities)
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new Error(`--timestamp takes an http or https address, not "${url}".`);
  return level ?? (authorities.length > 0 ? 'B-T' : 'B-B');
}

function readPlace(given: string): Place {
  const numbers = given.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [page = 0, x = 0, y = 0, width = 0, height = 0] = numbers;
  const holds = numbers.length === 5 && numbers.every(Number.isFinite) && Number.isInteger(page) && page >= 1;
  if (!holds || width <= 0 || height <= 0)
    throw new Error(`--visible takes page,x,y,width,height, such as 1,50,50,200,60, not "${given}".`);
  return { page, x, y, width, height };
}
