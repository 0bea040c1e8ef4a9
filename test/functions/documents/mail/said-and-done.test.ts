import { afterEach, describe, expect, test } from 'vitest';
import { readDocument } from '../../../../functions/documents/domain/links/read-document.ts';
import { addMember } from '../../../../functions/documents/domain/members/members.ts';
import { logIn } from '../../../../functions/documents/domain/members/sessions.ts';
import { createActionUrl } from '../../../../functions/documents/domain/signing/action-url.ts';
import { approveDocument } from '../../../../functions/documents/domain/signing/approve-or-refuse.ts';
import { handler as getPage } from '../../../../functions/documents/endpoints/signing/get-action-page.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ownStores } from '../../own-stores.ts';
import { visitorWith } from '../console/member-stage.ts';
import { byKey, partsOf } from '../endpoints/signing/calls.ts';
import { runTasks } from '../stage/run-tasks.ts';
import { ANA, approval, BIA, CAIO, mailStage, workOnMail } from './mail-stage.ts';

// What the pages say that happens, beside what happens.

await forFile(ownStores());
const stage = await forFile(mailStage());
const { caller, orgId } = stage;
const email = 'eva@sandbox.example';
await addMember(caller, orgId, { name: 'Eva', email, cpf: null, role: 'Owner' }, Date.now());
const session = await logIn({ identity: { kind: 'email', value: email }, previous: undefined }, Date.now());
const eva = visitorWith(session ?? '');
afterEach(async () => {
  await stage.turn(true);
  await workOnMail();
  stage.arrived();
});

const by = (emailAddress: string) => ({ identifier: null, emailAddress });
const arrivedNow = async () => {
  await workOnMail();
  return stage.arrived().map(([to]) => to);
};
/** A document, after its invitations have arrived. */
async function invited(flowActions: readonly object[], more: object = {}) {
  const id = await stage.created(flowActions, more);
  await arrivedNow();
  const { flowActions: actions } = await readDocument(caller, id, Date.now());
  return { id, actions: actions.map((each) => each.id) };
}
const doneIn = ({ headers }: { readonly headers: { readonly location?: string } }): string | null =>
  new URL(headers.location ?? '', 'http://localhost').searchParams.get('done');
const textAfter = async (id: string, done: string | null) =>
  (await eva.show(`documents/${id}`, { done: done ?? '' })).text;

describe('a corrected address', () => {
  test.each([
    [
      'at once where it is their turn',
      0,
      {},
      true,
      'An invitation is on its way there',
      ['new@sandbox.example'],
    ],
    ['later where others come first', 1, {}, true, 'An invitation goes there when it is their turn', []],
    ['never where mail is off', 0, {}, false, 'No invitation goes there', []],
    [
      'never for a document without invitations',
      0,
      { disablePendingActionNotifications: true },
      true,
      'No invitation goes there',
      [],
    ],
  ] as const)('is invited %s, and the page says so', async (_, at, more, isOn, words, arrived) => {
    const { id, actions } = await invited([approval(ANA), approval(BIA, 2)], more);
    await stage.turn(isOn);
    const fields = { flowActionId: actions[at] ?? '', userId: '', emailAddress: 'new@sandbox.example' };
    const answer = await eva.send(`documents/${id}/correct`, fields);
    expect(await textAfter(id, doneIn(answer))).toContain(words);
    expect(await arrivedNow()).toEqual(arrived);
  });
});

test('an address that is saved as it was invites nobody again, and the page says so', async () => {
  const { id, actions } = await invited([approval(ANA)]);
  const fields = { flowActionId: actions[0] ?? '', userId: '', emailAddress: ANA };
  const answer = await eva.send(`documents/${id}/correct`, fields);
  expect(await textAfter(id, doneIn(answer))).toContain('The address is as it was.');
  expect(await arrivedNow()).toEqual([]);
});

describe('a cancellation', () => {
  test('says whether people get a mail, which does not have the reason', async () => {
    const { id } = await invited([approval(ANA)]);
    const page = (await eva.show(`documents/${id}`)).text;
    expect(page).toContain('Those who were asked get a mail, without the reason.');
    expect((await eva.show('')).text).toContain(
      'Those who were asked get a mail, without the reason, except',
    );
    await eva.send(`documents/${id}/cancel`, { reason: 'The price is wrong.' });
    await workOnMail();
    const [{ to, mail } = { to: '', mail: { text: '' } }] = stage.smtp.forget();
    expect([to, mail.text?.includes('The price')]).toEqual([ANA, false]);
    expect((await eva.show(`documents/${id}`)).text).toContain('The price is wrong.');

    const silent = await invited([approval(ANA)], { disableNotifications: true });
    const off = await invited([approval(ANA)]);
    expect((await eva.show(`documents/${silent.id}`)).text).toContain('Nobody gets a mail of it');
    await stage.turn(false);
    expect((await eva.show(`documents/${off.id}`)).text).toContain('Nobody gets a mail of it');
    expect((await eva.show('')).text).toContain('Nobody gets a mail of it');
    for (const each of [silent, off]) await eva.send(`documents/${each.id}/cancel`, { reason: 'No.' });
    expect(await arrivedNow()).toEqual([]);
  });
});

describe('a reminder', () => {
  test('within an hour leaves the sender on the document, which says when the next one may go', async () => {
    const { id, actions } = await invited([approval(ANA)]);
    const remind = () => eva.send(`documents/${id}/remind`, { flowActionId: actions[0] ?? '' });
    await remind();
    expect(await arrivedNow()).toEqual([ANA]);
    const answer = await remind();
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, undefined]);
    expect(answer.text).toContain('a mail went to them within the last hour. The next one may go from');
    expect(answer.text).toContain('<h1><bdi>Contrato</bdi></h1>');
    expect(answer.text).not.toContain('Wait a minute');
    expect(await arrivedNow()).toEqual([]);
  });

  test('of a selection says whether all, some or none were reminded', async () => {
    const told = await invited([approval(ANA)]);
    const silent = { disablePendingActionNotifications: true };
    const untold = await invited([approval(BIA)], silent);
    const another = await invited([approval(CAIO)], silent);
    const remind = async (...ids: string[]) => {
      const fields: [string, string][] = ids.map((id) => ['id', id]);
      const done = doneIn(await eva.send('documents/selection', [['do', 'remind'], ...fields]));
      return { done, text: (await eva.show('', { done: done ?? '' })).text };
    };
    await remind(told.id);
    expect(await arrivedNow()).toEqual([ANA]);
    expect((await remind(told.id)).text).toContain('Nothing was done:');
    expect(await arrivedNow()).toEqual([]);
    expect((await remind(told.id, untold.id)).text).toContain('Done with some of them.');
    expect(await arrivedNow()).toEqual([BIA]);
    expect((await remind(another.id)).text).toContain('Done with all of them.');
    expect(await arrivedNow()).toEqual([CAIO]);
  });

  test('reaches whoever was told of nothing yet, beside somebody who was told just now', async () => {
    const silent = { disablePendingActionNotifications: true };
    const { id, actions } = await invited([approval(ANA), approval(BIA)], silent);
    await eva.send(`documents/${id}/remind`, { flowActionId: actions[0] ?? '' });
    expect(await arrivedNow()).toEqual([ANA]);
    const answer = await eva.send('documents/selection', { do: 'remind', id });
    expect([doneIn(answer), await arrivedNow()]).toEqual(['done', [BIA]]);
  });
});

describe('the page of a person', () => {
  const rule = (more: object = {}) => ({
    ...{ type: 'ApproverRule', ruleName: 'Board', numberRequiredSignatures: 1, ...more },
    signRuleUsers: [ANA, BIA].map((address) => ({ name: address, email: address })),
  });
  async function opened(id: string, address: string) {
    const { key, ticket } = partsOf((await createActionUrl(caller, id, by(address), Date.now())).url);
    const path = `/documents/document/key/${key}/action`;
    const page = async () =>
      (await call(getPage, { path, params: { key }, query: { ticket, lang: 'en' } })).text;
    return { page, refuse: () => byKey('refuse', key, { ticket, reason: 'No.' }) };
  }

  test('says that a refusal ends the flow where it does, and who can read the reason', async () => {
    const alone = await opened((await invited([rule()])).id, ANA);
    expect(await alone.page()).toContain('The flow ends for everybody.');
    await alone.refuse();
    const ended = await alone.page();
    expect(ended).toContain('Nobody can sign or approve it any more.');
    expect(ended).toContain('Whoever sent the document can read your reason.');

    const one = await opened((await invited([rule({ allowRuleFlowToContinueIfRefused: true })])).id, ANA);
    const before = await one.page();
    expect(before).toContain('The flow goes on: enough others of your group are left.');
    expect(before).not.toContain('The flow ends for everybody.');
    await one.refuse();
    const left = await one.page();
    expect(left).toContain('The flow goes on with the others.');
    expect(left).not.toContain('Nobody can sign or approve');
  });

  test('tells nobody to keep a signed file where there is none', async () => {
    const { id } = await invited([approval(ANA)]);
    const { page } = await opened(id, ANA);
    await approveDocument(caller, id, by(ANA), Date.now());
    await runTasks();
    const text = await page();
    expect(text).toContain('Everybody has done their part.');
    expect(text).not.toContain('Keep the signed file');
  });
});
