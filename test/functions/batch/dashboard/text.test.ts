import { afterEach, expect, test, vi } from 'vitest';
import { formatTime, timeOf } from '../../../../functions/batch/config/page-format.ts';
import { recordedText } from '../../../../functions/batch/dashboard/pages/text.ts';

afterEach(() => vi.unstubAllEnvs());

test('a recorded sentence has its times in the zone of the pages, named', async () => {
  const shown = String(await recordedText('The last heartbeat was at 2026-12-31T13:30:00.000Z.'));
  expect(shown.replaceAll('\u202f', ' ')).toContain('at Dec 31, 2026, 10:30:00 AM GMT-3.');
  expect(shown).not.toContain('Z');
});

test('times are those of the zone where payments are made, named', async () => {
  const noon = Date.UTC(2026, 11, 31, 12);
  expect(formatTime('pt-BR', noon)).toBe('31/12/2026, 09:00 GMT-3');
  vi.stubEnv('Cnab240__TimeZone', 'America/Manaus');
  expect(String(await timeOf('pt-BR', noon))).toContain('31/12/2026, 08:00 GMT-4');
});
