import { readFileSync } from 'node:fs';
import { processWide } from '../async/process-wide.ts';

// A setting may name its value, which is then in no template, environment, state file or log:
//
//   ssm:/sinete/prod/hub/sealing-key           a parameter of Systems Manager
//   secretsmanager:sinete/prod/idp#password    a secret by its name or ARN, or one field of its JSON
//   file:/run/secrets/hub-sealing-key          a file of the machine, without the end of its last line
//   withheld:                                  a value that is for other functions of the service
//
// Parameters and secrets are read when a process starts, ten with one request, and again every five minutes in the
// background: a value that was changed is used from then on. Systems Manager reads secrets too, so one request serves both.
const NAMED = /^(ssm|secretsmanager|file|withheld):(.*)$/s;

/** In place of a value that is for others. */
export const WITHHELD = 'withheld:';

export type Source = 'ssm' | 'secretsmanager' | 'file' | 'withheld';

type Kept = { readonly value: string } | { readonly problem: string };

const MAX_NAMES = 10; // of a request
const REFRESH_AFTER_MS = 300_000;
const ANSWER_WITHIN_MS = 5_000;

const memory = processWide('settings.named-values', () => ({
  kept: new Map<string, Kept & { readonly readAtMs: number }>(),
  isRefreshing: false,
}));

/** Where a setting says that its value is; undefined for a value that stands there itself. */
export const sourceOf = (text: string): Source | undefined => NAMED.exec(text)?.[1] as Source | undefined;

/** The name of a parameter by which Systems Manager knows the value. @example parameterOf('ssm:/sinete/key') // '/sinete/key' */
export function parameterOf(text: string): string {
  const [, source, name = ''] = NAMED.exec(text) ?? [];
  if (source !== 'secretsmanager') return name;
  const [id = ''] = name.split('#');
  // An ARN ends with the name and six characters of its own.
  return `/aws/reference/secretsmanager/${id.replace(/^arn:.*?:secret:(.*)-\w{6}$/, '$1')}`;
}

/**
 * Reads the values that variables of this process name. A store that does not answer, or refuses, is an error; a name that
 * it does not know is one of the setting.
 */
export async function readNamedValues(
  env: NodeJS.ProcessEnv = process.env,
  nowMs = Date.now(),
): Promise<void> {
  const isRemote = (text: string | undefined): text is string => /^(?:ssm|secretsmanager):/.test(text ?? '');
  const names = [...new Set(Object.values(env).filter(isRemote))];
  if (names.length === 0) return;
  const { GetParametersCommand, SSMClient } = await import('@aws-sdk/client-ssm');
  const client = new SSMClient({
    requestHandler: { requestTimeout: ANSWER_WITHIN_MS, throwOnRequestTimeout: true },
  });
  const found = new Map<string, string>();
  const parameters = [...new Set(names.map(parameterOf))];
  for (let from = 0; from < parameters.length; from += MAX_NAMES) {
    const Names = parameters.slice(from, from + MAX_NAMES);
    const { Parameters = [] } = await client.send(new GetParametersCommand({ Names, WithDecryption: true }));
    for (const { Name = '', Selector = '', Value = '' } of Parameters) found.set(`${Name}${Selector}`, Value);
  }
  client.destroy();
  for (const name of names)
    memory.kept.set(name, { ...partOf(name, found.get(parameterOf(name))), readAtMs: nowMs });
}

/** The part of a value that a name asks for. */
function partOf(name: string, value: string | undefined): Kept {
  if (value === undefined) return { problem: 'which Systems Manager does not know' };
  const [, field] = name.startsWith('secretsmanager:') ? name.split('#') : [];
  if (field === undefined) return { value };
  try {
    const found: unknown = JSON.parse(value)[field];
    return typeof found === 'string' ? { value: found } : { problem: `whose JSON has no text ${field}` };
  } catch {
    return { problem: 'which is no JSON' };
  }
}

/** The value that a setting names. Throws an Error whose message completes "Setting X names …, ". */
export function namedValue(text: string, nowMs = Date.now()): string {
  const source = sourceOf(text);
  if (source === 'withheld') throw new Error('which this function does not get');
  const known = memory.kept.get(text);
  const isStale = known !== undefined && nowMs - known.readAtMs > REFRESH_AFTER_MS;
  if (source === 'file' && (!known || isStale))
    memory.kept.set(text, { ...usable(known, contentOf(parameterOf(text))), readAtMs: nowMs });
  else if (isStale) refresh(nowMs);
  const kept = memory.kept.get(text) ?? { problem: 'which was not read when the process started' };
  if ('problem' in kept) throw new Error(kept.problem);
  return kept.value;
}

function contentOf(path: string): Kept {
  try {
    return { value: readFileSync(path, 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    return { problem: `a file that cannot be read: ${(error as NodeJS.ErrnoException).code}` };
  }
}

/** A value that is gone for a moment is no reason to stop. */
const usable = (before: Kept | undefined, after: Kept): Kept =>
  before && 'value' in before && 'problem' in after ? before : after;

/** In the background: whoever reads a setting does not wait. A store that does not answer is asked again as late. */
function refresh(nowMs: number): void {
  if (memory.isRefreshing) return;
  memory.isRefreshing = true;
  const before = [...memory.kept];
  void readNamedValues(process.env, nowMs)
    .catch(() => undefined)
    .finally(() => {
      memory.isRefreshing = false;
      for (const [name, kept] of before)
        memory.kept.set(name, { ...usable(kept, memory.kept.get(name) ?? kept), readAtMs: nowMs });
    });
}
