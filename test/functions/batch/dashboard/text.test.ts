import { afterEach, expect, test, vi } from 'vitest';
import { formatTime, timeOf } from '../../../../functions/batch/config/page-format.ts';
import { recordedText } from '../../../../functions/batch/dashboard/pages/text.ts';
import { errors } from '../../../../functions/batch/errors.ts';
import { rows } from '../../../../functions/batch/sentences/rows.ts';
import { both, inEnglish, ofFile, say, sayError } from '../../../../functions/batch/sentences/sentences.ts';

afterEach(() => vi.unstubAllEnvs());

test('a recorded sentence has its times in the zone of the pages, named', async () => {
  const shown = String(await recordedText('pt-BR', 'The last heartbeat was at 2026-12-31T13:30:00.000Z.'));
  expect(shown).toContain('lang="en"');
  expect(shown.replaceAll('\u202f', ' ')).toContain('at Dec 31, 2026, 10:30:00 AM GMT-3.');
  expect(shown).not.toContain('Z');
});

test('a sentence of the table is in the language of the page, values and sentences in it as they are', async () => {
  const canceled = say('job.canceled-because', { by: '{reason}', reason: '<b>$&' });
  const sentence = ofFile('a.pdf', both(canceled, sayError('job.interrupted')));
  expect(inEnglish(sentence)).toBe(
    'a.pdf: Canceled by {reason}: <b>$& The service stopped while it worked on the job. Check the input file, then retry.',
  );
  const shown = String(await recordedText('pt-BR', sentence));
  expect(shown).toContain('<bdi>a.pdf: Cancelado por {reason}: &lt;b&gt;$&amp; O serviço parou');
  const time = say('job.approval-expired', { time: '2026-12-31T13:30:00.000Z' });
  expect(String(await recordedText('pt-BR', time))).toContain('terminou em 31/12/2026, 10:30:00 GMT-3.');
});

test('a sentence has the same values in every language, and no code is that of an error too', () => {
  const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted();
  for (const [code, { en, 'pt-BR': pt }] of Object.entries(rows)) {
    expect([code, namesIn(pt)]).toEqual([code, namesIn(en)]);
    expect([code, errors.text(code)]).toEqual([code, undefined]);
  }
});

test('times are those of the zone where payments are made, named', async () => {
  const noon = Date.UTC(2026, 11, 31, 12);
  expect(formatTime('pt-BR', noon)).toBe('31/12/2026, 09:00 GMT-3');
  vi.stubEnv('Cnab240__TimeZone', 'America/Manaus');
  expect(String(await timeOf('pt-BR', noon))).toContain('31/12/2026, 08:00 GMT-4');
});
