import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { NewVersion } from '../../../../functions/documents/contract/create-document.ts';
import { FlowEditRequest } from '../../../../functions/documents/contract/flows/flow-edit.ts';
import { createVersion } from '../../../../functions/documents/domain/creating/create-version.ts';
import { documentItems } from '../../../../functions/documents/domain/document/document.ts';
import { cancelDocument } from '../../../../functions/documents/domain/ending/end-document.ts';
import { editRunningFlow } from '../../../../functions/documents/domain/flows/edit-running-flow.ts';
import { readDocument } from '../../../../functions/documents/domain/links/read-document.ts';
import type { PersonTask } from '../../../../functions/documents/domain/mail/mail-tasks.ts';
import { mailPerson } from '../../../../functions/documents/domain/mail/send-mail.ts';
import { organizations } from '../../../../functions/documents/domain/places/organization.ts';
import {
  readPreferences,
  updatePreferences,
} from '../../../../functions/documents/domain/places/preferences.ts';
import { deleteDocument } from '../../../../functions/documents/domain/removal/delete-document.ts';
import { createActionUrl } from '../../../../functions/documents/domain/signing/action-url.ts';
import {
  approveDocument,
  refuseDocument,
} from '../../../../functions/documents/domain/signing/approve-or-refuse.ts';
import { MAIL_LEASE_MS } from '../../../../shared/mail/record.ts';
import { readPartition } from '../../../../shared/store/partition.ts';
import { killedAt } from '../../../faults/crash.ts';
import { countCalls } from '../../../measure/calls.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ownStores } from '../../own-stores.ts';
import { details, partsOf } from '../endpoints/signing/calls.ts';
import { anUpload } from '../sample-documents.ts';
import { runTasks, runTasksAt } from '../stage/run-tasks.ts';
import { ANA, approval, BIA, CAIO, linkIn, mailStage, sweepMail, workOnMail } from './mail-stage.ts';

// The queues of mail and tasks are worked on as a whole.
await forFile(ownStores());
const stage = await forFile(mailStage());
const { smtp, caller, orgId } = stage;
beforeEach(() => stage.turn(true));
afterEach(async () => {
  vi.useRealTimers();
  smtp.accept();
  await workOnMail();
  smtp.forget();
});

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const by = (emailAddress: string) => ({ identifier: null, emailAddress });
const approve = (id: string, address: string) => approveDocument(caller, id, by(address), Date.now());
const INVITATION = 'Aprovar documento / Approve a document: Contrato';
const REMINDER = 'Lembrete: aprovar documento / Reminder: approve a document: Contrato';
const ending = (pt: string, en: string) => `Documento ${pt} / Document ${en}: Contrato`;

describe('an invitation', () => {
  test('is in the language of the organization, with its own sentence as text and a page in that language', async () => {
    const before = await readPreferences(caller, orgId);
    await updatePreferences(caller, orgId, { ...before, language: 'en', mailSentence: 'Ask <b>Eva</b>.' });
    try {
      await stage.created([approval('fia@sandbox.example')]);
      await workOnMail();
      const [{ mail } = { mail: { subject: '', text: '', html: '' } }] = smtp.arrived;
      expect(mail.subject).toBe('Approve a document: Contrato');
      expect([mail.text, linkIn(mail.html)]).toEqual([
        expect.stringContaining('Ask <b>Eva</b>.'),
        expect.stringMatching(/&lang=en$/),
      ]);
      expect(mail.html).toContain('Ask &lt;b&gt;Eva&lt;/b&gt;.');
      for (const text of [mail.text, mail.html]) expect(text).not.toMatch(/Olá|pede sua/);

      // A document's own language goes before it, in mail and in every link.
      smtp.forget();
      const gil = 'gil@sandbox.example';
      const id = await stage.created([approval(gil)], { language: 'pt-BR' });
      await workOnMail();
      const [{ mail: own } = { mail: { subject: '', html: '' } }] = smtp.arrived;
      expect([own.subject, linkIn(own.html)]).toEqual([
        'Aprovar documento: Contrato',
        expect.stringMatching(/&lang=pt-BR$/),
      ]);
      const { url, embedUrl } = await createActionUrl(caller, id, by(gil), Date.now());
      for (const link of [url, embedUrl]) expect(link).toMatch(/\?ticket=[\w-]+&lang=pt-BR$/);
      expect(await readDocument(caller, id, Date.now())).toMatchObject({ language: 'pt-BR' });
    } finally {
      await updatePreferences(caller, orgId, before);
    }
  });

  test('goes to each person when it is their turn, with a link that opens the very document', async () => {
    const id = await stage.created([approval(ANA), approval(BIA), approval(CAIO, 2)]);
    await workOnMail();
    const links = smtp.arrived.map(({ mail }) => linkIn(mail.html));
    expect(stage.arrived()).toEqual([
      [ANA, INVITATION],
      [BIA, INVITATION],
    ]);
    for (const link of links) {
      const { key, ticket } = partsOf(link);
      const shown = (await details(key, { ticket })).json();
      expect(shown).toMatchObject({ id, action: { canAct: true, kind: 'approval' } });
    }
    expect(new Set(links).size).toBe(2);
    await approve(id, ANA);
    expect(await workOnMail()).toEqual([]);
    await approve(id, BIA);
    await workOnMail();
    expect(stage.arrived()).toEqual([[CAIO, INVITATION]]);
  });

  test('goes to who is new in an edited flow, and to another address; who is removed gets nothing more', async () => {
    const unreached = { type: 'Approver', user: { name: 'Eva' } };
    const id = await stage.created([approval(ANA), approval(BIA), unreached]);
    await workOnMail();
    stage.arrived();
    const [ana, bia, eva] = (await documentItems.get(id))?.flow ?? [];
    const edit = {
      addedFlowActions: [approval(CAIO, 0)],
      editedFlowActions: [{ flowActionId: bia?.id, participantEmailAddress: 'bia@other.example' }],
      deletedFlowActionIds: [ana?.id],
    };
    await editRunningFlow(caller, id, FlowEditRequest.parse(edit), Date.now());
    await workOnMail();
    expect(stage.arrived()).toEqual([
      ['bia@other.example', INVITATION],
      [CAIO, INVITATION],
    ]);
    const reached = { editedFlowActions: [{ flowActionId: eva?.id, participantEmailAddress: ANA }] };
    await editRunningFlow(caller, id, FlowEditRequest.parse(reached), Date.now());
    await workOnMail();
    expect(stage.arrived()).toEqual([[ANA, INVITATION]]);
    await sweepMail(Date.now() + 4 * DAY);
    const reminded = stage.arrived().map(([to]) => to);
    expect(reminded).toEqual(expect.arrayContaining(['bia@other.example', CAIO]));
    expect(reminded.filter((to) => to === ANA)).toHaveLength(1);
    expect(reminded).not.toContain(BIA);
  });

  test('names the organization, the document and its deadline, and nothing of the content', async () => {
    await stage.created([approval(ANA)], {
      expirationDate: '2099-12-31',
      description: 'A secret paragraph',
      additionalInfo: 'Another secret',
    });
    await workOnMail();
    const [{ mail, raw } = expect.fail('Nothing arrived.')] = smtp.arrived;
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain('ACME Ltda');
      expect(body).toContain('Contrato');
      expect(body).toContain('31/12/2099');
      expect(body).toContain('Dec 31, 2099');
      expect(body).not.toMatch(/secret/i);
    }
    expect(mail.attachments).toEqual([]);
    expect(raw).not.toMatch(/secret/i);
  });

  test('is recorded with the change, in as many transactions and calls as without', async () => {
    const ids: Record<string, string[]> = { on: [], off: [] };
    const count = async (enabled: boolean) => {
      await stage.turn(enabled);
      const uploadId = await anUpload(orgId);
      const { byCommand } = await countCalls(async () => {
        ids[enabled ? 'on' : 'off']?.push(
          await stage.created([approval(ANA)], { files: [{ id: uploadId }], names: [] }),
        );
      });
      return byCommand;
    };
    vi.spyOn(Math, 'random').mockReturnValue(0.9);
    await count(false);
    const off = await count(false);
    const on = await count(true);
    expect(off.SendMessageBatch).toBeUndefined();
    expect({ ...on, SendMessageBatch: undefined }).toEqual({ ...off, SendMessageBatch: undefined });
    expect(on.SendMessageBatch).toBe(1);
    vi.restoreAllMocks();
  });

  test('is not sent where the organization has not turned mail on, or turns it off before', async () => {
    await stage.turn(false);
    const id = await stage.created();
    expect(await workOnMail()).toEqual([]);
    await cancelDocument(caller, id, 'no', Date.now());
    expect(await workOnMail()).toEqual([]);
    await stage.turn(true);
    await stage.created();
    await stage.turn(false);
    await workOnMail();
    expect(stage.arrived()).toEqual([]);
  });

  test('is not sent with `disablePendingActionNotifications`; the end of the document is told', async () => {
    const id = await stage.created([approval(ANA)], { disablePendingActionNotifications: true });
    expect(await workOnMail()).toEqual([]);
    await cancelDocument(caller, id, 'no', Date.now());
    await workOnMail();
    expect(stage.arrived()).toEqual([[ANA, ending('cancelado', 'canceled')]]);
  });

  test('is not sent with `disableNotifications`, and nothing else is', async () => {
    const id = await stage.created([approval(ANA)], { disableNotifications: true });
    await cancelDocument(caller, id, 'no', Date.now());
    expect(await workOnMail()).toEqual([]);
  });

  test('is sent again for a new version, unless that says otherwise; the old link is dead', async () => {
    const id = await stage.created();
    await workOnMail();
    const [first] = smtp.forget();
    const version = async (more: object = {}) =>
      createVersion(
        caller,
        id,
        NewVersion.parse({ file: { id: await anUpload(orgId) }, ...more }),
        Date.now(),
      );
    await version();
    await workOnMail();
    const { key, ticket } = partsOf(linkIn(first?.mail.html));
    expect((await details(key, { ticket })).json()).toMatchObject({ code: 'InvalidTicket' });
    expect(smtp.forget().map(({ to }) => to)).toEqual([ANA]);
    await version({ disablePendingActionNotifications: true });
    expect(await workOnMail()).toEqual([]);
    await version();
    expect(await workOnMail()).toEqual([]);
    await version({ disablePendingActionNotifications: false });
    await workOnMail();
    expect(smtp.forget().map(({ to }) => to)).toEqual([ANA]);
  });

  test('goes to nobody whose address is not known, and to each person of a rule', async () => {
    const rule = {
      type: 'ApproverRule',
      numberRequiredSignatures: 1,
      signRuleUsers: [{ name: 'Ana', email: ANA }, { name: 'Bia', email: BIA }, { name: 'Zé' }],
    };
    const id = await stage.created([rule]);
    await workOnMail();
    expect(stage.arrived().map(([to]) => to)).toEqual([ANA, BIA]);
    await approve(id, ANA);
    await workOnMail();
    await runTasks();
    await workOnMail();
    expect(stage.arrived()).toEqual([
      [ANA, ending('concluído', 'concluded')],
      [BIA, ending('concluído', 'concluded')],
    ]);
  });
});

describe('the end of a document', () => {
  const observers = [{ name: 'Olga', email: 'olga@sandbox.example' }];

  test('is told to everybody who was told of it, and to observers', async () => {
    const id = await stage.created([approval(ANA), approval(BIA, 2)], { observers });
    await workOnMail();
    stage.arrived();
    await cancelDocument(caller, id, 'The reason is private.', Date.now());
    await workOnMail();
    for (const { mail } of smtp.arrived) expect(mail.text).not.toContain('private');
    expect(stage.arrived().map(([to]) => to)).toEqual([ANA, 'olga@sandbox.example']);
  });

  test('by a refusal is not told to who refused', async () => {
    const id = await stage.created([approval(ANA), approval(BIA)]);
    await workOnMail();
    stage.arrived();
    await refuseDocument(caller, id, { ...by(ANA), reason: 'No.' }, Date.now());
    await workOnMail();
    expect(stage.arrived()).toEqual([[BIA, ending('recusado', 'refused')]]);
  });

  test('by its date is told when it has passed', async () => {
    const expiresAtMs = Date.now() + DAY;
    await stage.created([approval(ANA)], { expirationDate: new Date(expiresAtMs).toISOString() });
    await workOnMail();
    stage.arrived();
    vi.useFakeTimers({ toFake: ['Date'], now: expiresAtMs + MINUTE });
    await runTasksAt(expiresAtMs + MINUTE);
    await workOnMail();
    expect(stage.arrived()).toEqual([[ANA, ending('expirado', 'expired')]]);
  });

  test('is told with a link to the file: of a participant to the page, of an observer to the file', async () => {
    const id = await stage.created([approval(ANA)], { observers });
    await workOnMail();
    stage.arrived();
    await approve(id, ANA);
    await runTasks();
    await workOnMail();
    const links = Object.fromEntries(smtp.arrived.map(({ to, mail }) => [to, linkIn(mail.html)]));
    expect(stage.arrived().map(([, subject]) => subject)).toEqual(
      Array.from({ length: 2 }, () => ending('concluído', 'concluded')),
    );
    const { key, ticket } = partsOf(links[ANA] ?? '');
    expect((await details(key, { ticket })).json()).toMatchObject({ status: 'Concluded' });
    expect(links['olga@sandbox.example']).toMatch(/\/documents\/api\/downloads\/[\w.-]+$/);
  });
});

describe('a mail server', () => {
  test('that refuses for good is shown in the details of the document, with its words', async () => {
    smtp.refuse(550, 'No such user here');
    const id = await stage.created();
    await workOnMail();
    const { messages } = await readDocument(caller, id, Date.now());
    expect(messages).toMatchObject([
      {
        kind: 'Invitation',
        status: 'Failed',
        emailAddress: ANA,
        problem: expect.stringContaining('550 No such user here'),
      },
    ]);
    smtp.accept();
    await sweepMail(Date.now() + 2 * MINUTE);
    expect(stage.arrived()).toEqual([]);
    expect((await documentItems.get(id))?.state).toBe('Pending');
  });

  test('that refuses for now gets the message again later, and the document shows that it waits', async () => {
    smtp.refuse(451, 'Greylisted');
    const id = await stage.created();
    await workOnMail();
    expect((await readDocument(caller, id, Date.now())).messages).toMatchObject([{ status: 'Sending' }]);
    smtp.accept();
    await sweepMail(Date.now() + 2 * MINUTE);
    expect(stage.arrived()).toEqual([[ANA, INVITATION]]);
    const { messages, actionUrls } = await readDocument(caller, id, Date.now());
    expect(messages).toMatchObject([{ status: 'Sent', problem: null }]);
    expect(actionUrls).toMatchObject([{ emailAddress: ANA, firstOpenedDate: null }]);
  });

  test('that hangs delays nobody who acts, and no task', async () => {
    const id = await stage.created([approval(ANA), approval(BIA)]);
    const { begun, end } = smtp.hang();
    const working = workOnMail();
    await begun;
    await approve(id, ANA);
    await approve(id, BIA);
    await runTasks();
    expect((await documentItems.get(id))?.state).toBe('Concluded');
    const { messages } = await readDocument(caller, id, Date.now());
    expect(messages.some(({ status }) => status === 'Sending')).toBe(true);
    end();
    await working;
  });

  // worker 1  |--claim-- sends -- killed
  // worker 2       |--held                 lease ends |--claim-- sends --sent--|
  test('gets one message of a worker that was killed, or the one under way twice', async () => {
    const nowMs = Date.now();
    const now = () => nowMs;
    for (const [write, moment, copies] of [
      [1, 'after', 1],
      [2, 'after', 1],
      [3, 'before', 2],
      [3, 'after', 1],
    ] as const) {
      const id = await stage.created();
      const { flow } = (await documentItems.get(id)) ?? expect.fail();
      const [{ id: actionId, people } = expect.fail()] = flow;
      const personId = people[0]?.id ?? '';
      const task: PersonTask = {
        ...{ task: 'call', kind: 'Invitation', documentId: id, actionId, personId, number: 0 },
      };
      expect(await killedAt(write, moment, () => mailPerson(task, now))).toBe(true);
      const isDone = write === 3 && moment === 'after';
      expect(await mailPerson(task, now)).toBe(isDone ? 'done before' : 'busy');
      await workOnMail();
      await sweepMail(nowMs + MAIL_LEASE_MS + 1);
      await sweepMail(nowMs + 5 * MINUTE);
      const ids = smtp.arrived.map(({ mail }) => mail.messageId);
      expect(ids, `${moment} ${write}`).toHaveLength(copies);
      expect(new Set(ids).size).toBe(1);
      smtp.forget();
      vi.useRealTimers();
    }
  });

  test('gets nothing about a document that was deleted, and nothing of it stays', async () => {
    const id = await stage.created([approval(ANA)], { names: ['Deleted'] });
    await workOnMail();
    await deleteDocument(caller, id);
    await runTasks();
    stage.arrived();
    await sweepMail(Date.now() + 4 * DAY);
    expect(stage.arrived().filter(([, subject]) => subject?.endsWith('Deleted'))).toEqual([]);
    expect(await readPartition('documents', `DOCUMENT#${id}`)).toEqual([]);
  });
});

describe('a reminder', () => {
  test('comes by itself after some days, three times, while the action waits', async () => {
    const startMs = Date.now();
    await stage.created([approval(ANA)], { names: ['Waits'] });
    await workOnMail();
    stage.arrived();
    const reminders = () => stage.arrived().filter(([, subject]) => subject?.endsWith('Waits'));
    await sweepMail(startMs + 3 * DAY - MINUTE);
    expect(reminders()).toEqual([]);
    for (const days of [3, 6, 9, 12, 15]) await sweepMail(startMs + days * (DAY + MINUTE));
    const reminder = [ANA, REMINDER.replace('Contrato', 'Waits')];
    expect(reminders()).toEqual([reminder, reminder, reminder]);
  });

  test('does not come to who has acted, nor where it is off', async () => {
    const names = ['Silent'];
    const id = await stage.created([approval(ANA), approval(BIA)], { names });
    await workOnMail();
    vi.stubEnv('Mail__RemindAfterDays', '0');
    await stage.created([approval(CAIO)], { names });
    await workOnMail();
    vi.stubEnv('Mail__RemindAfterDays', undefined);
    await approve(id, ANA);
    await approve(id, BIA);
    await sweepMail(Date.now() + 4 * DAY);
    const isReminder = REMINDER.replace('Contrato', 'Silent');
    expect(stage.arrived().filter(([, subject]) => subject === isReminder)).toEqual([]);
  });
});

// this process   |--a document: no mail                                   |--a document, and the next one's turn
// another                                  |--turns the mail on--200--|
test('mail that another process turned on is sent from its answer on, and mail that it turned off is not', async () => {
  await stage.turn(false);
  await stage.created();
  const turnElsewhere = async (enabled: boolean) => {
    const found = await organizations.get(orgId);
    if (found) await organizations.change(found, { mail: { enabled, requiresCode: false } });
  };
  await turnElsewhere(true);
  const id = await stage.created([approval(ANA), approval(BIA, 2)]);
  await workOnMail();
  expect(stage.arrived()).toEqual([[ANA, INVITATION]]);
  await approve(id, ANA);
  await workOnMail();
  expect(stage.arrived()).toEqual([[BIA, INVITATION]]);
  await stage.created();
  await turnElsewhere(false);
  await workOnMail();
  expect(stage.arrived()).toEqual([]);
});
