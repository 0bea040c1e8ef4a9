import { readFileSync } from 'node:fs';
import { processWide } from '../async/process-wide.ts';
import { stage } from './names.ts';

// A setting may name its value, which is then in no template, environment, state file or log:
//
//   ssm:/sinete/prod/sealing/keys              a parameter of Systems Manager
//   secretsmanager:sinete/prod/idp#password    a secret by its name or ARN, or one field of its JSON
//   file:/run/secrets/sealing.keys             a file of the machine, without the end of its last line
//   kms:AQICAHg…                               the value itself, encrypted by a key of KMS
//   withheld:                                  a value that is for other functions of the service
//
// Parameters and secrets are read when a process starts, ten with one request, and again every five minutes in the
// background: a value that was changed is used from then on. Systems Manager reads secrets too, so one request serves both.
// A parameter or secret may hold a value of `kms:`. KMS decrypts each once in a process, when it is read for the first time.
const NAMED = /^(ssm|secretsmanager|file|kms|withheld):(.*)$/s;

/** In place of a value that is for others. */
export const WITHHELD = 'withheld:';

export type Source = 'ssm' | 'secretsmanager' | 'file' | 'kms' | 'withheld';

type Kept = { readonly value: string } | { readonly problem: string };

const MAX_NAMES = 10; // of a request
const REFRESH_AFTER_MS = 300_000;
const READ_FILES_AFTER_MS = 5_000;
const ANSWER_WITHIN_MS = 5_000;

const memory = processWide('settings.named-values', () => ({
  kept: new Map<string, Kept & { readonly readAtMs: number }>(),
  decrypted: new Map<string, string>(),
  refreshing: undefined as Promise<void> | undefined,
}));

/** Where a setting says that its value is; undefined for a value that stands there itself. */
export const sourceOf = (text: string): Source | undefined => NAMED.exec(text)?.[1] as Source | undefined;

/** How long a process uses a named value that it has read. */
export const maxAgeMs = (text = ''): number =>
  sourceOf(text) === 'file' ? READ_FILES_AFTER_MS : REFRESH_AFTER_MS;

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
  const named = [...new Set(Object.values(env).filter((text) => text !== undefined))];
  for (const text of named.filter((each) => each.startsWith(WRAPPED)))
    memory.kept.set(text, { ...(await unwrapped({ value: text })), readAtMs: nowMs });
  const names = named.filter((text) => /^(?:ssm|secretsmanager):/.test(text));
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
    memory.kept.set(name, {
      ...(await unwrapped(partOf(name, found.get(parameterOf(name))))),
      readAtMs: nowMs,
    });
}

const WRAPPED = 'kms:';

/** KMS authenticates it: what was encrypted for one stage is of no use to another. */
export const encryptionContext = (ofStage = stage()): Record<string, string> => ({
  application: 'sinete',
  stage: ofStage,
});

/** Decrypts a value that KMS has encrypted. One that it refuses is a problem of the setting; no answer is an error. */
async function unwrapped(read: Kept): Promise<Kept> {
  if ('problem' in read || !read.value.startsWith(WRAPPED)) return read;
  const known = memory.decrypted.get(read.value);
  if (known !== undefined) return { value: known };
  const { DecryptCommand, KMSClient, KMSServiceException } = await import('@aws-sdk/client-kms');
  const client = new KMSClient({
    requestHandler: { requestTimeout: ANSWER_WITHIN_MS, throwOnRequestTimeout: true },
  });
  try {
    const { Plaintext = new Uint8Array() } = await client.send(
      new DecryptCommand({
        CiphertextBlob: Buffer.from(read.value.slice(WRAPPED.length), 'base64'),
        EncryptionContext: encryptionContext(),
      }),
    );
    const value = Buffer.from(Plaintext).toString('utf8');
    memory.decrypted.set(read.value, value);
    return { value };
  } catch (error) {
    if (!(error instanceof KMSServiceException) || error.$fault === 'server') throw error;
    return { problem: `which KMS does not decrypt: ${error.name}` };
  } finally {
    client.destroy();
  }
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
  const isStale = known !== undefined && nowMs - known.readAtMs > maxAgeMs(text);
  if (source === 'file' && (!known || isStale)) readFile(text, nowMs);
  // In the background: whoever reads a setting does not wait.
  else if (isStale) void refresh(nowMs);
  const kept = memory.kept.get(text) ?? { problem: 'which was not read when the process started' };
  if ('problem' in kept) throw new Error(kept.problem);
  return kept.value;
}

/**
 * Reads a value again if it was read longer ago, and waits for it. One that cannot be read stays as it was.
 * @example await freshen('ssm:/sinete/prod/sealing/keys', 1_000)
 */
export async function freshen(
  text: string | undefined,
  olderThanMs: number,
  nowMs = Date.now(),
): Promise<void> {
  const known = text === undefined ? undefined : memory.kept.get(text);
  if (text === undefined || !known || nowMs - known.readAtMs <= olderThanMs) return;
  if (sourceOf(text) === 'file') readFile(text, nowMs);
  else await refresh(nowMs);
}

const readFile = (text: string, nowMs: number): void =>
  void memory.kept.set(text, {
    ...usable(memory.kept.get(text), contentOf(parameterOf(text))),
    readAtMs: nowMs,
  });

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

/** A store that does not answer is asked again as late. */
function refresh(nowMs: number): Promise<void> {
  if (memory.refreshing) return memory.refreshing;
  const before = [...memory.kept].filter(([name]) => sourceOf(name) !== 'file');
  memory.refreshing = readNamedValues(process.env, nowMs)
    .catch(() => undefined)
    .finally(() => {
      memory.refreshing = undefined;
      for (const [name, kept] of before)
        memory.kept.set(name, { ...usable(kept, memory.kept.get(name) ?? kept), readAtMs: nowMs });
    });
  return memory.refreshing;
}
