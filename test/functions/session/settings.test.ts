import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { settings } from '../../../functions/session/settings.ts';
import { MANUAL } from '../../../shared/settings/settings.ts';
import { restoreSettings, setting } from './own-settings.ts';

restoreSettings();

// Durations in seconds.
const CONTRACT = {
  'Sessions:DefaultDuration': 3_600,
  'Sessions:MaxDuration': 86_400,
  'Sessions:MaxPinFailures': 5,
  'Sessions:PinFailureWindow': 900,
  'Sessions:PinPromptTimeout': 60,
  'Sessions:PinRelayTimeout': 5,
  'Sessions:SignatureAllowance': undefined,
  'Signing:RequestBudget': 60,
  'Signing:HashSignTimeout': 25,
  'Signing:WorkstationReconnectGrace': 15,
  'Signing:StrandedAfter': 600,
  'Signing:SignerCancelBudget': 3,
  'Signing:MaxDocumentBytes': 10_485_760,
  'Signing:TransportHeadroomBytes': 65_536,
  'Signing:MaxBatchItems': 50,
  'Signing:SignerConcurrency': 32,
  'Throttle:ConcurrencyLimit': 200,
  'Throttle:QueueLimit': 50,
  'Signer:RequestTimeout': 10,
  'Certificates:Validation:RevocationGraceWindow': 86_400,
  'Certificates:Validation:RevocationTimeout': 5,
  'Vault:Enabled': true,
  'Vault:RevalidationInterval': 3_600,
  'Audit:RetentionDays': 365,
} as const;

const check = () => settings[MANUAL].check();

describe('where nothing is set', () => {
  test.each(Object.entries(CONTRACT))('%s is %s', (name, value) => {
    expect(settings[name as keyof typeof CONTRACT]).toBe(value);
  });

  test('stranded documents and verdicts are looked after every five minutes', () => {
    const functions = readFileSync('functions/session/functions.yml', 'utf8');
    for (const worker of ['sessionSweepStranded', 'sessionSendDueVerdicts'])
      expect(functions).toMatch(new RegExp(`${worker}:\\n(  .*\\n)*    - schedule: rate\\(5 minutes\\)`));
  });

  test('the start is not refused', () => {
    expect(check).not.toThrow();
  });
});

test.each([
  ['where the longest window is less than the default one', { 'Sessions:MaxDuration': '3599' }],
  [
    'where signing a hash and the reconnect grace do not fit in the budget of a request',
    { 'Signing:RequestBudget': '39' },
  ],
  ['where a signature service has an address and no key', { 'Signer:BaseAddress': 'https://signer.example' }],
  ['where a document is stranded while a call may still work on it', { 'Signing:StrandedAfter': '60' }],
  ['where an agent that waits would count as offline', { 'Agents:OnlineFor': '20' }],
  ['where an allowance lets nothing be signed', { 'Sessions:SignatureAllowance': '0' }],
  ['where a number is none', { 'Signing:MaxBatchItems': 'many' }],
])('the start is refused, naming the setting, %s', (_, wrong) => {
  const [[name, value] = ['', '']] = Object.entries(wrong);
  setting(name, value);
  expect(check).toThrow(name);
});
