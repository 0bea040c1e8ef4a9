import { accessSync, constants, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { isMap, isScalar, LineCounter, type Pair, parseDocument, type Scalar, type YAMLMap } from 'yaml';
import * as z from 'zod';
import { didYouMean } from '../../../shared/command-line/nearest.ts';
import { CommandRefusal, reasonOf } from '../../../shared/command-line/reason.ts';
import { LOCAL_STAGE } from '../../../shared/settings/names.ts';
import { isNetwork } from '../../../shared/settings/networks.ts';
import type { Manual } from '../../../shared/settings/settings.ts';
import { STAGE_NAME } from '../../plugins/deployable.ts';
import { manuals, variablesOf } from '../../settings.ts';

const seconds = z.int().min(0).max(900);
const workers = z.int().min(1).max(64);

const isOwnMachine = (hostname: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

const PublicUrl = z.string().refine((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isOwnMachine(url.hostname));
}, 'must be an https address: cookies and keys are sent over https alone (http is for localhost)');

const Network = z.string().refine(isNetwork, 'must be an address or a network, such as 10.0.0.0/8');

const Shape = z.strictObject({
  stage: z
    .string()
    .refine(
      (name) => STAGE_NAME.test(name) && name !== LOCAL_STAGE,
      `must be at most 16 lower-case letters, digits and hyphens, and not "${LOCAL_STAGE}", which is the sandbox`,
    ),
  publicUrl: PublicUrl,
  listen: z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1'),
      port: z.int().min(0).max(65_535).default(3000),
      cert: z.string().optional(),
      key: z.string().optional(),
    })
    .prefault({}),
  data: z.string().min(1).optional(),
  stores: z.enum(['embedded', 'aws', 'endpoints']).default('embedded'),
  trustedProxies: z.array(Network).default([]),
  workers: z
    .strictObject({
      http: workers.default(availableParallelism()),
      queues: workers.default(Math.max(1, Math.floor(availableParallelism() / 2))),
    })
    .prefault({}),
  stop: z
    .strictObject({
      /** Readiness is red for so long before the port closes, so that a balancer looks elsewhere. */
      announceSeconds: seconds.default(0),
      /** The longest call takes 120 s. */
      withinSeconds: seconds.default(130),
    })
    .prefault({}),
  settings: z.record(z.string(), z.unknown()).default({}),
});

/** `sinete.yaml`, with every path absolute and the settings by the names of their variables. */
export type HostConfig = Omit<z.output<typeof Shape>, 'settings'> & {
  readonly file: string;
  readonly settings: Readonly<Record<string, string>>;
};

/** The settings of a host: it has no sandbox. */
export const hostManuals = async (): Promise<Manual[]> =>
  (await manuals()).filter(({ owner }) => owner !== 'sandbox');

/**
 * Reads the host's file. One refusal names everything that is wrong in it, each with its line.
 * @example const { stage, listen } = await readConfig('/etc/sinete/sinete.yaml');
 */
export async function readConfig(file: string): Promise<HostConfig> {
  const lines = new LineCounter();
  const document = parseDocument(readText(file), { lineCounter: lines });
  const [broken] = document.errors;
  if (broken) throw new CommandRefusal(`${file}: ${reasonOf(broken)}`);
  const at = (path: readonly PropertyKey[]): string => `${file}:${lineOf(document.contents, path, lines)}`;

  const found = Shape.safeParse(document.toJS() ?? {});
  const problems = found.success ? [] : found.error.issues.flatMap((issue) => explain(issue, at));
  const given = isMap(document.contents) ? document.contents.get('settings') : undefined;
  const settings = await readSettings(isMap(given) ? given : undefined, dirname(file));
  problems.push(...settings.problems.map(({ name, problem }) => `${at(['settings', name])}: ${problem}`));
  if (found.success) problems.push(...conflictsIn(found.data).map((problem) => `${file}: ${problem}`));
  if (!found.success || problems.length > 0) throw new CommandRefusal(problems.join('\n'));

  const beside = (path: string): string => resolve(dirname(file), path);
  const { data, listen, publicUrl, ...rest } = found.data;
  return {
    ...rest,
    file,
    publicUrl: publicUrl.replace(/\/+$/, ''),
    ...(data !== undefined && { data: beside(data) }),
    listen: {
      ...listen,
      ...(listen.cert !== undefined && { cert: beside(listen.cert) }),
      ...(listen.key !== undefined && { key: beside(listen.key) }),
    },
    settings: settings.values,
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandRefusal(`${file} cannot be read: ${reasonOf(error)}. Name another with --config FILE.`);
  }
}

function conflictsIn({ stores, data, listen }: z.output<typeof Shape>): string[] {
  return [
    ...(stores === 'embedded' && data === undefined
      ? ['data is not set: the embedded stores need a folder.']
      : []),
    ...((listen.cert === undefined) !== (listen.key === undefined)
      ? ['listen.cert and listen.key belong together: set both or none.']
      : []),
  ];
}

/** A key that nobody knows is an issue of the map that holds it. */
function explain(issue: z.core.$ZodIssue, at: (path: readonly PropertyKey[]) => string): string[] {
  if (issue.code !== 'unrecognized_keys')
    return [`${at(issue.path)}: ${issue.path.join('.') || 'the file'}: ${issue.message}`];
  const known = knownIn(issue.path);
  return issue.keys.map(
    (key) => `${at([...issue.path, key])}: ${key} is no key of this file.${didYouMean(key, known)}`,
  );
}

function knownIn([first]: readonly PropertyKey[]): string[] {
  if (first === undefined) return Object.keys(Shape.shape);
  const inner: unknown = Shape.shape[first as keyof typeof Shape.shape];
  const unwrapped = inner instanceof z.ZodPrefault ? inner.unwrap() : inner;
  return unwrapped instanceof z.ZodObject ? Object.keys(unwrapped.shape) : [];
}

/** The line of a key, or of the nearest one around it that is there. */
function lineOf(contents: unknown, path: readonly PropertyKey[], lines: LineCounter): number {
  let line = 1;
  let node = contents;
  for (const name of path) {
    const pair = isMap(node) ? pairOf(node, String(name)) : undefined;
    if (!pair) break;
    if (isScalar(pair.key)) line = lines.linePos(pair.key.range?.[0] ?? 0).line;
    node = pair.value;
  }
  return line;
}

const pairOf = (map: YAMLMap, name: string): Pair | undefined =>
  map.items.find(({ key }) => isScalar(key) && String(key.value) === name);

type ReadSettings = { values: Record<string, string>; problems: { name: string; problem: string }[] };

/** Settings by their own names, `Section:Name`, or `service:Section:Name` for one service. */
async function readSettings(given: YAMLMap | undefined, folder: string): Promise<ReadSettings> {
  const known = variablesOf(await hostManuals());
  const read: ReadSettings = { values: {}, problems: [] };
  for (const { key, value } of given?.items ?? []) {
    const name = String(isScalar(key) ? key.value : key);
    const variable = name.replaceAll(':', '__');
    try {
      if (!known.has(variable)) throw new Error(`${name} is no setting.${suggest(name, known)}`);
      read.values[variable] = textOf(name, value, folder);
    } catch (error) {
      read.problems.push({ name, problem: (error as Error).message });
    }
  }
  return read;
}

const suggest = (name: string, known: ReadonlySet<string>): string =>
  `${didYouMean(
    name,
    [...known].map((each) => each.replaceAll('__', ':')),
  )} npm run settings lists them.`;

// A key of digits is no number.
const asWritten = ({ value, source }: Scalar): string =>
  value === null ? '' : typeof value === 'string' ? value : (source ?? String(value));

function textOf(name: string, value: unknown, folder: string): string {
  if (isScalar(value)) return asWritten(value);
  const path = isMap(value) && value.items.length === 1 ? value.get('file') : undefined;
  if (typeof path !== 'string')
    throw new Error(`${name} must be a text, a number, true, false, or { file: PATH }.`);
  const absolute = resolve(folder, path);
  try {
    accessSync(absolute, constants.R_OK);
  } catch (error) {
    throw new Error(`${name}: ${path} cannot be read: ${reasonOf(error)}.`);
  }
  return `file:${absolute}`;
}
