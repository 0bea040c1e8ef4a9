import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { WEBHOOKS } from '../../functions/documents/contract/events.ts';
import { invoiceClosedData } from '../../functions/documents/domain/billing/invoice.ts';
import { documentItems } from '../../functions/documents/domain/document/document.ts';
import {
  approvedNotification,
  canceledNotification,
  commonFields,
  EVENT_TYPES,
  refusedNotification,
  signedNotification,
} from '../../functions/documents/domain/document/notifications.ts';
import { expireDocument } from '../../functions/documents/domain/ending/end-document.ts';
import { organizations } from '../../functions/documents/domain/places/organization.ts';
import { TEST_EVENT } from '../../functions/documents/domain/webhooks/deliveries.ts';
import { deliveryStates } from '../../shared/webhooks/deliveries/delivery.ts';
import { retryDelaySeconds } from '../../shared/webhooks/queue/record-attempt.ts';
import { ownOrganization } from '../functions/documents/own-organization.ts';
import { someDocuments } from '../functions/documents/sample-documents.ts';
import { action, done, person } from '../functions/documents/sample-flow.ts';
import { recordedEventsOf, registerSilentWebhook } from '../functions/documents/stage/recorded-events.ts';

const page = readFileSync('docs/webhooks.md', 'utf8');

/** The rows of the table below a heading whose first cell is this. */
function tableFrom(firstHeading: string): string[][] {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${firstHeading} `));
  const rows = lines.slice(start + 2);
  return rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith('|')),
    )
    .map((row) =>
      row
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
}

const blocks = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => JSON.parse(text));
const blockOf = (name: string): unknown => blocks.find((block) => block.type === name || name in block);

// Names and kinds; a value that may be null is of any kind.
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.length > 0 ? [shapeOf(value[0])] : [];
  if (typeof value !== 'object' || value === null) return 'value';
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
};

const secondsOf = (text: string): number => {
  const parts = /^(?:(\d+) h )?(?:(\d+) min )?(\d+) s$/.exec(text) ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  return text === 'none' ? 0 : (hours * 60 + minutes) * 60 + seconds;
};

describe('docs/webhooks.md', () => {
  test('publishes the delays that retries really have', () => {
    const least = (n: number): number => (n === 0 ? 0 : retryDelaySeconds(n, () => 0));
    const most = (n: number): number => (n === 0 ? 0 : retryDelaySeconds(n, () => 1 - Number.EPSILON));
    const rows = tableFrom('Attempt');
    expect(rows).toHaveLength(10);
    const sums = { least: 0, most: 0 };
    for (const [retries, [attempt, ...times]] of rows.entries()) {
      sums.least += least(retries);
      sums.most += most(retries);
      expect(attempt).toBe(String(retries + 1));
      expect(times.map(secondsOf)).toEqual([least(retries), most(retries), sums.least, sums.most]);
    }
  });

  test('lists every event, the test event last, and no other', () => {
    const listed = tableFrom('`type`').map(([type = '']) => type.replaceAll('`', ''));
    expect(listed).toEqual([...EVENT_TYPES, TEST_EVENT]);
    expect(Object.keys(WEBHOOKS)).toEqual(listed);
  });

  test('lists every state of a delivery', () => {
    expect(tableFrom('State').map(([state]) => state)).toEqual([...deliveryStates.states]);
  });

  test('shows the payloads as they are sent', async () => {
    const { orgId } = await ownOrganization();
    await registerSilentWebhook(orgId);
    const [id = ''] = await someDocuments(orgId, {
      newFolderName: 'Contratos',
      expirationDate: '2099-12-31',
    });
    const document = await documentItems.get(id);
    const organization = await organizations.get(orgId);
    if (!document || !organization) throw new Error('Nothing was made.');
    await expireDocument(id, document.expiresAtMs ?? 0, document.expiresAtMs ?? 0);
    const told = await recordedEventsOf(orgId);
    const { folder, ...expired } = told.find(({ type }) => type === 'DocumentExpired')?.data ?? {};
    const { folder: shownFolder, ...common } = (
      blockOf('DocumentConcluded') as { data: Record<string, unknown> }
    ).data;

    expect(shapeOf(folder)).toEqual(shapeOf(shownFolder));
    expect(shapeOf(expired)).toEqual(shapeOf({ ...common, ...(blockOf('expirationDate') as object) }));
    expect(shapeOf(commonFields(document, { folder: undefined, organization }))).toEqual(
      shapeOf({ ...common, folder: null }),
    );

    const act = action([person('Ana')]);
    expect(shapeOf(signedNotification(act, done(person('Ana'))).extra)).toEqual(
      shapeOf(blockOf('signature')),
    );
    const approval = approvedNotification(act, done(person('Ana'), false)).extra;
    expect(shapeOf(approval)).toEqual({
      approval: shapeOf((blockOf('signature') as { signature: object }).signature),
    });
    const refusal = { by: person('Ana'), atMs: 0, reason: 'no' };
    expect(shapeOf(refusedNotification(act, refusal).extra)).toEqual(shapeOf(blockOf('refusal')));
    const agent = { id: 'a', name: 'A', type: 'Application' } as const;
    expect(shapeOf(canceledNotification(agent, 'no').extra)).toEqual(shapeOf(blockOf('canceledBy')));

    const month = { id: 'i', organizationId: orgId, year: 2026, month: 10, closedAtMs: 0 };
    const total = { transactionType: 'Document', priceCentavos: 1, total: 1, valueCentavos: 1 } as const;
    const invoice = { ...month, totals: [total], valueCentavos: 1, storedBytes: 1 };
    expect(shapeOf(invoiceClosedData(invoice, organization))).toEqual(
      shapeOf((blockOf('InvoiceClosed') as { data: object }).data),
    );
  });
});
