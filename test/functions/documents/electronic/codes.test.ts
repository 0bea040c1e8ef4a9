import { afterEach, expect, test, vi } from 'vitest';
import { FlowEditRequest } from '../../../../functions/documents/contract/flows/flow-edit.ts';
import { documentItems } from '../../../../functions/documents/domain/document/document.ts';
import { evidencesOf, readEvidence } from '../../../../functions/documents/domain/document/evidence.ts';
import { requestCodesByLink } from '../../../../functions/documents/domain/electronic/signers.ts';
import { editRunningFlow } from '../../../../functions/documents/domain/flows/edit-running-flow.ts';
import { revokeActionUrls } from '../../../../functions/documents/domain/links/revoke-links.ts';
import { createActionUrl } from '../../../../functions/documents/domain/signing/action-url.ts';
import { handler as sendCode } from '../../../../functions/documents/endpoints/signing/send-signing-code.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ownStores } from '../../own-stores.ts';
import { partsOf } from '../endpoints/signing/calls.ts';
import { interfereBeforeNextTransaction } from '../endpoints/signing/interference.ts';
import { current } from '../endpoints/signing/pending-document.ts';
import { callerFor } from '../sample-documents.ts';
import { electronic, electronicStage, type Link } from './stage.ts';

// The queue of mail is worked on as a whole.
await forFile(ownStores());
const stage = await forFile(electronicStage());
afterEach(() => {
  vi.useRealTimers();
  stage.sms.answer(202);
});

const MINUTE = 60_000;
const ANYBODY = { identifier: null, emailAddress: null, flowActionId: null };
const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
type Answer = { readonly status: number; json(): unknown };
const codeOf = (answer: Answer): string =>
  answer.status === 200 ? 'signed' : (answer.json() as { code: string }).code;
const detailsOf = (answer: Answer) => (answer.json() as { details: Record<string, unknown> }).details;

async function asked(link: Link): Promise<string> {
  await requestCodesByLink(link, Date.now);
  return stage.mailedCode();
}
const other = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const completions = async (id: string) => (await current({ id })).flow[0]?.completions.length;

type Case = (link: Link & { readonly id: string }) => Promise<string | undefined>;
const CASES: Readonly<Record<string, readonly [Case, string]>> = {
  'the code that was sent': [asked, 'signed'],
  'the code with a space in it': [async (link) => (await asked(link)).replace(/^.{3}/, '$& '), 'signed'],
  'no code': [async () => undefined, 'AuthenticationRequired'],
  'a code where none was asked for': [async () => '123456', 'CodeExpired'],
  'a wrong code': [async (link) => other(await asked(link)), 'CodeWrong'],
  'a code of ten minutes ago': [
    async (link) => {
      const code = await asked(link);
      later(10 * MINUTE);
      return code;
    },
    'CodeExpired',
  ],
  'a code after which another was sent': [
    async (link) => {
      const first = await asked(link);
      let second = await asked(link);
      if (second === first) second = await asked(link);
      return first;
    },
    'CodeWrong',
  ],
  'a code of another document': [
    async (link) => {
      const foreign = await stage.invited();
      await asked(link);
      return asked(foreign);
    },
    'CodeWrong',
  ],
  'a code of another link to the same action': [
    async (link) => {
      const again = await stage.invitedAgain(link.id);
      const code = await asked(again);
      return code;
    },
    'CodeWrong',
  ],
};

test.each(Object.entries(CASES))('%s', async (_, [give, outcome]) => {
  const link = await stage.invited();
  const emailCode = await give(link);
  const answer = await stage.signByKey(link, { emailCode });
  expect([codeOf(answer), await completions(link.id)]).toEqual([outcome, outcome === 'signed' ? 1 : 0]);
});

test('a code signs once', async () => {
  const link = await stage.invited();
  const emailCode = await asked(link);
  expect(codeOf(await stage.signByKey(link, { emailCode }))).toBe('signed');
  const again = await stage.signByKey(link, { emailCode });
  expect([codeOf(again), await completions(link.id)]).toEqual(['InvalidDocumentStatus', 1]);
});

test('the page opened twice signs once, whichever is first', async () => {
  const link = await stage.invited([
    electronic(),
    electronic({ step: 2 }, { name: 'Bia', identifier: null }),
  ]);
  const emailCode = await asked(link);
  const answers = await Promise.all([
    stage.signByKey(link, { emailCode }),
    stage.signByKey(link, { emailCode }),
  ]);
  expect(answers.map(codeOf).toSorted()).toEqual(['InvalidFlowAction', 'signed']);
  const document = await current(link);
  expect([document.evidence?.sequence, (await evidencesOf(document)).length]).toEqual([1, 1]);
});

test('six wrong codes in a row lock the person out, with words, and not for ever', async () => {
  const link = await stage.invited();
  const code = await asked(link);
  const guess = () => stage.signByKey(link, { emailCode: other(code) });
  for (let left = 5; left > 0; left--)
    expect(detailsOf(await guess())).toEqual({ factor: 'Email', attemptsLeft: String(left) });
  const sixth = await guess();
  expect(sixth.json()).toMatchObject({ code: 'CodesLocked', message: expect.stringContaining('15 minutes') });
  expect(sixth.headers['retry-after']).toBe('900');
  expect(codeOf(await stage.signByKey(link, { emailCode: code }))).toBe('CodesLocked');
  await expect(requestCodesByLink(link, Date.now)).rejects.toMatchObject({ code: 'CodesLocked' });
  // A new link of the same person is locked too.
  const again = await stage.invitedAgain(link.id);
  expect(codeOf(await stage.signByKey(again, { emailCode: code }))).toBe('CodesLocked');
  later(16 * MINUTE);
  expect(codeOf(await stage.signByKey(link, { emailCode: code }))).toBe('CodeExpired');
  expect(codeOf(await stage.signByKey(link, { emailCode: await asked(link) }))).toBe('signed');
});

test('six guesses at once are six', async () => {
  const link = await stage.invited();
  const code = await asked(link);
  const guesses = Array.from({ length: 8 }, () => stage.signByKey(link, { emailCode: other(code) }));
  const codes = (await Promise.all(guesses)).map(codeOf).toSorted();
  expect(codes.filter((each) => each === 'CodeWrong')).toHaveLength(5);
  expect(codeOf(await stage.signByKey(link, { emailCode: code }))).toBe('CodesLocked');
});

test('at most three codes are sent in ten minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-18T12:00:01Z') });
  const link = await stage.invited();
  for (let n = 0; n < 3; n++) await asked(link);
  await expect(requestCodesByLink(link, Date.now)).rejects.toMatchObject({ code: 'TooManyRequests' });
});

test('somebody whom an application has identified is asked for no code, and the evidence says so', async () => {
  const id = await stage.document();
  const link = await stage.linkFor(id);
  await expect(requestCodesByLink(link, Date.now)).rejects.toMatchObject({ code: 'InvalidFlowAction' });
  expect(codeOf(await stage.signByKey(link))).toBe('signed');
  const second = await stage.document();
  const { flow } = await current({ id: second });
  expect(codeOf(await stage.signFor(second, { flowActionId: flow[0]?.id }))).toBe('signed');
  for (const each of [id, second]) {
    const [evidence] = await evidencesOf(await current({ id: each }));
    expect(evidence && readEvidence(evidence)).toMatchObject({
      authenticationTypes: ['Application'],
      authenticatedEmail: null,
      authenticatedApplication: { name: stage.orgId, organizationName: 'ACME Ltda' },
      signatureType: 'Simple',
    });
  }
});

test('a link that a member of the organization copies asks for the code, as one in the mail does', async () => {
  const id = await stage.document();
  const member = { ...callerFor(stage.orgId), person: { id: 'm', name: 'Eva' } };
  const { url } = await createActionUrl(member, id, ANYBODY, Date.now());
  const answer = await stage.signByKey(partsOf(url));
  expect([codeOf(answer), detailsOf(answer)]).toMatchObject([
    'AuthenticationRequired',
    { missing: expect.stringContaining('Email') },
  ]);
});

test('an address that is corrected takes what was begun at the earlier one along with its link', async () => {
  const link = await stage.invited();
  const code = await asked(link);
  const [action] = (await current(link)).flow;
  const edited = { flowActionId: action?.id ?? '', participantEmailAddress: 'right@example.com' };
  const request = FlowEditRequest.parse({ editedFlowActions: [edited] });
  await editRunningFlow(callerFor(stage.orgId), link.id, request, Date.now());
  expect((await stage.signByKey(link, { emailCode: code })).status).toBe(404);
  const again = await stage.invitedAgain(link.id);
  expect(codeOf(await stage.signByKey(again, { emailCode: code }))).toBe('CodeExpired');
  // The invitation to the new address is read before the code.
  await stage.mailedCode();
  expect(codeOf(await stage.signByKey(again, { emailCode: await asked(again) }))).toBe('signed');
});

test('a link that is revoked while its signature is being made signs nothing', async () => {
  const link = await stage.invited();
  const emailCode = await asked(link);
  interfereBeforeNextTransaction(() => revokeActionUrls(callerFor(stage.orgId), link.id, ANYBODY));
  expect(codeOf(await stage.signByKey(link, { emailCode }))).toBe('InvalidTicket');
  expect(await completions(link.id)).toBe(0);
});

test('a code by SMS goes to the provider of the settings, at a link and for an application', async () => {
  const flow = [
    electronic({
      requireSmsAuthenticationToSignElectronically: true,
      disableEmailAuthenticationToSignElectronically: true,
    }),
  ];
  const id = await stage.document(flow);
  const link = await stage.linkFor(id);
  expect(codeOf(await stage.signByKey(link))).toBe('AuthenticationRequired');
  stage.sms.answer(500);
  await expect(requestCodesByLink(link, Date.now)).rejects.toMatchObject({ code: 'SmsUnavailable' });
  stage.sms.answer(202);
  await requestCodesByLink(link, Date.now);
  expect(stage.sms.taken.at(-1)).toMatchObject({
    to: '+55 11 98765-4321',
    authorization: 'Bearer sms-secret',
    text: expect.stringMatching(/^\d{6} e o seu codigo/),
  });
  expect(stage.sms.taken.at(-1)?.text.length).toBeLessThanOrEqual(160);
  const body = { authenticationType: 'SMS', authenticationCode: stage.sms.code() };
  expect(codeOf(await stage.signByKey(link, body))).toBe('signed');

  const second = await stage.document(flow);
  const flowActionId = (await current({ id: second })).flow[0]?.id;
  const send = (json: object) => call(sendCode, { headers: stage.headers, json });
  expect((await send({ flowActionId, resend: null, identifier: '', emailAddress: null })).status).toBe(200);
  // The code of the application is not one of a link.
  const smsCode = stage.sms.code();
  expect(codeOf(await stage.signByKey(await stage.linkFor(second), { smsCode }))).toBe('CodeWrong');
  expect(codeOf(await stage.signFor(second, { flowActionId, smsCode }))).toBe('signed');
  const [evidence] = await evidencesOf(await current({ id: second }));
  expect(evidence && readEvidence(evidence).authenticationTypes).toEqual(['Application', 'SMS']);
  expect(codeOf(await send({ flowActionId: 'unknown' }))).toBe('InvalidFlowAction');
});

test('an action that does not allow it is not signed electronically', async () => {
  const id = await stage.document([electronic({ allowElectronicSignature: false })]);
  expect(codeOf(await stage.signByKey(await stage.linkFor(id)))).toBe('ElectronicSignatureNotAllowed');
  expect((await documentItems.get(id))?.state).toBe('Pending');
});
