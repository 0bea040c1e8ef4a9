import { expect, test } from 'vitest';
import { forFile } from '../../../runner/for-file.ts';
import { startProvider, useProvider } from '../../../servers/oidc/start-provider.ts';
import { answerOf } from '../../batch/identity-provider/visitor.ts';
import { atLogin, memberStage, sessionOf, visitorWith } from './member-stage.ts';

const provider = await forFile(startProvider());
useProvider(provider.issuer);

/** Signs in at the provider, in the browser that began it. */
async function signIn(account: string, query: Record<string, string> = {}) {
  const begun = await atLogin.show('provider', query);
  const answer = await answerOf(new URL(begun.headers.location ?? ''), account);
  const Cookie = begun.cookies.map((line) => line.split(';')[0]).join('; ');
  const comeBack = (headers: Record<string, string> = { Cookie }) =>
    atLogin.show('callback', Object.fromEntries(answer.searchParams), headers);
  return { begun, comeBack };
}

test('the identity provider logs in whoever is a member by the address that it vouches for', async () => {
  const { add } = await memberStage();
  await add({ email: 'Admin@Sandbox.example' });
  expect((await atLogin.show()).text).toContain('Sign in with your organization');
  const ReturnUrl = '/documents/console/organization';
  const { comeBack } = await signIn('admin', { ReturnUrl });
  const { status, headers, cookies } = await comeBack();
  expect([status, headers.location]).toEqual([303, ReturnUrl]);
  expect((await visitorWith(sessionOf(cookies)).show('organization')).status).toBe(200);
  // The answer of the provider is good for one log-in.
  expect((await comeBack()).status).toBe(400);
});

test('somebody whom the provider knows and no organization does not get in', async () => {
  const { comeBack } = await signIn('nobody');
  const { status, cookies } = await comeBack();
  expect([status, sessionOf(cookies)]).toEqual([403, '']);
});

// Login CSRF: an answer that somebody else began would log this browser in as that person.
test('an answer in a browser that did not begin the sign-in is refused', async () => {
  const { add } = await memberStage();
  await add({ email: 'ana@sandbox.example' });
  const { comeBack } = await signIn('ana');
  expect((await comeBack({ Cookie: '' })).status).toBe(400);
});
