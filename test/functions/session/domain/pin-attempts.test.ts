import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { beginAttempt, type PinAttempt } from '../../../../functions/session/domain/pin-attempts.ts';
import { takeCounted } from '../../../../shared/metrics/count.ts';
import { tableName } from '../../../../shared/settings/names.ts';
import { dynamo } from '../../../../shared/store/client.ts';

const MAX = 5; // Sessions:MaxPinFailures
const WINDOW_MS = 900_000; // Sessions:PinFailureWindow
const START_MS = Date.parse('2026-11-16T12:00:00Z');

const begin = (cpf: string, atMs = START_MS): Promise<PinAttempt> => beginAttempt(cpf, () => atMs);
const outcomeOf = (cpf: string, atMs = START_MS): Promise<string> =>
  begin(cpf, atMs).then(
    async (attempt) => {
      await attempt.end(false);
      return 'may compare';
    },
    ({ code }) => code,
  );
const fail = async (cpf: string, atMs = START_MS) => (await begin(cpf, atMs)).end(true);

const attemptsIn = async (): Promise<number[]> => {
  const { Items = [] } = await dynamo().send(new ScanCommand({ TableName: tableName('session') }));
  return Items.filter(({ pk }) => pk?.S?.startsWith('PIN#')).map(
    (item) => Object.keys(item).filter((name) => name.includes(':')).length,
  );
};

test('of fifty at the same moment five may compare their PIN; the others are busy, and count for nothing', async () => {
  const cpf = randomUUID();
  const begun = await Promise.allSettled(Array.from({ length: 50 }, () => begin(cpf)));
  const attempts = begun.filter((each) => each.status === 'fulfilled').map(({ value }) => value);
  const refused = begun.filter((each) => each.status === 'rejected').map(({ reason }) => reason.code);
  expect([attempts.length, new Set(refused)]).toEqual([MAX, new Set(['SERVER_BUSY'])]);
  expect(await outcomeOf(cpf)).toBe('SERVER_BUSY');
  for (const attempt of attempts) await attempt.end(false);
  expect(await outcomeOf(cpf)).toBe('may compare');
});

test('a PIN that is wrong counts for the whole window, and the lockout ends as the oldest leave it', async () => {
  const cpf = randomUUID();
  for (let n = 0; n < MAX; n++) await fail(cpf, START_MS + n * 1_000);
  const end = START_MS + WINDOW_MS;
  // A refused attempt counts too, so each look is of another CPF's lockout.
  expect(await outcomeOf(cpf, end)).toBe('may compare');
  await fail(cpf, end);
  expect(await outcomeOf(cpf, end + 999)).toBe('TOO_MANY_PIN_ATTEMPTS');
});

test('a lockout is counted once, when it begins, however many fail at one moment', async () => {
  takeCounted();
  const cpf = randomUUID();
  await fail(cpf);
  const attempts = await Promise.all(Array.from({ length: MAX - 1 }, () => begin(cpf)));
  await Promise.all(attempts.map((attempt) => attempt.end(true)));
  for (let n = 0; n < 3; n++) await outcomeOf(cpf);
  expect(takeCounted()).toMatchObject([{ name: 'PinLockouts', value: 1 }]);
});

test('an attempt that the lockout refuses prolongs it', async () => {
  const cpf = randomUUID();
  for (let n = 0; n < MAX; n++) await fail(cpf);
  for (let n = 0; n < MAX; n++)
    expect(await outcomeOf(cpf, START_MS + WINDOW_MS - 1)).toBe('TOO_MANY_PIN_ATTEMPTS');
  expect(await outcomeOf(cpf, START_MS + WINDOW_MS + 1)).toBe('TOO_MANY_PIN_ATTEMPTS');
});

// four wrong   |--count--|
// one slow          |--open------------------------------- wrong: counts too --|
// a crowd              |--begins and takes back, far more than are kept of those that count--|
test('an attempt counts in its window, however many come after it', async () => {
  const cpf = randomUUID();
  for (let n = 0; n < MAX - 1; n++) await fail(cpf);
  const slow = await begin(cpf);
  for (let n = 0; n < 21; n++)
    expect(new Set(await Promise.all(Array.from({ length: 10 }, () => outcomeOf(cpf))))).toEqual(
      new Set(['SERVER_BUSY']),
    );
  await slow.end(true);
  expect(await outcomeOf(cpf, START_MS + WINDOW_MS - 1)).toBe('TOO_MANY_PIN_ATTEMPTS');
});

//   killed   |--begins-- (nobody ends it)
//   others       |--busy--|  |--two minutes later: locked out--|            |--the window is over: compared--|
test('attempts that were cut off count as failed until they leave the window', async () => {
  const cpf = randomUUID();
  for (let n = 0; n < MAX; n++) await begin(cpf);
  expect(await outcomeOf(cpf, START_MS + 119_999)).toBe('SERVER_BUSY');
  expect(await outcomeOf(cpf, START_MS + 120_000)).toBe('TOO_MANY_PIN_ATTEMPTS');
  expect(await outcomeOf(cpf, START_MS + WINDOW_MS)).toBe('may compare');
});

test('a crowd that is locked out leaves no more than the newest hundred', async () => {
  const cpf = randomUUID();
  for (let n = 0; n < MAX; n++) await fail(cpf);
  for (let n = 0; n < 21; n++)
    await Promise.all(Array.from({ length: 10 }, (_, k) => outcomeOf(cpf, START_MS + n * 10 + k)));
  await outcomeOf(cpf, START_MS + 1_000);
  expect(Math.max(...(await attemptsIn()))).toBeLessThanOrEqual(101);
});
