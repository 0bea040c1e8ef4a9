import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { WEBHOOKS } from '../../../../../functions/documents/contract/events.ts';
import {
  billedMonths,
  closeInvoices,
} from '../../../../../functions/documents/domain/billing/close-invoices.ts';
import { invoices } from '../../../../../functions/documents/domain/billing/invoice.ts';
import { counting, storing } from '../../../../../functions/documents/domain/billing/usage.ts';
import { webhooks } from '../../../../../functions/documents/domain/document/webhook-engine.ts';
import { shownId } from '../../../../../functions/documents/domain/guids.ts';
import {
  type Organization,
  organizations,
} from '../../../../../functions/documents/domain/places/organization.ts';
import { enrolling } from '../../../../../functions/documents/domain/places/organization-roster.ts';
import { handler } from '../../../../../functions/documents/workers/close-invoices.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { listDeliveries, readDelivery } from '../../../../../shared/webhooks/deliveries/list-deliveries.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { ownStores } from '../../../own-stores.ts';
import { expectModeled } from '../../../webhook-models.ts';

const at = (text: string): number => Date.parse(text);
const OCTOBER = at('2026-10-10T12:00:00Z');
// 03:00 in Brasília, when the schedule runs.
const FIRST_OF_NOVEMBER = at('2026-11-01T06:00:00Z');

await forFile(ownStores());
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

async function given(more: Partial<Organization> = {}): Promise<string> {
  const id = randomUUID();
  const organization: Organization = {
    id,
    name: 'Ação & Cia',
    identifier: '11222333000181',
    owner: { id: 'owner', name: 'Dona' },
    state: 'Active',
    createdAtMs: OCTOBER,
    ...more,
  };
  await organizations.create(organization, { also: [enrolling(id)] });
  return id;
}

const invoiceOf = (organizationId: string, month: number, year = 2026) =>
  invoices.get({ organizationId, year, month });

/** The pending InvoiceClosed bodies of one organization for the billing webhook. */
async function toldOf(organizationId: string): Promise<unknown[]> {
  const page = await listDeliveries(webhooks, 'billing', { limit: 100 });
  if ('refused' in page) throw new Error(page.refused);
  const read = await Promise.all(page.items.map(({ id }) => readDelivery(webhooks, 'billing', id)));
  const events = read
    .map(
      (each) => JSON.parse(each?.body ?? 'null') as { type: string; data: { organization: { id: string } } },
    )
    .filter(({ data }) => data.organization.id === organizationId);
  for (const event of events) expectModeled(WEBHOOKS, event);
  return events;
}

describe('closing invoices', () => {
  test('counts what was really used in the month before, at the prices of the settings', async () => {
    vi.stubEnv('Billing__DocumentPrice', '150');
    vi.stubEnv('Billing__SignaturePrice', '7');
    const id = await given();
    await commit([
      counting(id, 'Document', OCTOBER, 3),
      counting(id, 'Signature', OCTOBER, 3),
      counting(id, 'Approval', OCTOBER, 2),
      counting(id, 'Document', FIRST_OF_NOVEMBER, 50),
      storing(id, 123_456),
    ]);
    await closeInvoices(FIRST_OF_NOVEMBER);
    expect(await invoiceOf(id, 10)).toMatchObject({
      totals: [
        { transactionType: 'Document', priceCentavos: 150, total: 3, valueCentavos: 450 },
        { transactionType: 'Signature', priceCentavos: 7, total: 3, valueCentavos: 21 },
        { transactionType: 'ElectronicSignature', priceCentavos: 0, total: 0, valueCentavos: 0 },
        { transactionType: 'Approval', priceCentavos: 0, total: 2, valueCentavos: 0 },
      ],
      valueCentavos: 471,
      storedBytes: 123_456,
      closedAtMs: FIRST_OF_NOVEMBER,
    });
    expect(await invoiceOf(id, 11)).toBeUndefined();
  });

  test('tells the billing webhook of the instance, with every field of InvoiceClosed', async () => {
    vi.stubEnv('Webhooks__Billing__Url', 'https://billing.example/hook');
    vi.stubEnv('Billing__DocumentPrice', '10');
    vi.stubEnv('Billing__SignaturePrice', '7');
    const company = {
      name: 'Ação & Cia',
      identifier: '11222333000181',
      stateRegistration: null,
      stateRegistrationExempt: true,
      municipalRegistration: '123',
      municipalRegistrationExempt: false,
    };
    const billingInformation = {
      contactName: 'Dona',
      email: 'dona@example.com',
      phone: null,
      type: 'Company',
      individual: null,
      company,
      streetAddress: 'Rua A',
      addressNumber: '1',
      additionalAddressInfo: null,
      neighborhood: 'Centro',
      zipCode: '70000000',
      city: 'Brasília',
      state: 'DF',
      cityCode: '5300108',
    } as const;
    const id = await given({ billingInformation });
    await commit([
      counting(id, 'Document', OCTOBER, 3),
      counting(id, 'Signature', OCTOBER, 3),
      storing(id, 99),
    ]);
    await closeInvoices(FIRST_OF_NOVEMBER);
    expect(await toldOf(id)).toEqual([
      {
        type: 'InvoiceClosed',
        data: {
          id: (await invoiceOf(id, 10))?.id,
          month: 10,
          year: 2026,
          value: 0.51,
          invoiceTotals: [
            { transactionType: 'Document', price: 0.1, total: 3, totalInTrialPeriod: 0, value: 0.3 },
            { transactionType: 'Signature', price: 0.07, total: 3, totalInTrialPeriod: 0, value: 0.21 },
            { transactionType: 'ElectronicSignature', price: 0, total: 0, totalInTrialPeriod: 0, value: 0 },
            { transactionType: 'Approval', price: 0, total: 0, totalInTrialPeriod: 0, value: 0 },
          ],
          organization: {
            id,
            name: 'Ação & Cia',
            identifier: '11222333000181',
            owner: { id: shownId('owner', 'owner'), name: 'Dona' },
          },
          billingInformation,
          totalStorageUsed: 99,
        },
      },
    ]);
  });

  test('sends billingInformation as null where there is none, and zeros for an organization that used nothing', async () => {
    vi.stubEnv('Webhooks__Billing__Url', 'https://billing.example/hook');
    const id = await given({ identifier: null });
    await closeInvoices(FIRST_OF_NOVEMBER);
    expect(await toldOf(id)).toMatchObject([
      {
        data: { value: 0, billingInformation: null, organization: { identifier: null }, totalStorageUsed: 0 },
      },
    ]);
  });

  // Two runs meet on one month: a schedule may fire twice, and a failed run is run again.
  //
  //   run 1  |--no invoice yet------ invoice + event --|
  //   run 2    |--no invoice yet------- refused --|
  //
  // It proves: a month has one invoice and one event, however many runs close it.
  test('closes a month once, by any number of runs at once and after each other', async () => {
    vi.stubEnv('Webhooks__Billing__Url', 'https://billing.example/hook');
    const ids = await Promise.all(Array.from({ length: 5 }, () => given()));
    const runs = await Promise.all(Array.from({ length: 4 }, () => closeInvoices(FIRST_OF_NOVEMBER)));
    const closed = runs.reduce((sum, run) => sum + run.closed, 0);
    expect(runs.flatMap(({ failed }) => failed)).toEqual([]);
    expect(closed).toBe(5);
    const first = await Promise.all(ids.map((id) => invoiceOf(id, 10)));
    await commit(ids.map((id) => counting(id, 'Document', OCTOBER)));
    expect((await closeInvoices(FIRST_OF_NOVEMBER)).closed).toBe(0);
    expect(await Promise.all(ids.map((id) => invoiceOf(id, 10)))).toEqual(first);
    for (const id of ids) expect(await toldOf(id)).toHaveLength(1);
  });

  test('makes up for the months in which it did not run', async () => {
    const id = await given({ createdAtMs: at('2026-08-20T12:00:00Z') });
    await commit([counting(id, 'Document', at('2026-09-05T12:00:00Z'), 4)]);
    await closeInvoices(FIRST_OF_NOVEMBER);
    expect((await invoiceOf(id, 9))?.totals[0]).toMatchObject({ total: 4 });
    expect(await Promise.all([7, 8, 9, 10].map(async (month) => !!(await invoiceOf(id, month))))).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  test('closes the others when one cannot be closed, fails, and closes that one the next day', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: FIRST_OF_NOVEMBER });
    const [broken, sound] = [await given(), await given()];
    const create = invoices.create;
    const spy = vi.spyOn(invoices, 'create').mockImplementation((invoice, along) => {
      if (invoice.organizationId === broken) throw new Error('The table is away.');
      return create(invoice, along);
    });
    await expect(handler()).rejects.toThrow('Organizations without their invoice: 1.');
    expect(await invoiceOf(sound, 10)).toBeDefined();
    spy.mockRestore();
    const nextDayMs = FIRST_OF_NOVEMBER + 86_400_000;
    expect(await closeInvoices(nextDayMs)).toEqual({ closed: 1, failed: [] });
    expect(await invoiceOf(broken, 10)).toMatchObject({ closedAtMs: nextDayMs });
    expect(await closeInvoices(nextDayMs + 86_400_000)).toEqual({ closed: 0, failed: [] });
  });
});

describe('the months to be invoiced', () => {
  const months = (createdAt: string, now: string, deletedAt?: string) =>
    billedMonths(
      { createdAtMs: at(createdAt), ...(deletedAt && { deletedAtMs: at(deletedAt) }) },
      at(now),
    ).map(({ year, month }) => `${year}-${month}`);

  test('are those that are over in Brasília', () => {
    expect(months('2026-10-31T12:00:00Z', '2026-11-01T02:59:59Z')).toEqual([]);
    expect(months('2026-10-31T12:00:00Z', '2026-11-01T03:00:00Z')).toEqual(['2026-10']);
  });

  test('begin with the one in which the organization was made, and end with the one in which it was deleted', () => {
    expect(months('2026-11-15T12:00:00Z', '2027-02-01T06:00:00Z')).toEqual(['2026-11', '2026-12', '2027-1']);
    expect(months('2026-11-15T12:00:00Z', '2027-02-01T06:00:00Z', '2026-12-03T12:00:00Z')).toEqual([
      '2026-11',
      '2026-12',
    ]);
    expect(months('2026-11-15T12:00:00Z', '2026-11-20T06:00:00Z')).toEqual([]);
  });

  test('are twelve at most', () => {
    const all = months('2020-01-01T12:00:00Z', '2026-11-01T06:00:00Z');
    expect(all).toHaveLength(12);
    expect([all.at(0), all.at(-1)]).toEqual(['2025-11', '2026-10']);
  });
});
