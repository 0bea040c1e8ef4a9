import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { markInThread } from '../../../../../functions/pki/pdf/domain/marking/mark-in-thread.ts';
import type { Mark } from '../../../../../shared/signing/pades/marks/mark.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';

const black = { rgb: [0, 0, 0], opacity: 1 } as const;
const place = { rotation: 0, horizontal: 'start', vertical: 'start', opacity: 1 } as const;
const marks: Mark[] = [
  {
    ...{ pages: 'all', borderPoints: 1, borderColor: black, background: black },
    elements: Array.from({ length: 3 }, () => ({
      ...{ ...place, kind: 'qr-code', data: 'x'.repeat(1_000), quietZones: false },
    })),
  },
];

test('Others run while marks are drawn', async () => {
  const pdf = await plainPdf('table');
  let isDrawn = false;
  const drawing = markInThread('a', { pdf, marks }).finally(() => {
    isDrawn = true;
  });
  let turns = 0;
  for (; !isDrawn; turns++) await turn();
  // In the thread of the process it is two turns.
  expect(turns).toBeGreaterThan(100);
  expect((await drawing).subarray(0, pdf.length)).toEqual(pdf);
});

test('One application that marks keeps no other waiting, and gets its turn', async () => {
  const pdf = await plainPdf('table');
  const ended: string[] = [];
  const markFor = (applications: readonly string[]) =>
    Promise.all(
      applications.map((application) =>
        markInThread(application, { pdf, marks }).then(() => ended.push(application)),
      ),
    );
  await markFor(['a', 'b']);
  ended.splice(0);
  // Both threads are started.
  await markFor(['a', 'a', 'a', 'a', 'b']);
  expect(ended.toSorted()).toEqual(['a', 'a', 'a', 'a', 'b']);
  expect(ended.at(-1)).toBe('a');
});
