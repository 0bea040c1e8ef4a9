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
  await Promise.all(
    ['a', 'a', 'a', 'b'].map((application) =>
      markInThread(application, { pdf, marks }).then(() => ended.push(application)),
    ),
  );
  expect(ended.toSorted()).toEqual(['a', 'a', 'a', 'b']);
  expect(ended.slice(0, 2)).toContain('b');
});
