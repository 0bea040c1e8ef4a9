import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  counting,
  monthName,
  monthOf,
  storageOf,
  storing,
  usageOf,
} from '../../../../../functions/documents/domain/billing/usage.ts';
import { commit } from '../../../../../shared/store/commit.ts';

const NOVEMBER = { year: 2026, month: 11 };
const noon = Date.parse('2026-11-15T12:00:00-03:00');

describe('what an organization uses', () => {
  test('is counted by type, with the change that it counts', async () => {
    const id = randomUUID();
    await commit([counting(id, 'Document', noon), counting(id, 'Signature', noon)]);
    await commit([counting(id, 'Document', noon, 7)]);
    expect(await usageOf(id, NOVEMBER)).toEqual({
      Document: 8,
      Signature: 1,
      ElectronicSignature: 0,
      Approval: 0,
    });
  });

  test('is all there when many are counted at once', async () => {
    const id = randomUUID();
    await Promise.all(Array.from({ length: 60 }, () => commit([counting(id, 'Approval', noon)])));
    expect((await usageOf(id, NOVEMBER)).Approval).toBe(60);
  });

  test('belongs to the month in Brasília, which begins three hours after the one in Greenwich', async () => {
    const id = randomUUID();
    const lastOfNovember = Date.parse('2026-12-01T02:59:59.999Z');
    await commit([counting(id, 'Signature', lastOfNovember)]);
    await commit([counting(id, 'Signature', lastOfNovember + 1)]);
    expect((await usageOf(id, NOVEMBER)).Signature).toBe(1);
    expect((await usageOf(id, { year: 2026, month: 12 })).Signature).toBe(1);
  });

  test('is no other organization’s', async () => {
    const id = randomUUID();
    await commit([counting(id, 'Document', noon), storing(id, 10)]);
    expect(await usageOf(randomUUID(), NOVEMBER)).toEqual({
      Document: 0,
      Signature: 0,
      ElectronicSignature: 0,
      Approval: 0,
    });
    expect(await storageOf(randomUUID())).toBe(0);
  });

  test('in bytes grows with what is kept and shrinks with what is freed', async () => {
    const id = randomUUID();
    await commit([storing(id, 5_000_000_000)]);
    await commit([storing(id, 250)]);
    await commit([storing(id, -5_000_000_000)]);
    expect(await storageOf(id)).toBe(250);
  });

  test('is kept under months whose names sort as they follow each other', () => {
    expect(monthOf(Date.parse('2027-01-01T02:59:59Z'))).toEqual({ year: 2026, month: 12 });
    expect(monthName({ year: 2027, month: 1 })).toBe('2027-01');
  });
});
