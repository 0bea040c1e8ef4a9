import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { CreateDocuments } from '../../../../functions/documents/contract/create-document.ts';
import { createDocuments } from '../../../../functions/documents/domain/creating/create-documents.ts';
import { type Document, documentItems } from '../../../../functions/documents/domain/document/document.ts';
import { cancelDocument } from '../../../../functions/documents/domain/ending/end-document.ts';
import { readDocument } from '../../../../functions/documents/domain/links/read-document.ts';
import { announce } from '../../../../functions/documents/domain/mail/send-mail.ts';
import { addMember, removeMember } from '../../../../functions/documents/domain/members/members.ts';
import { callerOf, logIn } from '../../../../functions/documents/domain/members/sessions.ts';
import { updatePreferences } from '../../../../functions/documents/domain/places/preferences.ts';
import {
  approveDocument,
  refuseDocument,
} from '../../../../functions/documents/domain/signing/approve-or-refuse.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ownStores } from '../../own-stores.ts';
import { visitorWith } from '../console/member-stage.ts';
import { anUpload } from '../sample-documents.ts';
import { runTasks, runTasksAt } from '../stage/run-tasks.ts';
import { ANA, approval, BIA, linkIn, mailStage, sweepMail, workOnMail } from './mail-stage.ts';

// The queues of mail and tasks are worked on as a whole.
await forFile(ownStores());
const stage = await forFile(mailStage());
const { smtp, caller, orgId } = stage;
afterEach(async () => {
  vi.useRealTimers();
  smtp.accept();
  await stage.turn(true);
  await workOnMail();
  smtp.forget();
});

const DAY = 86_400_000;
const by = (emailAddress: string) => ({ identifier: null, emailAddress });
const add = (name: string, role: 'Owner' | 'Member') => {
  const email = `${name}-${randomUUID()}@sandbox.example`;
  return addMember(caller, orgId, { name, email, cpf: null, role }, Date.now());
};
type Sender = Awaited<ReturnType<typeof add>>;
let eva: Sender;
let leo: Sender;
beforeAll(async () => {
  eva = await add('Eva', 'Owner');
  leo = await add('Leo', 'Member');
});

/** Sends a document at the console, and lets its invitations arrive. */
async function sent(flowActions: readonly object[] = [approval(ANA)], more: object = {}, sender = eva) {
  const files = [{ id: await anUpload(orgId), displayName: 'Contrato' }];
  const request = CreateDocuments.parse({ files, flowActions, ...more });
  const [made] = await createDocuments(callerOf({ id: orgId }, sender), request, Date.now());
  await workOnMail();
  stage.arrived();
  return made?.documentId ?? '';
}
const console = (id: string) => `http://localhost:3000/documents/console/documents/${id}`;

/** The mail to whoever sent the document. */
async function mailTo({ email }: Pick<Sender, 'email'>) {
  await workOnMail();
  return smtp.forget().flatMap(({ to, mail }) => (to === email ? [mail] : []));
}

describe('the member who sent a document', () => {
  test('is told that it was refused and by whom, and reads the reason on its page, not in the mail', async () => {
    const id = await sent([approval(ANA), approval(BIA)]);
    await refuseDocument(caller, id, { ...by(ANA), reason: 'O valor está errado.' }, Date.now());
    const [mail, ...others] = await mailTo(eva);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('Documento recusado / Document refused: Contrato');
    expect(mail?.text).toContain('Um documento que você enviou foi recusado.');
    expect(mail?.text).toContain('Recusado por: Ana');
    expect(mail?.text).not.toContain('O valor está errado');
    expect(mail?.text).not.toContain('não o encaminhe');
    expect(linkIn(mail?.html)).toBe(console(id));
    const session = await logIn(
      { identity: { kind: 'email', value: eva.email }, previous: undefined },
      Date.now(),
    );
    const page = await visitorWith(session ?? '').show(`documents/${id}`);
    expect(page.text).toContain('O valor está errado.');
    expect(page.text).toContain(`Mail to ${eva.email} about the end: sent.`);
  });

  test('is told that it is concluded, and that its time has passed', async () => {
    const id = await sent();
    await approveDocument(caller, id, by(ANA), Date.now());
    await runTasks();
    const [concluded] = await mailTo(eva);
    expect(concluded?.subject).toBe('Documento concluído / Document concluded: Contrato');
    expect(linkIn(concluded?.html)).toBe(console(id));

    await sent([approval(ANA)], { expirationDate: new Date(Date.now() + DAY).toISOString() });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * DAY });
    await runTasksAt(Date.now());
    const [expired] = await mailTo(eva);
    expect(expired?.subject).toBe('Documento expirado / Document expired: Contrato');
  });

  test('is told that somebody else has canceled it, and not of what they did themselves', async () => {
    const own = await sent();
    await cancelDocument(callerOf({ id: orgId }, eva), own, 'Errado.', Date.now());
    expect(await mailTo(eva)).toEqual([]);
    const other = await sent();
    await cancelDocument(callerOf({ id: orgId }, leo), other, 'Errado.', Date.now());
    const [mail] = await mailTo(eva);
    expect(mail?.text).toContain('A página do documento diz por quem e por quê.');
    expect(mail?.text).not.toContain('Errado.');
  });

  test('gets one mail where they take part too, in the language of the organization', async () => {
    const preferences = { language: 'en', mailSentence: null } as const;
    const ways = { cloud: true, token: true, electronic: true };
    await updatePreferences(caller, orgId, { ...preferences, signingWays: ways });
    const observers = [{ name: 'Eva', emailAddress: eva.email.toUpperCase() }];
    const id = await sent([approval(eva.email), approval(ANA)], { observers, language: 'pt-BR' });
    await approveDocument(caller, id, by(eva.email), Date.now());
    await approveDocument(caller, id, by(ANA), Date.now());
    await runTasks();
    const mails = await mailTo(eva);
    expect(mails.map(({ subject }) => subject)).toEqual(['Document concluded: Contrato']);
    expect(linkIn(mails[0]?.html)).toBe(console(id));
    await updatePreferences(caller, orgId, { ...preferences, language: null, signingWays: ways });
  });

  test('is told that an invitation could not be delivered, as long as it is still waited for', async () => {
    smtp.refuse(550, '5.1.1 no such user');
    await sent();
    smtp.accept();
    await sweepMail(Date.now() + 60_000);
    const [mail] = await mailTo(eva);
    expect(mail?.subject).toBe('E-mail não entregue / Mail not delivered: Contrato');
    expect(mail?.text).toContain(`Para: Ana <${ANA}>`);
    vi.useRealTimers();

    smtp.refuse(550, '5.1.1 no such user');
    const done = await sent();
    smtp.accept();
    await approveDocument(caller, done, by(ANA), Date.now());
    await sweepMail(Date.now() + 60_000);
    expect((await mailTo(eva)).filter(({ subject }) => subject?.includes('not delivered'))).toEqual([]);
  });

  test('is told of who signed with the certificate of another name, where nothing proves that both are one', async () => {
    const id = await sent();
    const stored = await documentItems.get(id);
    if (!stored) throw new Error('It is not there.');
    const flow = stored.flow.map((action): Document['flow'][number] => ({
      ...action,
      completions: action.people.map((person) => ({
        by: { ...person, identifier: '47363361886' },
        atMs: Date.now(),
        certificate: { subject: 'CN=RUI PRADO:47363361886,C=BR', issuer: 'CN=AC', sha256: '' },
      })),
      state: 'Completed',
    }));
    await documentItems.change(stored, { flow, state: 'Concluded' });
    await announce({ task: 'announce', documentId: id, round: stored.round, news: 'Concluded' }, Date.now);
    const [mail] = await mailTo(eva);
    expect(mail?.text).toContain('Ana: assinado com o certificado de RUI PRADO');
  });

  test('is not told where mail is off, where no mail was asked for, and once they are no member', async () => {
    const refused = async (id: string) => {
      await refuseDocument(caller, id, { ...by(ANA), reason: 'Não.' }, Date.now());
      return [await mailTo(eva), await mailTo(leo)].flat();
    };
    expect(await refused(await sent([approval(ANA)], { disableNotifications: true }))).toEqual([]);
    const off = await sent();
    await stage.turn(false);
    expect(await refused(off)).toEqual([]);
    await stage.turn(true);
    const gone = await sent([approval(ANA)], {}, leo);
    await removeMember(caller, orgId, leo.id);
    expect(await refused(gone)).toEqual([]);
    // Nobody is behind a document that a program created.
    const { messages } = await readDocument(caller, await stage.created(), Date.now());
    expect(messages.map(({ emailAddress }) => emailAddress)).not.toContain(eva.email);
  });
});
