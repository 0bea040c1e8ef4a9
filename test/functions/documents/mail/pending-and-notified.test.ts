import { afterEach, describe, expect, test, vi } from 'vitest';
import { documentItems } from '../../../../functions/documents/domain/document/document.ts';
import { concludeDocument } from '../../../../functions/documents/domain/ending/conclude-document.ts';
import { handler as cancel } from '../../../../functions/documents/endpoints/documents/cancel-document.ts';
import { handler as notifyPending } from '../../../../functions/documents/endpoints/notifications/notify-pending.ts';
import { handler as setNotified } from '../../../../functions/documents/endpoints/notifications/update-notified-emails.ts';
import { handler as approve } from '../../../../functions/documents/endpoints/signing/approve-document.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ownOrganization } from '../own-organization.ts';
import { ANA, approval, BIA, linkIn, mailStage, workOnMail } from './mail-stage.ts';

const stage = await forFile(mailStage());
const headers = { 'X-API-Key': stage.key };
const HOUR = 3_600_000;
afterEach(async () => {
  await workOnMail();
  vi.useRealTimers();
  stage.arrived();
});

const QUIET = { disablePendingActionNotifications: true };
const notify = (...emails: string[]) => call(notifyPending, { headers, json: { emails } });
const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

describe('POST /api/users/notify-pending', () => {
  test('tells an address of each document that waits for it now, once an hour', async () => {
    for (const flow of [[approval(ANA)], [approval(ANA), approval(BIA)], [approval(BIA), approval(ANA, 2)]])
      await stage.created(flow, QUIET);
    await stage.created([approval(ANA)], { disableNotifications: true });
    await workOnMail();
    expect(stage.arrived()).toEqual([]);
    const answer = await notify(ANA.toUpperCase(), ANA);
    expect([answer.status, answer.text]).toEqual([204, '']);
    await workOnMail();
    expect(stage.arrived().map(([to]) => to)).toEqual([ANA, ANA]);
    await notify(ANA);
    await workOnMail();
    expect(stage.arrived()).toEqual([]);
    later(HOUR + 1_000);
    await notify(ANA);
    await workOnMail();
    expect(stage.arrived()).toHaveLength(2);
  });

  test('tells of twenty documents at most, the oldest first', async () => {
    const address = 'many@sandbox.example';
    for (let n = 0; n < 22; n++) await stage.created([approval(address)], QUIET);
    await notify(address);
    await workOnMail();
    expect(stage.arrived()).toHaveLength(20);
  });

  test('is refused where the organization sends no mail', async () => {
    const other = await ownOrganization();
    const answer = await call(notifyPending, {
      headers: { 'X-API-Key': other.key },
      json: { emails: [ANA] },
    });
    expect(answer.json()).toMatchObject({ code: 'MailNotEnabled' });
  });
});

describe('notified addresses', () => {
  const conclude = async (id: string) => {
    await call(approve, { headers, params: { id }, json: {} });
    await concludeDocument(id, Date.now());
    await workOnMail();
  };
  const set = (id: string, emails: string[]) =>
    call(setNotified, { headers, params: { id }, json: { emails } });

  test('are told of the conclusion with a link to the file, and of nothing else', async () => {
    const notifiedEmails = ['arquivo@sandbox.example', ANA];
    const id = await stage.created([approval(ANA)], { notifiedEmails, ...QUIET });
    await conclude(id);
    const mails = stage.smtp.forget();
    expect(mails.map(({ to }) => to).toSorted()).toEqual([ANA, 'arquivo@sandbox.example']);
    const archived = mails.find(({ to }) => to !== ANA)?.mail;
    expect([archived?.subject, linkIn(archived?.html)]).toEqual([
      expect.stringContaining('Document concluded'),
      expect.stringContaining('/api/downloads/'),
    ]);
    const canceled = await stage.created([approval(ANA)], { notifiedEmails: [BIA], ...QUIET });
    await call(cancel, { headers, params: { id: canceled }, json: { reason: 'x' } });
    await workOnMail();
    expect(stage.arrived().map(([to]) => to)).toEqual([ANA]);
  });

  test('are replaced until the document has ended', async () => {
    const id = await stage.created([approval(ANA)], { notifiedEmails: ['old@sandbox.example'], ...QUIET });
    const answer = await set(id, [BIA]);
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect((await documentItems.get(id))?.notifiedEmails).toEqual([BIA]);
    await conclude(id);
    expect(stage.arrived().map(([to]) => to)).toEqual([ANA, BIA]);
    expect((await set(id, [])).json()).toMatchObject({ code: 'InvalidDocumentStatus' });
  });

  test('are not told where all mail of the document is off', async () => {
    const id = await stage.created([approval(ANA)], { notifiedEmails: [BIA], disableNotifications: true });
    await conclude(id);
    expect(stage.arrived()).toEqual([]);
  });
});
