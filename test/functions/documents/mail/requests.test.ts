import { afterEach, describe, expect, test, vi } from 'vitest';
import { documentItems } from '../../../../functions/documents/domain/document/document.ts';
import { readDocument } from '../../../../functions/documents/domain/links/read-document.ts';
import {
  organizations,
  recentOrganization,
} from '../../../../functions/documents/domain/places/organization.ts';
import { handler as remind } from '../../../../functions/documents/endpoints/notifications/remind-flow-action.ts';
import { handler as getOrganization } from '../../../../functions/documents/endpoints/organizations/get-organization.ts';
import { handler as updateMail } from '../../../../functions/documents/endpoints/organizations/update-organization-mail.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ownStores } from '../../own-stores.ts';
import { ownOrganization } from '../own-organization.ts';
import { ANA, approval, BIA, mailStage, workOnMail } from './mail-stage.ts';

// The queues of mail and tasks are worked on as a whole.
await forFile(ownStores());
const stage = await forFile(mailStage());
const headers = { 'X-API-Key': stage.key };
const HOUR = 3_600_000;
afterEach(async () => {
  await workOnMail();
  vi.useRealTimers();
  stage.smtp.accept();
  stage.arrived();
});

const remindOf = async (documentId: string, flowActionId?: string) => {
  const flow = (await documentItems.get(documentId))?.flow;
  return call(remind, { headers, json: { documentId, flowActionId: flowActionId ?? flow?.[0]?.id } });
};
const codeOf = async (answering: ReturnType<typeof remindOf>) => {
  const { status, json, text } = await answering;
  return [status, text === '' ? undefined : (json() as { code?: string }).code];
};
const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

describe('POST /api/notifications/flow-action-reminder', () => {
  test('sends each person that the action waits for a new link, once an hour', async () => {
    const id = await stage.created();
    await workOnMail();
    stage.arrived();
    expect((await remindOf(id)).status).toBe(204); // An invitation is no reminder.
    expect((await remindOf(id)).status).toBe(204); // Nobody has worked on it yet: it is the same one.
    await workOnMail();
    expect(stage.arrived()).toEqual([
      [ANA, 'Lembrete: aprovar documento / Reminder: approve a document: Contrato'],
    ]);
    const early = await remindOf(id);
    expect([early.status, Number(early.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
    later(HOUR + 1_000);
    expect((await remindOf(id)).status).toBe(204);
    await workOnMail();
    expect(stage.arrived()).toHaveLength(1);
    const { messages } = await readDocument(stage.caller, id, Date.now());
    expect(messages.map(({ kind }) => kind)).toEqual(['Invitation', 'Reminder', 'Reminder']);
  });

  test('invites where invitations are off, and is refused where all mail is', async () => {
    const quiet = await stage.created([approval(ANA)], { disablePendingActionNotifications: true });
    expect((await remindOf(quiet)).status).toBe(204);
    await workOnMail();
    expect(stage.arrived()).toHaveLength(1);
    const silent = await stage.created([approval(ANA)], { disableNotifications: true });
    expect(await codeOf(remindOf(silent))).toEqual([422, 'NotificationsDisabled']);
  });

  test('invites whoever was not told, as the organization sent no mail then', async () => {
    await stage.turn(false);
    const id = await stage.created();
    await stage.turn(true);
    expect((await remindOf(id)).status).toBe(204);
    await workOnMail();
    expect(stage.arrived()).toHaveLength(1);
  });

  test('is sent by a worker that knows the organization from before its mail was on', async () => {
    await stage.turn(false);
    const id = await stage.created();
    await recentOrganization(stage.orgId); // The copy of the worker. The call below reads in another process.
    const stored = (await organizations.get(stage.orgId)) ?? expect.fail();
    await organizations.change(stored, { mail: { enabled: true, requiresCode: false } });
    expect((await remindOf(id)).status).toBe(204);
    await workOnMail();
    expect(stage.arrived()).toHaveLength(1);
    await stage.turn(true);
  });

  test('tries an address again that was refused for good', async () => {
    stage.smtp.refuse(550, 'No such user here');
    const id = await stage.created();
    await workOnMail();
    expect((await remindOf(id)).status).toBe(204);
    await workOnMail();
    stage.smtp.accept();
    expect((await remindOf(id)).status).toBe(204);
    await workOnMail();
    expect(stage.arrived()).toHaveLength(1);
  });

  test('is refused for an action that does not wait, a person without an address, and an organization without mail', async () => {
    const id = await stage.created([approval(ANA), approval(BIA, 2)]);
    const { flow } = (await documentItems.get(id)) ?? expect.fail();
    expect(await codeOf(remindOf(id, flow[1]?.id))).toEqual([422, 'InvalidFlowAction']);
    expect(await codeOf(remindOf(id, 'another'))).toEqual([422, 'InvalidFlowAction']);
    const nobody = await stage.created([{ type: 'Approver', user: { name: 'Zé' } }]);
    expect(await codeOf(remindOf(nobody))).toEqual([422, 'EmailAddressRequired']);
    await stage.turn(false);
    expect(await codeOf(remindOf(id))).toEqual([422, 'MailNotEnabled']);
    await stage.turn(true);
    const { key } = await ownOrganization();
    const other = await call(remind, {
      headers: { 'X-API-Key': key },
      json: { documentId: id, flowActionId: flow[0]?.id },
    });
    expect(other.status).toBe(404);
  });
});

describe('PUT /api/organizations/{orgId}/mail', () => {
  const put = (orgId: string, key: string, json: object) =>
    call(updateMail, { params: { orgId }, headers: { 'X-API-Key': key }, json });

  test('is off until it is turned on, and shown with the organization', async () => {
    const { orgId, key } = await ownOrganization();
    const shown = async () =>
      (await call(getOrganization, { params: { orgId }, headers: { 'X-API-Key': key } })).json();
    expect(await shown()).toMatchObject({ mail: { enabled: false, requiresCode: false } });
    expect((await put(orgId, key, { enabled: true })).json()).toEqual({ enabled: true, requiresCode: false });
    expect(await shown()).toMatchObject({ mail: { enabled: true, requiresCode: false } });
    expect((await put(orgId, key, {})).status).toBe(400);
  });

  test('is refused for the organization of another, and where the deployment has no mail server', async () => {
    const [mine, theirs] = [await ownOrganization(), await ownOrganization()];
    expect((await put(theirs.orgId, mine.key, { enabled: true })).status).toBe(404);
    const server = process.env.Mail__Smtp__Server;
    vi.stubEnv('Mail__Smtp__Server', '');
    expect((await put(mine.orgId, mine.key, { enabled: true })).json()).toMatchObject({
      code: 'MailNotEnabled',
    });
    expect((await put(mine.orgId, mine.key, { enabled: false })).status).toBe(200);
    vi.stubEnv('Mail__Smtp__Server', server);
  });
});
