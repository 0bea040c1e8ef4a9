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

type Read = { readonly value: string } | { readonly problem: string };

/** A value, when it was last read well, and when its place was last asked for it. */
type Kept = Read & { readonly readAtMs: number; readonly askedAtMs: number };

const MAX_NAMES = 10; // of a request
const REFRESH_AFTER_MS = 300_000;
const READ_FILES_AFTER_MS = 5_000;
// After a reading that failed.
const ASK_AGAIN_AFTER_MS = 30_000;
const ANSWER_WITHIN_MS = 5_000;
// Of a start, with the growing random pauses of the SDK: processes that start in a crowd after a deploy meet the quota of
// Systems Manager, 40 requests a second. A call waits for other readings, and has less time.
const ATTEMPTS_AT_START = 6;
const ATTEMPTS_LATER = 3;

const memory = processWide('settings.named-values', () => ({
  kept: new Map<string, Kept>(),
  decrypted: new Map<string, string>(),
  refreshing: undefined as Promise<void> | undefined,
  reportFailure: undefined as ReportFailure | undefined,
}));

/** Receives the names of values that could not be read again, and why. */
type ReportFailure = (failure: { readonly names: readonly string[]; readonly reason: string }) => void;

/** Has failed readings reported: the log, which reads settings itself, is not known here. */
export const reportFailedReadings = (report: ReportFailure): void => {
  memory.reportFailure ??= report;
};

/** Where a setting says that its value is; undefined for a value that stands there itself. */
export const sourceOf = (text: string): Source | undefined => NAMED.exec(text)?.[1] as Source | undefined;

/** The age at which a process reads a named value again. It uses an older one only while its place does not give it. */
export const maxAgeMs = (text = ''): number =>
  sourceOf(text) === 'file' ? READ_FILES_AFTER_MS : REFRESH_AFTER_MS;

/** How long ago a value was read from its place. None for a value that stands in the setting itself, encrypted or not. */
export function ageMs(text = '', nowMs = Date.now()): number {
  const kept = text.startsWith(WRAPPED) ? undefined : memory.kept.get(text);
  return kept ? nowMs - kept.readAtMs : 0;
}

const isDue = ({ readAtMs, askedAtMs }: Kept, olderThanMs: number, nowMs: number): boolean =>
  nowMs - readAtMs > olderThanMs && nowMs - askedAtMs > Math.min(olderThanMs, ASK_AGAIN_AFTER_MS);

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
  maxAttempts = ATTEMPTS_AT_START,
): Promise<void> {
  const named = [...new Set(Object.values(env).filter((text) => text !== undefined))];
  for (const text of named.filter((each) => each.startsWith(WRAPPED)))
    keep(text, await unwrapped({ value: text }), nowMs);
  const names = named.filter((text) => /^(?:ssm|secretsmanager):/.test(text));
  if (names.length === 0) return;
  const { GetParametersCommand, SSMClient } = await import('@aws-sdk/client-ssm');
  const client = new SSMClient({
    maxAttempts,
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
  for (const name of names) keep(name, await unwrapped(partOf(name, found.get(parameterOf(name)))), nowMs);
}

const keep = (text: string, read: Read, nowMs: number): void =>
  void memory.kept.set(text, { ...read, readAtMs: nowMs, askedAtMs: nowMs });

const WRAPPED = 'kms:';

/** KMS authenticates it: what was encrypted for one stage is of no use to another. */
export const encryptionContext = (ofStage = stage()): Record<string, string> => ({
  application: 'sinete',
  stage: ofStage,
});

/** Decrypts a value that KMS has encrypted. One that it refuses is a problem of the setting; no answer is an error. */
async function unwrapped(read: Read): Promise<Read> {
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
function partOf(name: string, value: string | undefined): Read {
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
  const isStale = known !== undefined && isDue(known, maxAgeMs(text), nowMs);
  if (source === 'file' && (!known || isStale)) readFile(text, nowMs);
  // In the background: whoever reads a setting does not wait.
  else if (isStale) void refresh(nowMs);
  const kept = memory.kept.get(text) ?? { problem: 'which was not read when the process started' };
  if ('problem' in kept) throw new Error(kept.problem);
  return kept.value;
}

/**
 * Reads a value again if it was read longer ago, and waits for it. One that cannot be read stays as it was, and is asked for
 * again half a minute later.
 * @example await freshen('ssm:/sinete/prod/sealing/keys', 1_000)
 */
export async function freshen(
  text: string | undefined,
  olderThanMs: number,
  nowMs = Date.now(),
): Promise<void> {
  const known = text === undefined ? undefined : memory.kept.get(text);
  if (text === undefined || !known || !isDue(known, olderThanMs, nowMs)) return;
  if (sourceOf(text) === 'file') readFile(text, nowMs);
  else await refresh(nowMs);
}

function readFile(text: string, nowMs: number): void {
  const before = memory.kept.get(text);
  keep(text, contentOf(parameterOf(text)), nowMs);
  if (before) restore([[text, before]], nowMs);
}

function contentOf(path: string): Read {
  try {
    return { value: readFileSync(path, 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    return { problem: `a file that cannot be read: ${(error as NodeJS.ErrnoException).code}` };
  }
}

/** Takes the values of before where a reading gave none: one that is gone for a moment is no reason to stop. */
function restore(before: readonly (readonly [string, Kept])[], nowMs: number, failure?: unknown): void {
  const lost = new Map<string, string[]>();
  const inUse = new Set(Object.values(process.env));
  for (const [name, kept] of before) {
    const after = memory.kept.get(name) ?? kept;
    const isLost = 'value' in kept && 'problem' in after;
    if (after === kept || isLost) memory.kept.set(name, { ...kept, askedAtMs: nowMs });
    const reason = isLost ? after.problem : after === kept ? failure : undefined;
    if (reason !== undefined && inUse.has(name))
      lost.set(`${reason}`, [...(lost.get(`${reason}`) ?? []), name]);
  }
  for (const [reason, names] of lost) memory.reportFailure?.({ names, reason });
}

function refresh(nowMs: number): Promise<void> {
  if (memory.refreshing) return memory.refreshing;
  const before = [...memory.kept].filter(([name]) => sourceOf(name) !== 'file');
  memory.refreshing = readNamedValues(process.env, nowMs, ATTEMPTS_LATER)
    .then(
      () => restore(before, nowMs),
      (error: unknown) => restore(before, nowMs, error),
    )
    .finally(() => {
      memory.refreshing = undefined;
    });
  return memory.refreshing;
}
